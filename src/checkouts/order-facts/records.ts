import { sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'
import { paidCents } from '../../orders/view/records.ts'

export interface BuyersOrderDetails {
  receipts: { number: number; kind: 'sale' | 'refund' }[]
  refundedCents: number
  /** In money, by a provider or by hand. */
  paidCents: number
  dueAt: Date | null
  admissions: { publicId: string; status: string }[]
}

/** What the buyer's own page says beyond the checkout. */
export const findBuyersOrderDetails = async (
  { accountId, db }: Rows,
  checkoutId: number,
): Promise<BuyersOrderDetails> => {
  const { rows } = await sql<BuyersOrderDetails>`
    select
      coalesce((
        select json_agg(json_build_object('number', r.number, 'kind', r.kind) order by r.number)
        from receipts r where r.account_id = ${accountId} and r.checkout_id = ${checkoutId}
      ), '[]') as receipts,
      coalesce(o.refunded_cents, (
        select sum(p.refunded_cents) from voucher_purchases p
        where p.account_id = ${accountId} and p.checkout_id = ${checkoutId}
      ), 0)::bigint as "refundedCents",
      ${paidCents(sql`${checkoutId}::bigint`, sql`${accountId}::bigint`)} as "paidCents",
      o.payment_due_at as "dueAt",
      coalesce((
        select json_agg(json_build_object('publicId', m.public_id, 'status', m.status))
        from admissions m where m.account_id = o.account_id and m.event_id = o.event_id and m.order_id = o.id
      ), '[]') as admissions
    from (select) one left join orders o on o.account_id = ${accountId} and o.checkout_id = ${checkoutId}`.execute(db)
  return rows[0]!
}
