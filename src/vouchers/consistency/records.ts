import { sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'

export interface VoucherFault {
  fault: string
  count: number
}

/** Recomputes from the ledger all that is kept beside it, and tells where the two differ. */
export const findVoucherFaults = async (rows: Rows): Promise<VoucherFault[]> => {
  const account = rows.accountId
  const { rows: faults } = await sql<VoucherFault>`
    with chain as (
      select voucher_id, seq, amount_cents, balance_after_cents,
        row_number() over following as expected_seq,
        sum(amount_cents) over following as expected_balance
      from voucher_entries where account_id = ${account}
      window following as (partition by voucher_id order by seq)
    ), ledger as (
      select voucher_id, max(seq) as entries, sum(amount_cents) as balance from chain group by voucher_id
    ), held as (
      select voucher_id, sum(amount_cents) as reserved from voucher_reservations
      where account_id = ${account} and captured_at is null and released_at is null group by voucher_id
    ), kept as (
      select coalesce(sum(count), 0) as count, coalesce(sum(issued_cents), 0) as issued,
        coalesce(sum(redeemed_cents), 0) as redeemed, coalesce(sum(balance_cents), 0) as balance,
        coalesce(sum(bonus_cents), 0) as bonus, coalesce(sum(blocked_count), 0) as blocked,
        coalesce(sum(sold_count), 0) as sold_count, coalesce(sum(sold_cents), 0) as sold
      from voucher_totals where account_id = ${account}
    ), counted as (
      select
        (select count(*) from vouchers where account_id = ${account}) as count,
        (select coalesce(sum(amount_cents), 0) from voucher_entries
          where account_id = ${account} and kind = 'issuance') as issued,
        (select coalesce(-sum(amount_cents), 0) from voucher_entries
          where account_id = ${account} and kind in ('redemption', 'refund')) as redeemed,
        (select coalesce(sum(balance_cents), 0) from vouchers where account_id = ${account}) as balance,
        (select coalesce(sum(greatest(issued_cents - paid_cents, 0)), 0) from vouchers
          where account_id = ${account}) as bonus,
        (select count(*) from vouchers where account_id = ${account} and blocked_at is not null) as blocked,
        (select count(*) from voucher_purchases
          where account_id = ${account} and status in ('paid', 'partially_refunded')) as sold_count,
        (select coalesce(sum(paid_cents - refunded_cents), 0) from voucher_purchases
          where account_id = ${account} and status in ('paid', 'partially_refunded')) as sold
    )
    select fault, count::int as count from (
      select 'an entry does not follow its predecessor' as fault, count(*) as count from chain
        where seq <> expected_seq or balance_after_cents <> expected_balance or balance_after_cents < 0
      union all
      select 'a balance is not the sum of its entries', count(*) from vouchers v
        left join ledger l on l.voucher_id = v.id
        where v.account_id = ${account}
          and (l.voucher_id is null or v.balance_cents <> l.balance or v.entries_count <> l.entries)
      union all
      select 'reserved money is not the sum of what is held', count(*) from vouchers v
        left join held h on h.voucher_id = v.id
        where v.account_id = ${account} and v.reserved_cents <> coalesce(h.reserved, 0)
      union all
      select 'the summary is not what can be counted', count(*) from kept, counted
        where (kept.count, kept.issued, kept.redeemed, kept.balance, kept.bonus, kept.blocked, kept.sold_count, kept.sold)
          is distinct from (counted.count, counted.issued, counted.redeemed, counted.balance, counted.bonus, counted.blocked, counted.sold_count, counted.sold)
    ) as faults
    where count > 0`.execute(rows.db)
  return faults
}
