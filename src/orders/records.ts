import { sql } from 'kysely'
import type { Rows, Tx } from '../access/scopes.ts'
import type { Answers, NumberedPlace, OrderStatus, PlaceSnapshot } from '../admissions/rules.ts'
import { genericPlanColumns, runPrepared } from '../database/prepared.ts'
import { orderingKey } from '../events/records.ts'
import { releaseCtes } from '../inventory/releases/records.ts'
import { requireFound } from '../kernel/refusals.ts'
import { rateWhenSold } from './receipts/records.ts'
import { requireShopOrderStatus } from './view/rules.ts'
import type { PlacedOrder } from './placed-order.ts'

export const findNumberedPlaces = async ({ accountId, db }: Rows, ids: readonly number[]): Promise<NumberedPlace[]> => {
  if (ids.length === 0) return []
  const { rows } = await sql<NumberedPlace>`
    select id, key, label, section, row, seat, accessibility, pair_place_id as "pairPlaceId" from places
    where account_id = ${accountId} and id = any (${ids}::bigint[])`.execute(db)
  return rows
}

export interface AdmissionToInsert {
  publicId: string
  checkInCode: string
  ticketId: number
  ticketTitle: string
  isLead: boolean
  attendeeName: string | null
  answers: Answers
  placeId: number | null
  standingAreaId: number | null
  placeLabel: string | null
  placeSnapshot: PlaceSnapshot | null
  stockQuantity: number
  groupNumber: number | null
  priceCents: number
  taxRate: number
}

export interface OrderToInsert extends Omit<PlacedOrder, 'items' | 'attendees'> {
  publicId: string
  orderCode: string
  admissions: readonly AdmissionToInsert[]
}

/** Writes orders with their admissions, and tells the ID of each. */
export const insertShopOrders = async (tx: Tx, orders: readonly OrderToInsert[]): Promise<number[]> => {
  const given = orders.map(({ billing, ...order }) => ({ ...order, ...billing }))
  const statement = sql<{ id: number }>`
    with given as materialized (
      select * from rows from (json_to_recordset(${JSON.stringify(given)}::json) as (
        "eventId" bigint, "publicId" text, "orderCode" text, status text, "checkoutId" bigint, language text,
        "customerName" text, "customerEmail" text, "customerPhone" text, "customerCompany" text, street text,
        "postalCode" text, city text, country text, "vatId" text, answers jsonb, "totalCents" bigint,
        "voucherCents" bigint, "paymentDueAt" timestamptz, admissions json
      )) with ordinality as given ("eventId", "publicId", "orderCode", status, "checkoutId", language, "customerName",
        "customerEmail", "customerPhone", "customerCompany", street, "postalCode", city, country, "vatId", answers,
        "totalCents", "voucherCents", "paymentDueAt", admissions, n)
    ),
    made as (
      insert into orders (account_id, event_id, public_id, order_code, origin, status, checkout_id, language,
        customer_name, delivery_email, customer_phone, customer_company, billing_street, billing_postal_code,
        billing_city, billing_country, billing_vat_id, answers, total_cents, voucher_cents, paid_at, payment_due_at)
      select ${tx.accountId}::bigint, "eventId", "publicId", "orderCode", 'shop', status, "checkoutId", language,
        "customerName", "customerEmail", "customerPhone", "customerCompany", street, "postalCode", city, country, "vatId",
        answers, "totalCents", "voucherCents", case when status = 'paid' then foyer_now() end, "paymentDueAt"
      from given order by n
      returning account_id, event_id, id, public_id
    ),
    made_admissions as (
      insert into admissions (account_id, event_id, order_id, public_id, check_in_code, ticket_id, ticket_title,
        position, is_lead, attendee_name, answers, place_id, standing_area_id, place_label, place_snapshot,
        stock_quantity, group_number, price_cents, tax_rate)
      select made.account_id, made.event_id, made.id, each."publicId", each."checkInCode", each."ticketId",
        each."ticketTitle", each.position - 1, each."isLead", each."attendeeName", each.answers, each."placeId",
        each."standingAreaId", each."placeLabel", each."placeSnapshot", each."stockQuantity", each."groupNumber",
        each."priceCents", each."taxRate"
      from made join given on given."publicId" = made.public_id, rows from (json_to_recordset(given.admissions) as (
        "publicId" text, "checkInCode" text, "ticketId" bigint, "ticketTitle" text, "isLead" boolean, "attendeeName" text,
        answers jsonb, "placeId" bigint, "standingAreaId" bigint, "placeLabel" text, "placeSnapshot" jsonb,
        "stockQuantity" int, "groupNumber" int, "priceCents" bigint, "taxRate" int
      )) with ordinality as each ("publicId", "checkInCode", "ticketId", "ticketTitle", "isLead", "attendeeName", answers,
        "placeId", "standingAreaId", "placeLabel", "placeSnapshot", "stockQuantity", "groupNumber", "priceCents", "taxRate",
        position)
      order by given.n, each.position
    )
    select made.id from made join given on given."publicId" = made.public_id order by given.n`
  const made = await runPrepared(tx.db, 'insert-shop-orders', statement)
  return made.map(({ id }) => id)
}

/**
 * Everybody who changes a checkout, or what was paid for it, locks it first. What follows finds rows by their keys, and is
 * planned so.
 */
export const lockCheckout = (tx: Tx, id: number): Promise<void> => lockCheckouts(tx, [id])

/** The same for several, in the order in which everybody locks them. */
export const lockCheckouts = async (tx: Tx, ids: readonly number[]): Promise<void> => {
  const statement = sql`
    select ${genericPlanColumns()} from checkouts
    where account_id = ${tx.accountId} and id = any (${ids}::bigint[]) order by id for update`
  await runPrepared(tx.db, 'lock-checkouts', statement)
}

/**
 * The same for whoever may make orders of them: what is read of their events from then on stays so until the orders are
 * written, since nobody calls off an event meanwhile.
 */
export const lockCheckoutsToOrder = async (tx: Tx, ids: readonly number[]): Promise<void> => {
  const statement = sql`
    with locked as materialized (
      select event_id from checkouts
      where account_id = ${tx.accountId} and id = any (${ids}::bigint[]) order by id for update
    )
    select ${genericPlanColumns()}, pg_advisory_xact_lock_shared(key)
    from (select distinct ${orderingKey(tx.accountId, sql`event_id`)} as key from locked order by key) events`
  await runPrepared(tx.db, 'lock-checkouts-to-order', statement)
}

export interface LockedOrder {
  id: number
  publicId: string
  eventId: number
  checkoutId: number | null
  status: 'paid' | 'unpaid' | 'refunded' | 'cancelled' | 'disputed'
  totalCents: number
  voucherCents: number
  refundedCents: number
  refundedVoucherCents: number
}

/** Whoever changes a shop order locks its checkout first, then the order. */
export const lockOrder = async (tx: Tx, id: number): Promise<LockedOrder | undefined> => {
  const { rows } = await sql<Omit<LockedOrder, 'status'> & { status: OrderStatus }>`
    select id, public_id as "publicId", event_id as "eventId", checkout_id as "checkoutId", status,
      total_cents as "totalCents", voucher_cents as "voucherCents", refunded_cents as "refundedCents",
      refunded_voucher_cents as "refundedVoucherCents"
    from orders where account_id = ${tx.accountId} and id = ${id} and origin = 'shop' for update`.execute(tx.db)
  const [order] = rows
  return order && { ...order, status: requireShopOrderStatus(order.status) }
}

export const recordOrderPaid = async (tx: Tx, id: number): Promise<void> => {
  await sql`
    with paid as (
      update orders set status = 'paid', paid_at = foyer_now(), payment_due_at = null
      where account_id = ${tx.accountId} and id = ${id} and status = 'unpaid'
      returning checkout_id
    )
    update checkouts c set status = 'paid', paid_at = foyer_now() from paid
    where c.account_id = ${tx.accountId} and c.id = paid.checkout_id`.execute(tx.db)
}

export const recordOrderCancelled = async (tx: Tx, id: number): Promise<void> => {
  await sql`
    with cancelled as (
      update orders set status = 'cancelled', cancelled_at = foyer_now(), payment_due_at = null
      where account_id = ${tx.accountId} and id = ${id} and status = 'unpaid'
      returning checkout_id
    )
    update checkouts c set status = 'cancelled' from cancelled
    where c.account_id = ${tx.accountId} and c.id = cancelled.checkout_id`.execute(tx.db)
}

/** Until when the order of a checkout may be paid. */
export const recordPaymentDue = async (tx: Tx, checkoutId: number, dueAt: Date | null): Promise<void> => {
  await sql`
    update orders set payment_due_at = ${dueAt}::timestamptz
    where account_id = ${tx.accountId} and checkout_id = ${checkoutId} and status = 'unpaid'`.execute(tx.db)
}

/** What an order has spent of vouchers and not got back, in the order in which everybody locks several. */
export const findSpentVouchers = async (
  tx: Tx,
  orderId: number,
): Promise<{ voucherId: number; amountCents: number; rateWhenSold: number }[]> => {
  const { rows } = await sql<{ voucherId: number; amountCents: number; rateWhenSold: number }>`
    select voucher_id as "voucherId", -sum(amount_cents)::bigint as "amountCents",
      ${rateWhenSold(sql`voucher_entries.voucher_id`, tx.accountId)} as "rateWhenSold"
    from voucher_entries
    where account_id = ${tx.accountId} and order_id = ${orderId} and kind in ('redemption', 'refund')
    group by voucher_id having sum(amount_cents) < 0 order by voucher_id`.execute(tx.db)
  return rows
}

export interface OrderForWebhook {
  publicId: string
  status: string
  eventId: number
  eventSlug: string
  totalCents: number
  refundedCents: number
  admissionsCount: number
}

export const findOrdersForWebhooks = async (rows: Rows, orderIds: readonly number[]): Promise<OrderForWebhook[]> => {
  const { rows: orders } = await sql<OrderForWebhook>`
    select o.public_id as "publicId", o.status, e.id as "eventId", e.slug as "eventSlug",
      o.total_cents as "totalCents", o.refunded_cents as "refundedCents",
      (
        select count(*)::int from admissions m
        where m.account_id = o.account_id and m.event_id = o.event_id and m.order_id = o.id and m.status = 'active'
      ) as "admissionsCount"
    from orders o join events e on e.account_id = o.account_id and e.id = o.event_id
    where o.account_id = ${rows.accountId} and o.id = any (${orderIds}::bigint[]) order by o.id`.execute(rows.db)
  return orders
}

/** An order, or a purchase of vouchers, by the ID that organizers know. */
export const findSaleIds = async (
  { accountId, db }: Rows,
  publicId: string,
): Promise<{ orderId: number | null; checkoutId: number | null; language: string } | undefined> => {
  const { rows } = await sql<{ orderId: number | null; checkoutId: number | null; language: string }>`
    select o.id as "orderId", o.checkout_id as "checkoutId", coalesce(o.language, a.language) as language
    from orders o join accounts a on a.id = o.account_id
    where o.account_id = ${accountId} and o.public_id = ${publicId} and o.origin = 'shop'
    union all
    select null, c.id, c.language from checkouts c
    where c.account_id = ${accountId} and c.public_id = ${publicId} and c.purchase_code is not null`.execute(db)
  return rows[0]
}

interface NewSale {
  publicId: string
  token: { digest: Buffer; sealed: Buffer }
}

/**
 * Gives an order that nobody has paid and that has no checkout one like those of the shop, with its items; groups of a
 * ticket are items of several admissions. None where vouchers that are not known here have paid of it, or where its total
 * is not what its tickets cost.
 */
export const insertSaleOfUnpaidOrder = async (
  tx: Tx,
  orderId: number,
  { publicId, token }: NewSale,
): Promise<number | undefined> => {
  const { rows } = await sql<{ id: number }>`
    with unpaid as materialized (
      select o.* from orders o
      where o.account_id = ${tx.accountId} and o.id = ${orderId} and o.origin = 'shop' and o.status = 'unpaid'
        and o.checkout_id is null and o.voucher_cents = 0 and o.total_cents = (
          select sum(m.price_cents) from admissions m
          where m.account_id = o.account_id and m.event_id = o.event_id and m.order_id = o.id
        )
      for update
    ),
    made as (
      insert into checkouts (account_id, public_id, token_digest, token_sealed, event_id, status, expires_at, language,
        customer_name, customer_email, customer_phone, customer_company, billing_street, billing_postal_code,
        billing_city, billing_country, billing_vat_id, answers)
      select o.account_id, ${publicId}, ${token.digest}, ${token.sealed}, o.event_id, 'pending', foyer_now(),
        coalesce(o.language, a.language), o.customer_name, o.delivery_email, o.customer_phone, o.customer_company,
        o.billing_street, o.billing_postal_code, o.billing_city, o.billing_country, o.billing_vat_id, o.answers
      from unpaid o join accounts a on a.id = o.account_id
      returning id
    ),
    sold as (
      select m.*, sum(m.price_cents) over unit as unit_price_cents, count(*) over unit as admissions_each,
        row_number() over (unit order by m.position) as nth
      from unpaid o
      join admissions m on m.account_id = o.account_id and m.event_id = o.event_id and m.order_id = o.id
      window unit as (partition by m.ticket_id, coalesce(m.group_number::bigint, -m.id))
    ),
    made_items as (
      insert into checkout_items (account_id, checkout_id, position, event_id, ticket_id, title, quantity,
        admissions_each, unit_price_cents, tax_rate, standing_area_id, place_ids)
      select ${tx.accountId}, made.id, row_number() over (order by min(sold.position)), sold.event_id, sold.ticket_id,
        sold.ticket_title, count(*) filter (where sold.nth = 1), sold.admissions_each, sold.unit_price_cents,
        sold.tax_rate, sold.standing_area_id,
        coalesce(array_agg(sold.place_id order by sold.position) filter (where sold.place_id is not null), '{}')
      from made, sold
      group by made.id, sold.event_id, sold.ticket_id, sold.ticket_title, sold.admissions_each, sold.unit_price_cents,
        sold.tax_rate, sold.standing_area_id
    )
    update orders o set checkout_id = made.id from made
    where o.account_id = ${tx.accountId} and o.id = ${orderId}
    returning made.id`.execute(tx.db)
  return rows[0]?.id
}

export interface NewOrderRefund {
  publicId: string
  checkoutId: number
  orderId: number | null
  amountCents: number
  voucherCents: number
  reason: string | null
  actor: string | null
}

export const insertOrderRefund = async (tx: Tx, refund: NewOrderRefund): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into order_refunds (account_id, public_id, checkout_id, order_id, amount_cents, voucher_cents, payment_cents,
      reason, actor)
    values (${tx.accountId}, ${refund.publicId}, ${refund.checkoutId}, ${refund.orderId}, ${refund.amountCents},
      ${refund.voucherCents}, ${refund.amountCents - refund.voucherCents}, ${refund.reason}, ${refund.actor})
    returning id`.execute(tx.db)
  return requireFound(rows[0]).id
}

/** Money that is given back counts from now on; an order of which nobody can come in any more is over. */
export const addRefundToOrder = async (
  tx: Tx,
  id: number,
  { amountCents, voucherCents, isOver }: { amountCents: number; voucherCents: number; isOver: boolean },
): Promise<void> => {
  await sql`
    update orders set refunded_cents = refunded_cents + ${amountCents},
      refunded_voucher_cents = refunded_voucher_cents + ${voucherCents},
      status = case when ${isOver}::boolean then 'refunded' else status end
    where account_id = ${tx.accountId} and id = ${id}`.execute(tx.db)
}

/** Ends admissions whose price is given back, and gives back what they held. How many tells whether it was in time. */
export const endRefundedAdmissions = async (
  tx: Tx,
  { eventId }: { eventId: number },
  ids: readonly number[],
  refundId: number,
): Promise<number> => {
  const result = await sql<{ count: number }>`
    with gone as (
      update admissions a set status = 'refunded', refund_id = ${refundId}
      where a.account_id = ${tx.accountId} and a.event_id = ${eventId} and a.id = any (${ids}::bigint[])
        and a.status = 'active' and a.redeemed_at is null
      returning a.ticket_id, a.standing_area_id, a.place_id, 1 as quantity, a.stock_quantity
    ),
    gone_places as (
      select place_id from gone where place_id is not null
    ),
    ${releaseCtes(tx, eventId)}
    select count(*)::int as count from gone`.execute(tx.db)
  return requireFound(result.rows[0]).count
}

export interface RefundableVoucher {
  purchasePublicId: string
  title: string
  taxRate: number
}

/** The vouchers of a purchase of which something can be taken back, in the order in which everybody locks several. */
export const findRefundableVouchers = async (
  { accountId, db }: Rows,
  checkoutId: number,
): Promise<RefundableVoucher[]> => {
  const { rows } = await sql<RefundableVoucher>`
    select p.public_id as "purchasePublicId", coalesce(i.title, v.product_name, '') as title,
      coalesce(i.tax_rate, 0) as "taxRate"
    from voucher_purchases p
    join vouchers v on v.account_id = p.account_id and v.id = p.voucher_id
    left join lateral (
      select i.title, i.tax_rate from checkout_voucher_items i
      where i.account_id = p.account_id and i.checkout_id = p.checkout_id and i.product_id = v.product_id
      order by i.position limit 1
    ) i on true
    where p.account_id = ${accountId} and p.checkout_id = ${checkoutId} and p.status in ('paid', 'partially_refunded')
      and v.balance_cents > v.reserved_cents
    order by v.id`.execute(db)
  return rows
}
