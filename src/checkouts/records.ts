import { type RawBuilder, sql } from 'kysely'
import type { Rows, Tx } from '../access/scopes.ts'
import type { Database } from '../database/database.ts'
import { runPrepared } from '../database/prepared.ts'
import type { Answers } from '../admissions/rules.ts'
import { isCalledOff } from '../events/records.ts'
import { rateWhenSold } from '../orders/receipts/records.ts'
import type { Attendee, Checkout, CheckoutItem, CheckoutVoucherItem } from './rules.ts'

export interface NewCheckout {
  publicId: string
  tokenDigest: Buffer
  tokenSealed: Buffer
  eventId: number | null
  expiresAt: Date
  language: string
  addressDigest: Buffer | null
  browserDigest: Buffer | null
  accessCodes: readonly string[]
  items: readonly CheckoutItem[]
  voucherItems: readonly CheckoutVoucherItem[]
}

const givenCheckout = (checkout: NewCheckout) => ({
  ...checkout,
  tokenDigest: checkout.tokenDigest.toString('hex'),
  tokenSealed: checkout.tokenSealed.toString('hex'),
  addressDigest: checkout.addressDigest?.toString('hex') ?? null,
  browserDigest: checkout.browserDigest?.toString('hex') ?? null,
  items: checkout.items.map(givenItem),
})

const givenItem = ({ standingArea, places, ...item }: CheckoutItem) => ({
  ...item,
  standingAreaId: standingArea?.id ?? null,
  placeIds: places.map(({ id }) => id),
})

const GIVEN_ITEM_COLUMNS = sql`
  "ticketId" bigint, title text, quantity int, "admissionsEach" int, "unitPriceCents" bigint, "taxRate" int,
  "standingAreaId" bigint, "placeIds" bigint[], "holdId" bigint`

/** Several at once, with their items. */
export const insertCheckouts = async (tx: Tx, checkouts: readonly NewCheckout[]): Promise<void> => {
  const statement = sql`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(checkouts.map(givenCheckout))}::json) as given (
        "publicId" text, "tokenDigest" text, "tokenSealed" text, "eventId" bigint, "expiresAt" timestamptz, language text,
        "addressDigest" text, "browserDigest" text, "accessCodes" text[], items json, "voucherItems" json)
    ),
    made as (
      insert into checkouts (account_id, public_id, token_digest, token_sealed, event_id, expires_at, language,
        address_digest, browser_digest, access_codes)
      select ${tx.accountId}::bigint, "publicId", decode("tokenDigest", 'hex'), decode("tokenSealed", 'hex'), "eventId", "expiresAt",
        language, decode("addressDigest", 'hex'), decode("browserDigest", 'hex'), "accessCodes"
      from given
      returning id, public_id
    ),
    made_items as (
      insert into checkout_items (account_id, checkout_id, position, event_id, ticket_id, title, quantity,
        admissions_each, unit_price_cents, tax_rate, standing_area_id, place_ids, hold_id)
      select ${tx.accountId}::bigint, made.id, item.position, given."eventId", item."ticketId", item.title, item.quantity,
        item."admissionsEach", item."unitPriceCents", item."taxRate", item."standingAreaId", item."placeIds", item."holdId"
      from made join given on given."publicId" = made.public_id,
        rows from (json_to_recordset(given.items) as (${GIVEN_ITEM_COLUMNS})) with ordinality
          as item ("ticketId", title, quantity, "admissionsEach", "unitPriceCents", "taxRate", "standingAreaId", "placeIds",
            "holdId", position)
    )
    insert into checkout_voucher_items (account_id, checkout_id, position, product_id, title, amount_cents,
      unit_price_cents, tax_rate, quantity, recipient_name, recipient_email, message, deliver_on,
      delivery_time_zone)
    select ${tx.accountId}::bigint, made.id, item.position, item."productId", item.title, item."amountCents",
      item."unitPriceCents", item."taxRate", item.quantity, item."recipientName", item."recipientEmail", item.message,
      item."deliverOn", item."deliveryTimeZone"
    from made join given on given."publicId" = made.public_id,
      rows from (json_to_recordset(given."voucherItems") as (
        "productId" bigint, title text, "amountCents" bigint, "unitPriceCents" bigint, "taxRate" int, quantity int,
        "recipientName" text, "recipientEmail" text, message text, "deliverOn" date,
        "deliveryTimeZone" text)) with ordinality
        as item ("productId", title, "amountCents", "unitPriceCents", "taxRate", quantity, "recipientName", "recipientEmail",
          message, "deliverOn", "deliveryTimeZone", position)`
  await runPrepared(tx.db, 'insert-checkouts', statement)
}

/** What a checkout buys instead of what it had. */
export const replaceItems = async (
  tx: Tx,
  { id, eventId }: { id: number; eventId: number },
  items: readonly CheckoutItem[],
): Promise<void> => {
  await sql`delete from checkout_items where account_id = ${tx.accountId} and checkout_id = ${id}`.execute(tx.db)
  await sql`
    insert into checkout_items (account_id, checkout_id, position, event_id, ticket_id, title, quantity,
      admissions_each, unit_price_cents, tax_rate, standing_area_id, place_ids, hold_id)
    select ${tx.accountId}, ${id}, item.position, ${eventId}, item."ticketId", item.title, item.quantity,
      item."admissionsEach", item."unitPriceCents", item."taxRate", item."standingAreaId", item."placeIds", item."holdId"
    from rows from (json_to_recordset(${JSON.stringify(items.map(givenItem))}::json) as (${GIVEN_ITEM_COLUMNS}))
      with ordinality as item ("ticketId", title, quantity, "admissionsEach", "unitPriceCents", "taxRate",
        "standingAreaId", "placeIds", "holdId", position)`.execute(tx.db)
}

interface CustomerRow {
  customerName: string | null
  customerEmail: string | null
  customerPhone: string | null
  customerCompany: string | null
  billingStreet: string | null
  billingPostalCode: string | null
  billingCity: string | null
  billingCountry: string | null
  billingVatId: string | null
  answers: Answers
  attendees: Attendee[]
}

const CUSTOMER = sql`
  c.customer_name as "customerName", c.customer_email as "customerEmail", c.customer_phone as "customerPhone",
  c.customer_company as "customerCompany", c.billing_street as "billingStreet",
  c.billing_postal_code as "billingPostalCode", c.billing_city as "billingCity", c.billing_country as "billingCountry",
  c.billing_vat_id as "billingVatId", c.answers, c.attendees`

interface CheckoutRow extends Omit<Checkout, 'customer' | 'event'>, CustomerRow {
  eventId: number | null
  eventSlug: string | null
  eventTitle: string | null
  eventStartsAt: Date | null
  eventTimeZone: string | null
  eventIsCalledOff: boolean | null
  eventIsCancelled: boolean | null
}

/**
 * Everything that is shown of checkouts, of whichever the source gives as `c`. What belongs to one is looked up for it by
 * keys, each in a step of its own, so that also a plan from the first minutes of a sale never reads all sales.
 */
const selectCheckout = (source: RawBuilder<unknown>) => sql<CheckoutRow>`
  select c.id, c.public_id as "publicId", c.token_sealed as "tokenSealed", c.status, c.expires_at as "expiresAt",
    c.expires_at <= foyer_now() as "isOver", foyer_now() as now, c.language, ${CUSTOMER},
    c.purchase_code as "purchaseCode", c.event_id as "eventId", e.slug as "eventSlug", e.title as "eventTitle",
    e.starts_at as "eventStartsAt", coalesce(e.time_zone, a.time_zone) as "eventTimeZone",
    e.is_called_off as "eventIsCalledOff", e.is_cancelled as "eventIsCancelled",
    coalesce((
      select json_agg(json_build_object('ticketId', i.ticket_id, 'title', i.title, 'quantity', i.quantity,
        'admissionsEach', i.admissions_each, 'unitPriceCents', i.unit_price_cents, 'taxRate', i.tax_rate,
        'standingArea', (
          select json_build_object('id', s.id, 'name', s.name) from standing_areas s
          where s.account_id = i.account_id and s.id = i.standing_area_id
        ),
        'places', coalesce((
          select json_agg(json_build_object('id', p.id, 'key', p.key, 'label', p.label) order by chosen.n)
          from unnest(i.place_ids) with ordinality as chosen (id, n)
          join places p on p.account_id = i.account_id and p.id = chosen.id
        ), '[]'),
        'holdId', i.hold_id) order by i.position)
      from checkout_items i where i.account_id = c.account_id and i.checkout_id = c.id
    ), '[]') as items,
    coalesce((
      select json_agg(json_build_object('productId', i.product_id, 'productPublicId', p.public_id, 'title', i.title,
        'amountCents', i.amount_cents, 'unitPriceCents', i.unit_price_cents, 'taxRate', i.tax_rate, 'quantity', i.quantity,
        'recipientName', i.recipient_name, 'recipientEmail', i.recipient_email, 'message', i.message,
        'deliverOn', i.deliver_on, 'deliveryTimeZone', i.delivery_time_zone) order by i.position)
      from checkout_voucher_items i join voucher_products p on p.account_id = i.account_id and p.id = i.product_id
      where i.account_id = c.account_id and i.checkout_id = c.id
    ), '[]') as "voucherItems",
    coalesce((
      select json_agg(json_build_object('publicId', r.public_id, 'codeSuffix', w.code_suffix,
        'amountCents', r.amount_cents, 'rateWhenSold', ${rateWhenSold(sql`r.voucher_id`, sql`r.account_id`)}) order by r.id)
      from voucher_reservations r join vouchers w on w.account_id = r.account_id and w.id = r.voucher_id
      where r.account_id = c.account_id and r.checkout = c.public_id and r.released_at is null
    ), '[]') as vouchers,
    coalesce((
      select json_agg(json_build_object('id', q.id, 'label', q.label, 'type', q.type, 'scope', q.scope,
        'required', q.required, 'completeLater', q.complete_later, 'options', q.options, 'helpText', q.help_text)
        order by q.position, q.id)
      from questions q where q.account_id = c.account_id and q.event_id = c.event_id and q.archived_at is null
    ), '[]') as questions,
    (
      select json_build_object('publicId', p.public_id, 'method', m.name, 'status', p.status,
        'redirectUrl', p.redirect_url, 'instructions', p.instructions)
      from payments p join payment_methods m on m.account_id = p.account_id and m.id = p.payment_method_id
      where p.account_id = c.account_id and p.payable_id = c.id and not p.is_by_hand and not p.is_surplus
      order by p.id desc limit 1
    ) as payment,
    (
      select json_build_object('id', o.id, 'publicId', o.public_id, 'orderCode', o.order_code, 'status', o.status,
        'receiptNumber', r.number,
        'admissions', coalesce((
          select json_agg(json_build_object('publicId', m.public_id, 'checkInCode', m.check_in_code,
            'ticketTitle', m.ticket_title, 'isLead', m.is_lead, 'attendeeName', m.attendee_name,
            'placeLabel', m.place_label) order by m.position)
          from admissions m where m.account_id = o.account_id and m.event_id = o.event_id and m.order_id = o.id
        ), '[]'))
      from orders o where o.account_id = c.account_id and o.checkout_id = c.id
    ) as "order",
    r.number as "receiptNumber",
    coalesce((
      select json_agg(m.name order by m.id) from payment_methods m where m.account_id = c.account_id and m.enabled
    ), '[]') as "enabledMethods"
  from ${source}
  join lateral (select a.time_zone from accounts a where a.id = c.account_id limit 1) a on true
  left join lateral (
    select e.slug, e.title, e.starts_at, ${isCalledOff} as is_called_off, e.cancelled_at is not null as is_cancelled, (
      select v.time_zone from venues v where v.account_id = e.account_id and v.id = e.venue_id
    ) as time_zone
    from events e where e.account_id = c.account_id and e.id = c.event_id limit 1
  ) e on true
  left join lateral (
    select r.number from receipts r
    where r.account_id = c.account_id and r.checkout_id = c.id and r.kind = 'sale' limit 1
  ) r on true`

const checkoutWhere = ({ accountId }: Rows, condition: RawBuilder<unknown>) =>
  sql`(select * from checkouts where account_id = ${accountId} and ${condition} limit 1) c`

const checkoutOf = (row: CheckoutRow): Checkout => ({
  id: row.id,
  publicId: row.publicId,
  tokenSealed: row.tokenSealed,
  status: row.status,
  isOver: row.isOver,
  expiresAt: row.expiresAt,
  now: row.now,
  language: row.language,
  event:
    row.eventId === null
      ? null
      : {
          id: row.eventId,
          slug: row.eventSlug!,
          title: row.eventTitle!,
          startsAt: row.eventStartsAt!,
          timeZone: row.eventTimeZone!,
          isCalledOff: row.eventIsCalledOff!,
          isCancelled: row.eventIsCancelled!,
        },
  customer: customerOf(row),
  items: row.items,
  voucherItems: row.voucherItems,
  vouchers: row.vouchers,
  questions: row.questions,
  payment: row.payment,
  order: row.order,
  purchaseCode: row.purchaseCode,
  receiptNumber: row.receiptNumber,
  enabledMethods: row.enabledMethods,
})

const customerOf = (row: CustomerRow): Checkout['customer'] => ({
  name: row.customerName,
  email: row.customerEmail,
  phone: row.customerPhone,
  company: row.customerCompany,
  billing: {
    street: row.billingStreet,
    postalCode: row.billingPostalCode,
    city: row.billingCity,
    country: row.billingCountry,
    vatId: row.billingVatId,
  },
  answers: row.answers,
  attendees: row.attendees,
})

export const findCheckoutByToken = async (rows: Rows, tokenDigest: Buffer): Promise<Checkout | null> => {
  const source = checkoutWhere(rows, sql`token_digest = ${tokenDigest}`)
  const [row] = await runPrepared(rows.db, 'checkout-by-token', selectCheckout(source))
  return row ? checkoutOf(row) : null
}

/** For those who are about to lock them and look at them then. */
export const findCheckoutIds = async (rows: Rows, tokenDigests: readonly Buffer[]): Promise<(number | null)[]> => {
  const statement = sql<{ id: number; tokenDigest: Buffer }>`
    select id, token_digest as "tokenDigest" from checkouts
    where account_id = ${rows.accountId} and token_digest = any (${tokenDigests}::bytea[])`
  const found = await runPrepared(rows.db, 'checkout-ids-by-token', statement)
  return tokenDigests.map((digest) => found.find(({ tokenDigest }) => tokenDigest.equals(digest))?.id ?? null)
}

/** Several at once, in the order of their tokens. */
export const findCheckoutsByToken = async (rows: Rows, tokenDigests: readonly Buffer[]): Promise<Checkout[]> => {
  const hex = tokenDigests.map((digest) => digest.toString('hex'))
  const source = sql`unnest(${hex}::text[]) with ordinality as given (hex, n)
    cross join lateral ${checkoutWhere(rows, sql`token_digest = decode(given.hex, 'hex')`)}`
  const found = await runPrepared(
    rows.db,
    'checkouts-by-token',
    sql<CheckoutRow>`${selectCheckout(source)} order by given.n`,
  )
  return found.map(checkoutOf)
}

export const findCheckout = async (rows: Rows, id: number): Promise<Checkout | null> =>
  (await findCheckouts(rows, [id])).get(id) ?? null

/** By ID. */
export const findCheckouts = async (rows: Rows, ids: readonly number[]): Promise<Map<number, Checkout>> => {
  const source = sql`unnest(${ids}::bigint[]) as given (id)
    cross join lateral ${checkoutWhere(rows, sql`id = given.id`)}`
  const found = await runPrepared(rows.db, 'checkouts-by-id', selectCheckout(source))
  return new Map(found.map((row) => [row.id, checkoutOf(row)]))
}

export { lockCheckout, lockCheckouts, lockCheckoutsToOrder } from '../orders/records.ts'

export interface CustomerChange {
  customer_name?: string | null
  customer_email?: string | null
  customer_phone?: string | null
  customer_company?: string | null
  billing_street?: string | null
  billing_postal_code?: string | null
  billing_city?: string | null
  billing_country?: string | null
  billing_vat_id?: string | null
}

const CUSTOMER_COLUMNS = [
  'customer_name',
  'customer_email',
  'customer_phone',
  'customer_company',
  'billing_street',
  'billing_postal_code',
  'billing_city',
  'billing_country',
  'billing_vat_id',
] as const satisfies (keyof CustomerChange)[]

/** Writes the keys that are there, and leaves the others; each checkout with who buys then. */
export const updateCustomers = async (
  tx: Tx,
  changes: readonly { checkout: Checkout; change: CustomerChange & { answers?: Answers; attendees?: Attendee[] } }[],
): Promise<Checkout[]> => {
  const given = changes.map(({ checkout: { id }, change: { answers, attendees, ...customer } }) => {
    return { id, customer, answers: answers ?? null, attendees: attendees ?? null }
  })
  const statement = sql<CustomerRow & { id: number }>`
    update checkouts c set (${sql.join(CUSTOMER_COLUMNS.map((column) => sql.ref(column)))}, answers, attendees) = (
      select ${sql.join(CUSTOMER_COLUMNS.map((column) => sql`next.${sql.ref(column)}`))},
        coalesce(given.answers, c.answers), coalesce(given.attendees, c.attendees)
      from jsonb_populate_record(c, given.customer) as next
    )
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (
      id bigint, customer jsonb, answers jsonb, attendees jsonb)
    where c.account_id = ${tx.accountId} and c.id = given.id
    returning c.id, ${CUSTOMER}`
  const rows = new Map((await runPrepared(tx.db, 'update-customers', statement)).map((row) => [row.id, row]))
  return changes.map(({ checkout }) => ({ ...checkout, customer: customerOf(rows.get(checkout.id)!) }))
}

export const recordStatus = (
  tx: Tx,
  id: number,
  { status, expiresAt }: { status: Checkout['status']; expiresAt?: Date },
): Promise<void> => recordStatuses(tx, status, [{ id, ...(expiresAt && { expiresAt }) }])

/** The same for several; who is not told an end keeps theirs. */
export const recordStatuses = async (
  tx: Tx,
  status: Checkout['status'],
  checkouts: readonly { id: number; expiresAt?: Date }[],
): Promise<void> => {
  const ids = checkouts.map(({ id }) => id)
  const ends = checkouts.map(({ expiresAt }) => expiresAt?.toISOString() ?? null)
  const statement = sql`
    update checkouts c set status = ${status}::text, expires_at = coalesce(given.expires_at, c.expires_at),
      paid_at = case when ${status}::text = 'paid' then coalesce(c.paid_at, foyer_now()) end
    from unnest(${ids}::bigint[], ${ends}::timestamptz[]) as given (id, expires_at)
    where c.account_id = ${tx.accountId} and c.id = given.id`
  await runPrepared(tx.db, 'record-status-of-checkouts', statement)
}

export const recordPurchaseCode = async (tx: Tx, id: number, code: string): Promise<void> => {
  await sql`
    update checkouts set purchase_code = ${code} where account_id = ${tx.accountId} and id = ${id}`.execute(tx.db)
}

export const findExpiredCheckouts = async (
  database: Database,
  limit: number,
): Promise<{ accountId: number; id: number }[]> => {
  const { rows } = await sql<{ accountId: number; id: number }>`
    select account_id as "accountId", id from checkouts
    where status = 'open' and expires_at <= foyer_now() order by expires_at limit ${limit}`.execute(database.kysely)
  return rows
}

export const findAccessCodes = async (rows: Rows, id: number): Promise<string[]> => {
  const { rows: checkouts } = await sql<{ codes: string[] }>`
    select access_codes as codes from checkouts where account_id = ${rows.accountId} and id = ${id}`.execute(rows.db)
  return checkouts[0]?.codes ?? []
}
