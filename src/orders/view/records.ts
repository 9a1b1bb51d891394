import { type RawBuilder, sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'
import type { OrderStatus } from '../../admissions/rules.ts'
import { normalizeCode } from '../../kernel/rules.ts'
import {
  type ListedOrder,
  type OrderAdmission,
  type OrderItem,
  type OrderRefund,
  type ShownOrder,
  type SpentVoucher,
  requireShopOrderStatus,
} from './rules.ts'

interface OrderRow extends Omit<ShownOrder, 'billing'> {
  street: string | null
  postalCode: string | null
  city: string | null
  country: string | null
  vatId: string | null
}

/** What was paid of a sale in money, by a provider or by hand. */
export const paidCents = (checkoutId: RawBuilder<unknown>, accountId: RawBuilder<unknown>) => sql`coalesce((
    select sum(p.amount_cents) from payments p
    where p.account_id = ${accountId} and p.payable_id = ${checkoutId} and p.status = 'paid' and not p.is_surplus
  ), 0)::bigint`

/** Of an order that was sold elsewhere only that it is paid is known. */
const paidCentsOfOrder = sql`case when o.checkout_id is not null then ${paidCents(sql`o.checkout_id`, sql`o.account_id`)}
    when o.paid_at is not null then o.total_cents - o.voucher_cents else 0 end`

/** An order of the shop, or what sold vouchers, which is known by its checkout. Co-organizers see those of their events. */
export const findOrderToView = async (
  { accountId, db }: Rows,
  publicId: string,
  membershipId: number | null,
): Promise<ShownOrder | undefined> => {
  const { rows } = await sql<OrderRow>`
    select o.id as "orderId", o.checkout_id as "checkoutId", o.event_id as "eventId", e.slug as "eventSlug",
      e.title as "eventTitle", o.public_id as "publicId", o.order_code as "orderCode", o.status,
      o.customer_name as "customerName", o.delivery_email as "customerEmail", o.customer_phone as "customerPhone",
      o.customer_company as "customerCompany", o.billing_street as street, o.billing_postal_code as "postalCode",
      o.billing_city as city, o.billing_country as country, o.billing_vat_id as "vatId", o.answers, o.language,
      o.total_cents as "totalCents", o.voucher_cents as "voucherCents",
      ${paidCentsOfOrder} as "paidCents", o.refunded_cents as "refundedCents",
      o.payment_due_at as "paymentDueAt", o.paid_at as "paidAt", o.cancelled_at as "cancelledAt",
      o.created_at as "createdAt"
    from orders o join events e on e.account_id = o.account_id and e.id = o.event_id
    where o.account_id = ${accountId} and o.public_id = ${publicId} and o.origin = 'shop'
      and (${membershipId}::bigint is null or exists (
        select from assignments s
        where s.account_id = o.account_id and s.membership_id = ${membershipId}::bigint and s.event_id = o.event_id
      ))
    union all
    select null, c.id, null, null, null, c.public_id, c.purchase_code,
      case when refunds.cents >= items.cents then 'refunded' else 'paid' end,
      coalesce(c.customer_name, ''), c.customer_email, c.customer_phone, c.customer_company, c.billing_street,
      c.billing_postal_code, c.billing_city, c.billing_country, c.billing_vat_id, c.answers, c.language,
      items.cents, 0, ${paidCents(sql`c.id`, sql`c.account_id`)}, refunds.cents, null, c.paid_at, null, c.created_at
    from checkouts c,
      lateral (
        select coalesce(sum(i.quantity * i.unit_price_cents), 0)::bigint as cents from checkout_voucher_items i
        where i.account_id = c.account_id and i.checkout_id = c.id
      ) items,
      lateral (
        select coalesce(sum(r.amount_cents), 0)::bigint as cents from order_refunds r
        where r.account_id = c.account_id and r.checkout_id = c.id
      ) refunds
    where c.account_id = ${accountId} and c.public_id = ${publicId} and c.purchase_code is not null
      and ${membershipId}::bigint is null`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { street, postalCode, city, country, vatId, ...order } = row
  return { ...order, billing: { street, postalCode, city, country, vatId } }
}

/** What was bought, as it was bought; of orders that were sold elsewhere as their admissions tell. */
export const findOrderItems = async (
  { accountId, db }: Rows,
  { checkoutId, orderId, eventId }: Pick<ShownOrder, 'checkoutId' | 'orderId' | 'eventId'>,
): Promise<OrderItem[]> => {
  const { rows } =
    checkoutId !== null
      ? await sql<OrderItem>`
          select ticket_id as "ticketId", null::text as "productPublicId", title, quantity,
            unit_price_cents as "unitPriceCents", tax_rate as "taxRate", position
          from checkout_items where account_id = ${accountId} and checkout_id = ${checkoutId}
          union all
          select null, p.public_id, i.title, i.quantity, i.unit_price_cents, i.tax_rate, i.position
          from checkout_voucher_items i
          join voucher_products p on p.account_id = i.account_id and p.id = i.product_id
          where i.account_id = ${accountId} and i.checkout_id = ${checkoutId}
          order by position`.execute(db)
      : await sql<OrderItem>`
          select ticket_id as "ticketId", null::text as "productPublicId", ticket_title as title,
            count(*)::int as quantity, price_cents as "unitPriceCents", tax_rate as "taxRate",
            min(position)::int as position
          from admissions where account_id = ${accountId} and event_id = ${eventId} and order_id = ${orderId}
          group by ticket_id, ticket_title, price_cents, tax_rate order by position`.execute(db)
  return rows
}

export const findOrderAdmissions = async (
  { accountId, db }: Rows,
  { orderId, eventId }: Pick<ShownOrder, 'orderId' | 'eventId'>,
): Promise<OrderAdmission[]> => {
  if (orderId === null) return []
  const { rows } = await sql<OrderAdmission>`
    -- taken as not null: ticketId (what was sold is of a ticket, and a ticket that was issued once stays)
    select id, public_id as "publicId", check_in_code as "checkInCode", ticket_id as "ticketId",
      ticket_title as "ticketTitle", is_lead as "isLead", attendee_name as "attendeeName", answers,
      place_label as "placeLabel", status, redeemed_at as "redeemedAt", price_cents as "priceCents",
      tax_rate as "taxRate", group_number as "groupNumber"
    from admissions where account_id = ${accountId} and event_id = ${eventId} and order_id = ${orderId}
    order by position`.execute(db)
  return rows
}

export const findOrderRefunds = async ({ accountId, db }: Rows, checkoutId: number | null): Promise<OrderRefund[]> => {
  if (checkoutId === null) return []
  const { rows } = await sql<OrderRefund>`
    select r.public_id as "publicId", r.amount_cents as "amountCents", r.voucher_cents as "voucherCents",
      r.payment_cents as "paymentCents", r.reason, r.actor, r.created_at as "createdAt", c.number as "receiptNumber",
      array(
        select m.public_id from admissions m where m.account_id = r.account_id and m.refund_id = r.id order by m.position
      ) as "admissionPublicIds"
    from order_refunds r left join receipts c on c.account_id = r.account_id and c.refund_id = r.id
    where r.account_id = ${accountId} and r.checkout_id = ${checkoutId} order by r.id`.execute(db)
  return rows
}

/** What an order took of vouchers, and what they got back. */
export const findOrderVouchers = async ({ accountId, db }: Rows, orderId: number | null): Promise<SpentVoucher[]> => {
  if (orderId === null) return []
  const { rows } = await sql<SpentVoucher>`
    select v.public_id as "publicId", v.code_suffix as "codeSuffix",
      coalesce(-sum(e.amount_cents) filter (where e.kind = 'redemption'), 0)::bigint as "amountCents",
      coalesce(sum(e.amount_cents) filter (where e.kind = 'refund'), 0)::bigint as "refundedCents"
    from voucher_entries e join vouchers v on v.account_id = e.account_id and v.id = e.voucher_id
    where e.account_id = ${accountId} and e.order_id = ${orderId} and e.kind in ('redemption', 'refund')
    group by v.id, v.public_id, v.code_suffix order by v.id`.execute(db)
  return rows
}

export interface OrderSearch {
  query: string
  status: ListedOrder['status'] | null
  limit: number
  offset: number
}

/** Between the texts of an order, where nothing that was typed can match. */
const BETWEEN = '\u001f'

/** Newest first. A code may be typed as it is printed, in two halves. */
export const findListedOrders = async (
  { accountId, db }: Rows,
  eventId: number,
  { query, status, limit, offset }: OrderSearch,
): Promise<ListedOrder[]> => {
  const matches =
    query === ''
      ? sql`true`
      : sql`(position(searchable(${query}) in searchable(concat_ws(${BETWEEN}::text, o.customer_name, o.delivery_email,
          o.order_code, o.public_id, (
            select string_agg(m.attendee_name, ${BETWEEN}::text) from admissions m
            where m.account_id = o.account_id and m.event_id = o.event_id and m.order_id = o.id
          )))) > 0 or o.order_code = ${normalizeCode(query)})`
  const { rows } = await sql<Omit<ListedOrder, 'status'> & { status: OrderStatus }>`
    select o.public_id as "publicId", o.order_code as "orderCode", o.status, o.customer_name as "customerName",
      o.delivery_email as "customerEmail", o.total_cents as "totalCents", o.voucher_cents as "voucherCents",
      ${paidCentsOfOrder} as "paidCents", o.refunded_cents as "refundedCents",
      (
        select count(*)::int from admissions m
        where m.account_id = o.account_id and m.event_id = o.event_id and m.order_id = o.id
      ) as "admissionsCount",
      o.payment_due_at as "paymentDueAt", o.paid_at as "paidAt", o.created_at as "createdAt"
    from orders o
    where o.account_id = ${accountId} and o.event_id = ${eventId} and o.origin = 'shop'
      and (${status}::text is null or o.status = ${status}::text) and ${matches}
    order by o.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows.map((order) => ({ ...order, status: requireShopOrderStatus(order.status) }))
}
