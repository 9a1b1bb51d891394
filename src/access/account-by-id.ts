import { coalesce } from '../database/coalesce.ts'
import type { Database } from '../database/database.ts'
import type { App } from './app.ts'
import type { Account } from './callers.ts'

/** For whoever knows the account's ID from us: by something that we signed, or by a job. Null when the account is gone. */
export const findAccountById = ({ database }: Pick<App, 'database'>, id: number): Promise<Account | null> => {
  let find = lookups.get(database)
  if (!find) {
    find = coalesce((ids) => findAccounts(database, ids))
    lookups.set(database, find)
  }
  return find(id)
}

/** Those who ask at the same time ask together. */
const lookups = new WeakMap<Database, (id: number) => Promise<Account | null>>()

const findAccounts = async ({ lookups: pool }: Database, ids: readonly number[]): Promise<(Account | null)[]> => {
  const { rows } = await pool.query<Account>({
    name: 'accounts-by-id',
    text: `
      select id, name, subdomain, currency, time_zone as "timeZone", language from accounts
      where id = any ($1::bigint[])`,
    values: [ids],
  })
  const found = new Map(rows.map((account) => [account.id, account]))
  return ids.map((id) => found.get(id) ?? null)
}
