import { sql } from 'kysely'
import { coalesce } from '../database/coalesce.ts'
import { runPrepared } from '../database/prepared.ts'
import type { Account } from './callers.ts'
import type { App } from './app.ts'
import { AccountScope, type Rows, accountDbForJob } from './scopes.ts'

/**
 * Foyer's own work on one account, without a caller: a job knows the account's ID from the row that it was
 * enqueued for. Null when the account is gone.
 */
export const openAccountForJob = async (app: App, accountId: number): Promise<AccountScope | null> => {
  const find = lookups.get(app) ?? coalesce((ids: number[]) => findAccounts(app, ids))
  lookups.set(app, find)
  const account = await find(accountId)
  return account && new AccountScope(app, account)
}

/** Jobs that begin at the same time ask together. */
const lookups = new WeakMap<App, (accountId: number) => Promise<Account | null>>()

const findAccounts = async (app: App, ids: readonly number[]): Promise<(Account | null)[]> => {
  const statement = sql<Account>`
    select id, name, subdomain, currency, time_zone as "timeZone", language from accounts
    where id = any (${ids}::bigint[])`
  const found = new Map(
    (await runPrepared(app.database.keyLookups, 'accounts-of-jobs', statement)).map((account) => [account.id, account]),
  )
  return ids.map((id) => found.get(id) ?? null)
}

/** The same for reading alone, without asking whether the account is still there. */
export const openRowsForJob = (app: App, accountId: number): Rows => accountDbForJob(app.database, accountId)
