import { sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'

/** Days of the account's calendar, both of them included. */
export interface AccountingPeriod {
  from: string
  to: string
  timeZone: string
}

const between = ({ from, to, timeZone }: AccountingPeriod, column: string) => sql`
  ${sql.ref(column)} >= ${from}::date::timestamp at time zone ${timeZone}
  and ${sql.ref(column)} < (${to}::date + 1)::timestamp at time zone ${timeZone}`

export interface ReceiptSumByTaxRate {
  kind: 'sale' | 'refund'
  /** Whether vouchers were sold, and not tickets. */
  isOfVouchers: boolean
  rate: number
  netCents: number
  taxCents: number
  grossCents: number
}

/** The receipts of a period by tax rate, to the cent: what they say is added up, and nothing is computed anew. */
export const sumReceipts = async (
  { accountId, db }: Rows,
  period: AccountingPeriod,
): Promise<ReceiptSumByTaxRate[]> => {
  const { rows } = await sql<ReceiptSumByTaxRate>`
    -- taken as not null: rate, netCents, taxCents, grossCents (every tax line has all of them)
    select r.kind, c.event_id is null as "isOfVouchers", (line ->> 'rate')::int as rate,
      sum((line ->> 'net_cents')::bigint)::bigint as "netCents",
      sum((line ->> 'tax_cents')::bigint)::bigint as "taxCents",
      sum((line ->> 'gross_cents')::bigint)::bigint as "grossCents"
    from receipts r
    join checkouts c on c.account_id = r.account_id and c.id = r.checkout_id,
      jsonb_array_elements(r.tax_lines) as line
    where r.account_id = ${accountId} and ${between(period, 'r.issued_at')}
    group by 1, 2, 3 order by 1 desc, 2, 3 desc`.execute(db)
  return rows
}

export interface VoucherMovement {
  spentCents: number
  returnedCents: number
}

/** What orders took of vouchers in a period, and what went back to them, by the ledger. */
export const sumVoucherMovement = async (
  { accountId, db }: Rows,
  period: AccountingPeriod,
): Promise<VoucherMovement> => {
  const { rows } = await sql<VoucherMovement>`
    select coalesce(-sum(e.amount_cents) filter (where e.kind = 'redemption'), 0)::bigint as "spentCents",
      coalesce(sum(e.amount_cents) filter (where e.kind = 'refund'), 0)::bigint as "returnedCents"
    from voucher_entries e
    where e.account_id = ${accountId} and e.kind in ('redemption', 'refund') and ${between(period, 'e.created_at')}`.execute(
    db,
  )
  return rows[0]!
}

export interface BookedReceiptLine {
  number: number
  kind: 'sale' | 'refund'
  day: string
  orderCode: string
  isOfVouchers: boolean
  rate: number
  netCents: number
  taxCents: number
  grossCents: number
  /** Of the whole receipt, on its first line. */
  voucherCents: number
}

export const findBookedLines = async (
  { accountId, db }: Rows,
  period: AccountingPeriod,
): Promise<BookedReceiptLine[]> => {
  const { rows } = await sql<BookedReceiptLine>`
    -- taken as not null: rate, netCents, taxCents, grossCents (every tax line has all of them)
    select r.number, r.kind, to_char(r.issued_at at time zone ${period.timeZone}, 'YYYY-MM-DD') as day,
      coalesce(o.order_code, c.purchase_code, '') as "orderCode", c.event_id is null as "isOfVouchers",
      (line ->> 'rate')::int as rate, (line ->> 'net_cents')::bigint as "netCents",
      (line ->> 'tax_cents')::bigint as "taxCents", (line ->> 'gross_cents')::bigint as "grossCents",
      case when position = 1 then r.voucher_cents else 0 end as "voucherCents"
    from receipts r
    join checkouts c on c.account_id = r.account_id and c.id = r.checkout_id
    left join orders o on o.account_id = c.account_id and o.checkout_id = c.id,
      jsonb_array_elements(r.tax_lines) with ordinality as each (line, position)
    where r.account_id = ${accountId} and ${between(period, 'r.issued_at')}
    order by r.number, position`.execute(db)
  return rows
}

/** Months of the account's calendar as 2026-11, both of them included. */
export interface MonthRange {
  from: string
  to: string
  timeZone: string
}

/** What moved on all vouchers in a month; every amount is as large as it is, whichever way it went. */
export interface VoucherMonth {
  month: string
  openingCents: number
  issuedCents: number
  spentCents: number
  returnedCents: number
  takenBackCents: number
  expiredCents: number
  creditedCents: number
  debitedCents: number
  closingCents: number
}

/**
 * Month by month, from the ledger. What stood on all vouchers when the range begins is what stands on them now less
 * what has moved since: so only entries since then are read, however old the ledger is.
 */
export const findVoucherMonths = async (
  { accountId, db }: Rows,
  { from, to, timeZone }: MonthRange,
): Promise<VoucherMonth[]> => {
  const { rows } = await sql<VoucherMonth>`
    -- taken as not null: openingCents, closingCents (summed over months that are all there)
    with moved as (
      select date_trunc('month', e.created_at at time zone ${timeZone}) as month, e.kind,
        sum(e.amount_cents)::bigint as cents
      from voucher_entries e
      where e.account_id = ${accountId} and e.created_at >= (${from} || '-01')::timestamp at time zone ${timeZone}
      group by 1, 2
    ), months as (
      select first as month from generate_series(
        (${from} || '-01')::timestamp, (${to} || '-01')::timestamp, interval '1 month') as first
    ), summed as (
      select months.month, coalesce(sum(moved.cents), 0)::bigint as net,
        coalesce(sum(moved.cents) filter (where moved.kind = 'issuance'), 0)::bigint as issued,
        coalesce(-sum(moved.cents) filter (where moved.kind = 'redemption'), 0)::bigint as spent,
        coalesce(sum(moved.cents) filter (where moved.kind = 'refund'), 0)::bigint as returned,
        coalesce(-sum(moved.cents) filter (where moved.kind = 'purchase_refund'), 0)::bigint as taken_back,
        coalesce(-sum(moved.cents) filter (where moved.kind = 'expiration'), 0)::bigint as expired,
        coalesce(sum(moved.cents) filter (where moved.kind = 'adjustment_credit'), 0)::bigint as credited,
        coalesce(-sum(moved.cents) filter (where moved.kind = 'adjustment_debit'), 0)::bigint as debited
      from months left join moved on moved.month = months.month
      group by months.month
    ), before as (
      select (
        (select coalesce(sum(balance_cents), 0) from voucher_totals where account_id = ${accountId})
        - (select coalesce(sum(cents), 0) from moved)
      )::bigint as cents
    ), closed as (
      select summed.*, (before.cents + sum(summed.net) over (order by summed.month))::bigint as closing
      from summed, before
    )
    select to_char(month, 'YYYY-MM') as month, closing - net as "openingCents", issued as "issuedCents",
      spent as "spentCents", returned as "returnedCents", taken_back as "takenBackCents", expired as "expiredCents",
      credited as "creditedCents", debited as "debitedCents", closing as "closingCents"
    from closed order by closed.month`.execute(db)
  return rows
}

/** Today, where the account is. */
export const findToday = async ({ db }: Rows, timeZone: string): Promise<string> => {
  const { rows } = await sql<{ today: string }>`
    select to_char(foyer_now() at time zone ${timeZone}, 'YYYY-MM-DD') as today`.execute(db)
  return rows[0]!.today
}
