import type { Insertable } from 'kysely'
import type { App } from '../access/app.ts'
import type { OpenAccount, Operator } from '../access/operator.ts'
import { isReservedHostName } from '../access/shop-address.ts'
import type { Accounts } from '../database/table-types.ts'
import { exportThing, fileSchema, toRow } from '../definitions/define.ts'
import { found } from '../kernel/refusals.ts'
import { type JsonPath, faultAt, quote } from '../loading/fault.ts'
import type { ReadingContext } from '../loading/fields.ts'
import type { ExportContext } from '../loading/section.ts'
import { type AccountInput, accountDefinition } from './definitions.ts'
import { findAccount, insertShopHosts } from './records.ts'

/** Nothing of an account is read against the account. */
export const accountSchema = (now: Date) => fileSchema(accountDefinition, { now } as ReadingContext)

export const loadAccount = async (
  { app, operator, now }: { app: App; operator: Operator; now: Date },
  input: AccountInput,
  place: JsonPath,
): Promise<OpenAccount> => {
  refuseReservedNames(app, input, place)
  const row = toRow(accountDefinition, input, now) as unknown as Insertable<Accounts>
  const opened = await operator.foundAccount(row)
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

/** The same of an account as it stands. */
export const exportAccount = async ({ rows, account }: ExportContext): Promise<Record<string, unknown>> =>
  exportThing(accountDefinition, found(await findAccount(rows)).thing, account)

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
