import { domainToASCII } from 'node:url'
import type { z } from 'zod'
import type { App } from '../access/app.ts'
import type { OpenAccount, Operator } from '../access/operator.ts'
import { isReservedHostName } from '../access/shop-address.ts'
import { isCurrency } from '../kernel/money.ts'
import { type JsonPath, faultAt, quote } from '../loading/fault.ts'
import { email, flag, list, optional, text, strictObject, timeZone } from '../loading/fields.ts'
import { insertShopHosts } from './records.ts'

const SUBDOMAIN = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const HOST = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/

const subdomain = () =>
  text().refine((value) => SUBDOMAIN.test(value), {
    error: 'is not one host label of lower-case letters, digits and hyphens',
  })

const currency = () => text().refine(isCurrency, { error: 'is not a currency like "EUR"' })

/** Browsers send the name in lower case and in ASCII, so it is kept that way. */
const customDomain = () =>
  text()
    .transform((value) => domainToASCII(value.toLowerCase()))
    .refine((value) => HOST.test(value), { error: 'is not a host name like "tickets.example.com"' })

/** The account itself: read before all other sections, which are read in its currency and time zone. */
export const Account = strictObject({
  name: text(),
  subdomain: subdomain(),
  currency: currency().default('EUR'),
  time_zone: timeZone().default('Europe/Berlin'),
  shop_published: flag(true),
  custom_domains: list(customDomain(), 'itself'),
  reply_to_email: optional(email()),
})

export type AccountInput = z.output<typeof Account>

export const loadAccount = async (
  { app, operator, now }: { app: App; operator: Operator; now: Date },
  input: AccountInput,
  place: JsonPath,
): Promise<OpenAccount> => {
  refuseReservedNames(app, input, place)
  const opened = await operator.foundAccount({
    name: input.name,
    subdomain: input.subdomain,
    currency: input.currency,
    timeZone: input.time_zone,
    shopPublishedAt: input.shop_published ? now : null,
    replyToEmail: input.reply_to_email,
  })
  if (!opened) throw faultAt([...place, 'subdomain'], `${quote(input.subdomain)} is taken by another account`)

  const free = await insertShopHosts(opened.tx, input.custom_domains)
  const taken = input.custom_domains.findIndex((host) => !free.has(host))
  if (taken >= 0) {
    throw faultAt(
      [...place, 'custom_domains', taken],
      `${quote(input.custom_domains[taken]!)} is taken by another account`,
    )
  }
  return opened
}

const refuseReservedNames = (app: App, input: AccountInput, place: JsonPath) => {
  const { consoleHost, shopHost } = app.settings
  if (`${input.subdomain}.${shopHost}` === consoleHost) {
    throw faultAt([...place, 'subdomain'], `${quote(input.subdomain)} leads to the console`)
  }

  const own = input.custom_domains.findIndex((host) => isReservedHostName(app, host))
  if (own >= 0) {
    throw faultAt(
      [...place, 'custom_domains', own],
      `${quote(input.custom_domains[own]!)} is an address of Foyer itself`,
    )
  }
}
