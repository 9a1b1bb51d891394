import { sql } from 'kysely'
import type { Tx } from '../../access/scopes.ts'
import type { Database } from '../../database/database.ts'

/** Vouchers whose time is over and whose rest was not posted, by account; pending checkouts are waited for. */
export const findVouchersToExpire = async (
  database: Database,
  limit: number,
): Promise<{ accountId: number; ids: number[] }[]> => {
  const { rows } = await sql<{ accountId: number; ids: number[] }>`
    select account_id as "accountId", ids
    from (select distinct account_id from voucher_totals) as accounts
    cross join lateral (
      select array(
        select id from vouchers
        where vouchers.account_id = accounts.account_id and balance_cents > 0 and expires_at <= foyer_now()
          and expiration_posted_at is null and reserved_cents = 0
        order by expires_at limit ${limit}
      ) as ids
    ) as run_out
    where ids <> '{}'`.execute(database.kysely)
  return rows
}

/** Posts the rest of each as expired. One that somebody else is at is left for the next time. */
export const insertExpirationEntries = async (tx: Tx, ids: number[], publicIds: string[]): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    with run_out as materialized (
      select id, entries_count, balance_cents, row_number() over (order by id) as n from (
        select id, entries_count, balance_cents from vouchers
        where account_id = ${tx.accountId} and id = any(${ids}::bigint[])
          and balance_cents > 0 and expires_at <= foyer_now() and expiration_posted_at is null and reserved_cents = 0
        order by id for update skip locked
      ) as locked
    )
    insert into voucher_entries
      (account_id, voucher_id, seq, public_id, kind, amount_cents, balance_after_cents)
    select ${tx.accountId}, id, entries_count + 1, (${publicIds}::text[])[n], 'expiration', -balance_cents, 0
    from run_out
    returning voucher_id as id`.execute(tx.db)
  return rows.map(({ id }) => id)
}

/** Folds the parts of each account's summary into one. A reader sees all of them or the sum, never both. */
export const foldTotals = async (database: Database): Promise<void> => {
  await sql`
    with many as (
      select account_id from voucher_totals group by account_id having count(*) > 1
    ), parts as (
      delete from voucher_totals where account_id in (select account_id from many)
      returning account_id, count, issued_cents, redeemed_cents, balance_cents, bonus_cents, blocked_count,
        sold_count, sold_cents
    )
    insert into voucher_totals (account_id, count, issued_cents, redeemed_cents, balance_cents, bonus_cents,
      blocked_count, sold_count, sold_cents)
    select account_id, sum(count), sum(issued_cents), sum(redeemed_cents), sum(balance_cents), sum(bonus_cents),
      sum(blocked_count), sum(sold_count), sum(sold_cents)
    from parts group by account_id`.execute(database.kysely)
}
