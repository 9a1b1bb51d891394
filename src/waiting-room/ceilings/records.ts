import { sql } from 'kysely'
import type { Tx } from '../../access/scopes.ts'
import { runPrepared } from '../../database/prepared.ts'

export interface OpenCheckouts {
  address: Buffer
  browser: Buffer | null
  checkouts: number
  firstEndsAt: Date
  now: Date
}

/** What addresses have under way. Until the transaction ends, others who count one of them wait. */
export const countOpenCheckouts = (tx: Tx, addresses: readonly Buffer[]): Promise<OpenCheckouts[]> => {
  const statement = sql<OpenCheckouts>`
    select address, browser, checkouts, first_ends_at as "firstEndsAt", foyer_now() as now
    -- taken as not null: address, checkouts, firstEndsAt (each row is an address that has checkouts)
    from count_open_checkouts(${tx.accountId}::bigint, ${addresses}::bytea[])`
  return runPrepared(tx.db, 'count-open-checkouts', statement)
}
