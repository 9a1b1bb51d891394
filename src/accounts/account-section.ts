import type { Insertable } from 'kysely'
import type { App } from '../access/app.ts'
import type { OpenedAccount, Operator } from '../access/operator.ts'
import { isReservedHostName } from '../access/shop-address.ts'
import type { Accounts } from '../database/table-types.ts'
import { exportThing, fileSchema, toRow } from '../definitions/define.ts'
import { requireFound } from '../kernel/refusals.ts'
import { type JsonPath, fileFaultAt, quoteShortened } from '../loading/fault.ts'
import type { ReadingContext } from '../loading/fields.ts'
import type { ExportContext } from '../loading/section.ts'
import { type AccountInput, accountDefinition } from './definitions.ts'
import { findAccount, claimShopHosts } from './records.ts'

/** Nothing of an account is read against the account. */
export const accountSchema = (now: Date) => fileSchema(accountDefinition, { now } as ReadingContext)

export const loadAccount = async (
  { app, operator, now }: { app: App; operator: Operator; now: Date },
  input: AccountInput,
  place: JsonPath,
): Promise<OpenedAccount> => {
  refuseReservedNames(app, input, place)
  const row = toRow(accountDefinition, input, now) as unknown as Insertable<Accounts>
  const opened = await operator.foundAccount(row)
  if (!opened)
    throw fileFaultAt([...place, 'subdomain'], `${quoteShortened(input.subdomain)} is taken by another account`)

  const free = await claimShopHosts(opened.tx, input.custom_domains)
  const taken = input.custom_domains.findIndex((host) => !free.has(host))
  if (taken >= 0) {
    throw fileFaultAt(
      [...place, 'custom_domains', taken],
      `${quoteShortened(input.custom_domains[taken]!)} is taken by another account`,
    )
  }
  return opened
}

/** The same of an account as it stands. */
export const exportAccount = async ({ rows, account }: ExportContext): Promise<Record<string, unknown>> =>
  exportThing(accountDefinition, requireFound(await findAccount(rows)).thing, account)

const refuseReservedNames = (app: App, input: AccountInput, place: JsonPath) => {
  const { consoleHost, shopHost } = app.settings
  if (`${input.subdomain}.${shopHost}` === consoleHost) {
    throw fileFaultAt([...place, 'subdomain'], `${quoteShortened(input.subdomain)} leads to the console`)
  }

  const own = input.custom_domains.findIndex((host) => isReservedHostName(app, host))
  if (own >= 0) {
    throw fileFaultAt(
      [...place, 'custom_domains', own],
      `${quoteShortened(input.custom_domains[own]!)} is an address of Foyer itself`,
    )
  }
}
