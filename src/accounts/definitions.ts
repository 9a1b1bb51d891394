import { domainToASCII } from 'node:url'
import { type FileInput, define } from '../definitions/define.ts'
import { elsewhere, fileOnly, optional, or, required, since } from '../definitions/fields.ts'
import { email, flag, listOf, normalized, oneOf, text, textThat, timeZone } from '../definitions/kinds.ts'
import { INVALID_MESSAGE, NOT_INCLUDED_MESSAGE } from '../kernel/messages.ts'
import { isCurrency } from '../kernel/money.ts'

const SUBDOMAIN = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const HOST = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/
const DOMAINS_MAX = 100

const subdomain = () =>
  textThat((value) => SUBDOMAIN.test(value), {
    file: 'is not one host label of lower-case letters, digits and hyphens',
    api: INVALID_MESSAGE,
  })

const currency = () => textThat(isCurrency, { file: 'is not a currency like "EUR"', api: NOT_INCLUDED_MESSAGE })

/** Browsers send the name in lower case and in ASCII, so it is kept that way. */
const inAscii = (host: string) => domainToASCII(host.toLowerCase())

const customDomain = () =>
  normalized(
    textThat((value) => HOST.test(inAscii(value)), {
      file: 'is not a host name like "tickets.example.com"',
      api: INVALID_MESSAGE,
    }),
    inAscii,
  )

/** The account itself: read before all other sections of a file, which are read in its currency and time zone. */
export const accountDefinition = define({
  name: required(text()),
  subdomain: fileOnly(required(subdomain())),
  currency: or(currency(), 'EUR'),
  time_zone: or(timeZone(), 'Europe/Berlin'),
  language: or(oneOf(['en', 'de']), 'en'),
  shop_published: since('shop_published_at', or(flag(), true)),
  custom_domains: elsewhere(or(listOf(customDomain(), { unique: true, most: DOMAINS_MAX }), [])),
  reply_to_email: optional(email()),
})

export type AccountInput = FileInput<typeof accountDefinition>
