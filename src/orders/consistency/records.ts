import { sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'

/** Recomputes what orders say of their money, and tells where payments, vouchers or receipts say something else. */
export const findOrderFaults = async ({ accountId, db }: Rows): Promise<{ fault: string; count: number }[]> => {
  const { rows } = await sql<{ fault: string; count: number }>`
    with sold as (
      select o.*, coalesce((
          select sum(p.amount_cents - p.refunded_cents) from payments p
          where p.account_id = o.account_id and p.payable_id = o.checkout_id and p.status = 'paid' and not p.is_surplus
        ), 0) as kept_cents,
        coalesce((
          select -sum(e.amount_cents) from voucher_entries e
          where e.account_id = o.account_id and e.order_id = o.id and e.kind in ('redemption', 'refund')
        ), 0) as spent_cents
      from orders o where o.account_id = ${accountId} and o.checkout_id is not null
    )
    select fault, count::int as count from (
      select 'payments less refunds are not what an order says' as fault, count(*) as count from sold
        where (status in ('paid', 'refunded')
            and kept_cents <> total_cents - voucher_cents - (refunded_cents - refunded_voucher_cents))
          or (status = 'cancelled' and kept_cents <> 0)
      union all
      select 'vouchers have not paid what an order says', count(*) from sold
        where spent_cents <> case when status = 'cancelled' then 0 else voucher_cents - refunded_voucher_cents end
      union all
      select 'a checkout that has ended still holds something', count(*) from checkout_items i
        join checkouts c on c.account_id = i.account_id and c.id = i.checkout_id
        join holds h on h.account_id = i.account_id and h.event_id = i.event_id and h.id = i.hold_id
        where i.account_id = ${accountId} and c.status in ('paid', 'expired', 'cancelled')
      union all
      select 'a payment has bought nothing and was not given back', count(*) from payments p
        left join orders o on o.account_id = p.account_id and o.checkout_id = p.payable_id
        where p.account_id = ${accountId} and p.status = 'paid' and p.refunded_cents < p.amount_cents
          and (p.is_surplus or coalesce(o.status, 'cancelled') = 'cancelled') and not exists (
            select from voucher_purchases v where v.account_id = p.account_id and v.checkout_id = p.payable_id
          )
      union all
      select 'payments less refunds are not what vouchers were sold for', count(*) from checkouts c
        where c.account_id = ${accountId} and c.purchase_code is not null and (
          select coalesce(sum(p.amount_cents - p.refunded_cents), 0) from payments p
          where p.account_id = c.account_id and p.payable_id = c.id and p.status = 'paid' and not p.is_surplus
        ) <> (
          select coalesce(sum(v.paid_cents - v.refunded_cents), 0) from voucher_purchases v
          where v.account_id = c.account_id and v.checkout_id = c.id
        )
      union all
      select 'an order has other tickets than were bought', count(*) from sold
        where (
          select count(*) from admissions m where m.account_id = sold.account_id and m.order_id = sold.id
        ) <> (
          select coalesce(sum(i.quantity * i.admissions_each), 0) from checkout_items i
          where i.account_id = sold.account_id and i.checkout_id = sold.checkout_id
        )
      union all
      select 'an order that is over still has tickets', count(*) from sold
        where status in ('refunded', 'cancelled') and exists (
          select from admissions m where m.account_id = sold.account_id and m.order_id = sold.id and m.status = 'active'
        )
      union all
      select 'a paid order has no receipt', count(*) from sold
        where status in ('paid', 'refunded') and not exists (
          select from receipts r
          where r.account_id = sold.account_id and r.checkout_id = sold.checkout_id and r.kind = 'sale'
        )
      union all
      select 'receipts have a gap', count(*) from receipt_counters n
        where n.account_id = ${accountId} and exists (
          select from receipts r where r.account_id = n.account_id
          having count(*) <> n.last_number or coalesce(max(r.number), 0) <> n.last_number
        )
    ) as faults
    where count > 0`.execute(db)
  return rows
}
