import { domainToASCII } from 'node:url'
import { type FileInput, defineThing } from '../definitions/define.ts'
import { inOtherTable, fileOnly, optional, withDefault, required, trueAsTimestamp } from '../definitions/fields.ts'
import { email, flag, listOf, normalized, oneOf, text, textMatching, timeZone } from '../definitions/kinds.ts'
import { INVALID_MESSAGE, NOT_INCLUDED_MESSAGE } from '../kernel/messages.ts'
import { isCurrency } from '../kernel/money.ts'
import { LANGUAGES } from '../languages/rules.ts'

const SUBDOMAIN = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const HOST = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/
const DOMAINS_MAX = 100

const subdomain = () =>
  textMatching((value) => SUBDOMAIN.test(value), {
    file: 'is not one host label of lower-case letters, digits and hyphens',
    api: INVALID_MESSAGE,
  })

const currency = () => textMatching(isCurrency, { file: 'is not a currency like "EUR"', api: NOT_INCLUDED_MESSAGE })

/** Browsers send the name in lower case and in ASCII, so it is kept that way. */
const inAscii = (host: string) => domainToASCII(host.toLowerCase())

const customDomain = () =>
  normalized(
    textMatching((value) => HOST.test(inAscii(value)), {
      file: 'is not a host name like "tickets.example.com"',
      api: INVALID_MESSAGE,
    }),
    inAscii,
  )

/** The account itself: read before all other sections of a file, which are read in its currency and time zone. */
export const accountDefinition = defineThing({
  name: required(text()),
  subdomain: fileOnly(required(subdomain())),
  currency: withDefault(currency(), 'EUR'),
  time_zone: withDefault(timeZone(), 'Europe/Berlin'),
  language: withDefault(oneOf(LANGUAGES), 'en'),
  shop_published: trueAsTimestamp('shop_published_at', withDefault(flag(), true)),
  custom_domains: inOtherTable(withDefault(listOf(customDomain(), { unique: true, most: DOMAINS_MAX }), [])),
  reply_to_email: optional(email()),
})

export type AccountInput = FileInput<typeof accountDefinition>
