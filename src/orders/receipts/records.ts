import { type RawBuilder, sql } from 'kysely'
import type { Rows, Tx } from '../../access/scopes.ts'
import { runPrepared } from '../../database/prepared.ts'
import type { GivenBackAtRate, ReceiptLine, TaxLine } from './rules.ts'

export interface ReceiptRecipient {
  name: string
  email: string
  company: string | null
  street: string | null
  postalCode: string | null
  city: string | null
  country: string | null
  vatId: string | null
}

export interface NewReceipt {
  kind: 'sale' | 'refund'
  checkoutId: number
  refundId: number | null
  lines: readonly ReceiptLine[]
  taxLines: readonly TaxLine[]
  totalCents: number
  voucherCents: number
  currency: string
  recipient: ReceiptRecipient
  language: string
}

/**
 * Gives receipts the next numbers of the account, in their order. The counter is a row, so that a transaction that is
 * rolled back leaves no gap; everybody else who sells waits for it, so this comes last.
 */
export const insertReceipts = async (tx: Tx, receipts: readonly NewReceipt[]): Promise<number[]> => {
  const statement = sql<{ number: number }>`
    with given as materialized (
      select * from rows from (json_to_recordset(${JSON.stringify(receipts)}::json) as (
        kind text, "checkoutId" bigint, "refundId" bigint, lines jsonb, "taxLines" jsonb, "totalCents" bigint,
        "voucherCents" bigint, currency text, recipient jsonb, language text
      )) with ordinality as given (kind, "checkoutId", "refundId", lines, "taxLines", "totalCents", "voucherCents",
        currency, recipient, language, n)
    ),
    counted as (
      insert into receipt_counters (account_id, last_number) values (${tx.accountId}, ${receipts.length}::int)
      on conflict (account_id) do update set last_number = receipt_counters.last_number + excluded.last_number
      returning last_number - ${receipts.length}::int as before
    )
    insert into receipts (account_id, number, kind, checkout_id, refund_id, lines, tax_lines, total_cents, voucher_cents,
      currency, recipient, language)
    select ${tx.accountId}::bigint, before + n, kind, "checkoutId", "refundId", lines, "taxLines", "totalCents",
      "voucherCents", currency, recipient, language
    from counted, given order by n
    returning number`
  const made = await runPrepared(tx.db, 'insert-receipts', statement)
  return made.map(({ number }) => number)
}

/** Money of vouchers that was taxed when they were sold, by the rate it was taxed at. */
export interface TaxedMoney {
  rate: number
  cents: number
}

/**
 * The rate at which a voucher was taxed when the shop sold it. None where its product had no rate, and where nobody knows
 * of a sale: such a voucher is taxed when it is spent.
 */
export const rateWhenSold = (
  voucherId: RawBuilder<unknown>,
  accountId: number | RawBuilder<unknown>,
) => sql<number>`coalesce((
    select i.tax_rate from voucher_purchases p
    join vouchers v on v.account_id = p.account_id and v.id = p.voucher_id
    join checkout_voucher_items i on i.account_id = p.account_id and i.checkout_id = p.checkout_id
      and i.product_id = v.product_id
    where p.account_id = ${accountId} and p.voucher_id = ${voucherId}
    order by i.position limit 1
  ), 0)`

export interface SaleForReceipt {
  checkoutId: number
  voucherCents: number
  language: string
  lines: ReceiptLine[]
  taxedBefore: TaxedMoney[]
  recipient: ReceiptRecipient
}

/** What checkouts have sold, as their receipts list it, in their order. */
export const findSalesForReceipts = async (
  { accountId, db }: Tx,
  checkoutIds: readonly number[],
): Promise<SaleForReceipt[]> => {
  const statement = sql<SaleForReceipt>`
    select c.id as "checkoutId", c.language,
      coalesce((
        select o.voucher_cents from orders o where o.account_id = c.account_id and o.checkout_id = c.id
      ), 0) as "voucherCents",
      coalesce((
        select json_agg(json_build_object('title', i.title, 'quantity', i.quantity, 'unit_cents', i.unit_price_cents,
          'total_cents', i.quantity * i.unit_price_cents, 'tax_rate', i.tax_rate) order by i.position)
        from (
          select account_id, checkout_id, position, title, quantity, unit_price_cents, tax_rate from checkout_items
          union all
          select account_id, checkout_id, position, title, quantity, unit_price_cents, tax_rate from checkout_voucher_items
        ) i where i.account_id = c.account_id and i.checkout_id = c.id
      ), '[]') as lines,
      coalesce((
        select json_agg(json_build_object('rate', t.rate, 'cents', t.cents) order by t.rate) from (
          select ${rateWhenSold(sql`n.voucher_id`, accountId)} as rate, -sum(n.amount_cents) as cents
          from orders o
          join voucher_entries n on n.account_id = o.account_id and n.order_id = o.id and n.kind = 'redemption'
          where o.account_id = c.account_id and o.checkout_id = c.id group by 1
        ) t where t.rate > 0
      ), '[]') as "taxedBefore",
      json_build_object('name', coalesce(c.customer_name, ''), 'email', coalesce(c.customer_email, ''),
        'company', c.customer_company,
        'street', c.billing_street, 'postalCode', c.billing_postal_code, 'city', c.billing_city,
        'country', c.billing_country, 'vatId', c.billing_vat_id) as recipient
    from unnest(${checkoutIds}::bigint[]) with ordinality as given (id, n)
    join lateral (select * from checkouts where account_id = ${accountId} and id = given.id limit 1) c on true
    order by given.n`
  return runPrepared(db, 'sales-for-receipts', statement)
}

export interface ReceiptSummary {
  number: number
  kind: 'sale' | 'refund'
  issuedAt: Date
}

export const findReceiptsOfCheckout = async (
  { accountId, db }: Rows,
  checkoutId: number,
): Promise<ReceiptSummary[]> => {
  const { rows } = await sql<ReceiptSummary>`
    select number, kind, issued_at as "issuedAt" from receipts
    where account_id = ${accountId} and checkout_id = ${checkoutId} order by number`.execute(db)
  return rows
}

export interface Receipt extends ReceiptSummary {
  lines: ReceiptLine[]
  taxLines: TaxLine[]
  totalCents: number
  voucherCents: number
  currency: string
  recipient: ReceiptRecipient
  language: string
  organizer: string
  timeZone: string
  orderCode: string
  eventTitle: string | null
  /** Of the sale that is given back. */
  saleNumber: number | null
}

/** A receipt by its number, of one purchase. */
export const findReceiptByNumber = async (
  { accountId, db }: Rows,
  key: { number: number } & ({ checkoutId: number } | { tokenDigest: Buffer }),
): Promise<Receipt | undefined> => {
  const condition = 'checkoutId' in key ? sql`c.id = ${key.checkoutId}` : sql`c.token_digest = ${key.tokenDigest}`
  const statement = sql<Receipt>`
    select r.number, r.kind, r.issued_at as "issuedAt", r.lines, r.tax_lines as "taxLines",
      r.total_cents as "totalCents", r.voucher_cents as "voucherCents", r.currency, r.recipient, r.language,
      a.name as organizer, a.time_zone as "timeZone", coalesce(o.order_code, c.purchase_code, '') as "orderCode",
      e.title as "eventTitle", s.number as "saleNumber"
    from checkouts c
    join accounts a on a.id = c.account_id
    join receipts r on r.account_id = c.account_id and r.checkout_id = c.id
    left join receipts s on r.kind = 'refund' and s.account_id = c.account_id and s.checkout_id = c.id and s.kind = 'sale'
    left join orders o on o.account_id = c.account_id and o.checkout_id = c.id
    left join events e on e.account_id = o.account_id and e.id = o.event_id
    where c.account_id = ${accountId} and ${condition} and r.number = ${key.number}`
  const name = `receipt-of-${'checkoutId' in key ? 'checkout' : 'token'}`
  return (await runPrepared(db, name, statement))[0]
}

/** The sale that an order comes from: the secret of its page, and its receipt. */
export interface SaleOfOrder {
  tokenSealed: Buffer
  language: string
  receipt: Receipt | null
}

/** Null for orders that were sold elsewhere. */
export const findSalesOfOrders = async (
  { accountId, db }: Rows,
  orderIds: readonly number[],
): Promise<(SaleOfOrder | null)[]> => {
  const statement = sql<{
    orderId: number
    tokenSealed: Buffer
    language: string
    receipt: (Omit<Receipt, 'issuedAt'> & { issuedAt: string }) | null
  }>`
    select o.id as "orderId", c.token_sealed as "tokenSealed", c.language, (
      select json_build_object('number', r.number, 'kind', r.kind, 'issuedAt', r.issued_at, 'lines', r.lines,
        'taxLines', r.tax_lines, 'totalCents', r.total_cents, 'voucherCents', r.voucher_cents, 'currency', r.currency,
        'recipient', r.recipient, 'language', r.language, 'organizer', a.name, 'timeZone', a.time_zone,
        'orderCode', o.order_code, 'eventTitle', e.title, 'saleNumber', null)
      from receipts r, accounts a, events e
      where r.account_id = c.account_id and r.checkout_id = c.id and r.kind = 'sale' and a.id = c.account_id
        and e.account_id = o.account_id and e.id = o.event_id
    ) as receipt
    from unnest(${orderIds}::bigint[]) as given (id)
    join lateral (select * from orders where account_id = ${accountId} and id = given.id limit 1) o on true
    join lateral (select * from checkouts where account_id = o.account_id and id = o.checkout_id limit 1) c on true`
  const found = new Map((await runPrepared(db, 'sales-of-orders', statement)).map((row) => [row.orderId, row]))
  return orderIds.map((id) => {
    const { tokenSealed, language, receipt } = found.get(id) ?? {}
    if (!tokenSealed || language === undefined) return null
    return { tokenSealed, language, receipt: receipt ? { ...receipt, issuedAt: new Date(receipt.issuedAt) } : null }
  })
}

/** What is left of a sale after its refunds, by the tax rates of what was sold. */
export const findRemainingGrossByTaxRate = async (
  { accountId, db }: Rows,
  checkoutId: number,
): Promise<{ rate: number; cents: number }[]> => {
  const { rows } = await sql<{ rate: number; cents: number }>`
    -- taken as not null: rate, cents (every line has both)
    select (line ->> 'tax_rate')::int as rate, sum((line ->> 'total_cents')::bigint)::bigint as cents
    from receipts r, jsonb_array_elements(r.lines) as line
    where r.account_id = ${accountId} and r.checkout_id = ${checkoutId}
    group by 1 order by 1 desc`.execute(db)
  return rows
}

/** What refunds of a sale have given back by now, as their receipts say it. */
export const findGivenBackByTaxRate = async (
  { accountId, db }: Rows,
  checkoutId: number,
): Promise<GivenBackAtRate[]> => {
  const { rows } = await sql<GivenBackAtRate>`
    -- taken as not null: rate, grossCents, taxCents (every tax line has all of them)
    select (line ->> 'rate')::int as rate, sum((line ->> 'gross_cents')::bigint)::bigint as "grossCents",
      sum((line ->> 'tax_cents')::bigint)::bigint as "taxCents"
    from receipts r, jsonb_array_elements(r.tax_lines) as line
    where r.account_id = ${accountId} and r.checkout_id = ${checkoutId} and r.kind = 'refund'
    group by 1`.execute(db)
  return rows
}
