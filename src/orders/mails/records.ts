import { sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'
import type { Database } from '../../database/database.ts'
import { runPrepared } from '../../database/prepared.ts'
import { isCalledOff } from '../../events/records.ts'
import { enqueueMany } from '../../jobs/enqueue.ts'
import type { PaymentMethodName } from '../../payments/rules.ts'
import { CHECKOUT_MAIL_JOB } from './queue-mail.ts'

export interface CheckoutForMail {
  checkoutId: number
  tokenSealed: Buffer
  language: string
  customerName: string | null
  customerEmail: string | null
  /** What was bought: the event, or the first of the vouchers. */
  title: string
  orderCode: string | null
  orderStatus: string | null
  dueCents: number
  paymentDueAt: Date | null
  instructions: string | null
  method: PaymentMethodName | null
  saleNumber: number | null
  saleCents: number | null
}

/** All that mails about a purchase say. */
export const findCheckoutForMail = async (
  { accountId, db }: Rows,
  { checkoutId }: { checkoutId: number },
): Promise<CheckoutForMail | undefined> => {
  const statement = sql<CheckoutForMail>`
    select c.id as "checkoutId", c.token_sealed as "tokenSealed", c.language, c.customer_name as "customerName",
      c.customer_email as "customerEmail",
      coalesce((
        select e.title from events e where e.account_id = c.account_id and e.id = c.event_id
      ), (
        select i.title from checkout_voucher_items i
        where i.account_id = c.account_id and i.checkout_id = c.id order by i.position limit 1
      ), '') as title,
      coalesce(o.order_code, c.purchase_code) as "orderCode", o.status as "orderStatus",
      coalesce(o.total_cents - o.voucher_cents - (
        select coalesce(sum(p.amount_cents), 0) from payments p
        where p.account_id = c.account_id and p.payable_id = c.id and p.status = 'paid' and not p.is_surplus
      ), 0)::bigint as "dueCents",
      o.payment_due_at as "paymentDueAt", p.instructions, p.method, s.number as "saleNumber",
      s.total_cents as "saleCents"
    from (select * from checkouts where account_id = ${accountId} and id = ${checkoutId} limit 1) c
    left join lateral (
      select o.* from orders o where o.account_id = c.account_id and o.checkout_id = c.id limit 1
    ) o on true
    left join lateral (
      select s.number, s.total_cents from receipts s
      where s.account_id = c.account_id and s.checkout_id = c.id and s.kind = 'sale' limit 1
    ) s on true
    left join lateral (
      select p.instructions, (
        select m.name from payment_methods m where m.account_id = p.account_id and m.id = p.payment_method_id
      ) as method
      from payments p
      where p.account_id = c.account_id and p.payable_id = c.id and not p.is_by_hand order by p.id desc limit 1
    ) p on true`
  return (await runPrepared(db, 'mail-of-checkout', statement))[0]
}

/**
 * Halfway, and at the latest a day before the time is over; each order once, and none whose event does not take place.
 * Tells how many.
 */
export const queuePaymentReminders = (database: Database, limit: number): Promise<number> =>
  database.kysely.transaction().execute(async (db) => {
    const { rows } = await sql<{ accountId: number; checkoutId: number }>`
      -- taken as not null: checkoutId (only orders of checkouts are looked at)
      update orders o set reminded_at = foyer_now()
      from (
        select account_id, id from orders
        where not exists (
            select from events e
            where e.account_id = orders.account_id and e.id = orders.event_id
              and ${isCalledOff}
          )
          and status = 'unpaid' and payment_due_at > foyer_now() and reminded_at is null and checkout_id is not null
          and least(created_at + (payment_due_at - created_at) / 2, payment_due_at - interval '1 day') <= foyer_now()
        order by payment_due_at limit ${limit} for update skip locked
      ) due
      where o.account_id = due.account_id and o.id = due.id
      returning o.account_id as "accountId", o.checkout_id as "checkoutId"`.execute(db)
    await enqueueMany(
      db,
      CHECKOUT_MAIL_JOB,
      rows.map((row) => ({ ...row, kind: 'payment_reminder' as const })),
    )
    return rows.length
  })
