import { sql } from 'kysely'
import type { Rows, Tx } from '../access/scopes.ts'
import { runPrepared } from '../database/prepared.ts'
import { claimCtes } from '../inventory/claims/records.ts'
import { releaseCtes } from '../inventory/releases/records.ts'
import type { Shortage, ClaimRequest } from '../inventory/rules.ts'
import type { Language } from '../languages/rules.ts'
import { requireFound } from '../kernel/refusals.ts'
import type { Answers, Billing, OrderStatus, PlaceSnapshot } from './rules.ts'

/** Those of the codes that an order or an admission of the account has already. Each is looked up by itself. */
export const findUsedCodes = async ({ accountId, db }: Rows, codes: string[]): Promise<Set<string>> => {
  const statement = sql<{ code: string }>`
    select code from unnest(${codes}::text[]) as given (code)
    where (select true from orders where account_id = ${accountId} and order_code = code limit 1)
      or (select true from admissions where account_id = ${accountId} and check_in_code = code limit 1)`
  const rows = await runPrepared(db, 'used-codes', statement)
  return new Set(rows.map(({ code }) => code))
}

/** The same of public IDs. */
export const findUsedPublicIds = async ({ accountId, db }: Rows, publicIds: string[]): Promise<Set<string>> => {
  const { rows } = await sql<{ publicId: string }>`
    select public_id as "publicId" from orders
    where account_id = ${accountId} and public_id = any (${publicIds}::text[])
    union all
    select public_id from admissions
    where account_id = ${accountId} and public_id = any (${publicIds}::text[])`.execute(db)
  return new Set(rows.map(({ publicId }) => publicId))
}

/**
 * Who signs up and who is being added by staff under the same address meet here, before either takes any other lock:
 * the second sees what the first has written. It lasts until the transaction ends. Several are locked in one order.
 */
export const lockGuestEmails = async (tx: Tx, eventId: number, emails: readonly string[]): Promise<void> => {
  if (emails.length === 0) return
  const names = emails.map((email) => JSON.stringify(['address', tx.accountId, eventId, email]))
  await sql`
    with everybody as materialized (
      select pg_advisory_xact_lock_shared(hashtextextended(${allAddresses(tx, eventId)}, 0))
    )
    select pg_advisory_xact_lock(key)
    from everybody, (select distinct hashtextextended(name, 0) as key from unnest(${names}::text[]) as name order by key) keys
  `.execute(tx.db)
}

/** The same for so many addresses that a lock for each of them would be more than PostgreSQL keeps. */
export const lockAllGuestEmails = async (tx: Tx, eventId: number): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${allAddresses(tx, eventId)}, 0))`.execute(tx.db)
}

const allAddresses = ({ accountId }: Tx, eventId: number) => JSON.stringify(['addresses', accountId, eventId])

export interface OrderRow {
  eventId: number
  publicId: string
  orderCode: string
  origin: 'guest_list' | 'shop'
  status: OrderStatus
  customerName: string
  deliveryEmail: string | null
  deliversToCreator: boolean
  staffNote: string | null
  customerPhone: string | null
  customerCompany: string | null
  billing: Billing
  answers: Answers
  creator: { personId: number; name: string } | null
  createdAt: Date | null
  /** What is written to the customer in; null where nobody knows, then it is the account's. */
  language?: Language | null
}

export interface AdmissionRow {
  publicId: string
  checkInCode: string
  isLead: boolean
  attendeeName: string | null
  answers: Answers
  placeId: number | null
  placeLabel: string | null
  placeSnapshot: PlaceSnapshot | null
}

export type InsertedOrder =
  | { refused: null; id: number; createdAt: Date; admissionIds: number[] }
  | { refused: Shortage | 'code_taken'; id: null; createdAt: null; admissionIds: null }

export interface OrderToInsert {
  claim: ClaimRequest
  ticketTitle: string
  order: OrderRow
  admissions: AdmissionRow[]
}

const GIVEN_COLUMNS = sql`
  n int, "ticketId" bigint, quantity int, "standingAreaId" bigint, "placeIds" bigint[], "ticketTitle" text,
  "publicId" text, "orderCode" text, origin text, status text, "customerName" text, "deliveryEmail" text,
  "deliversToCreator" boolean, "staffNote" text, "customerPhone" text, "customerCompany" text, street text,
  "postalCode" text, city text, country text, "vatId" text, answers jsonb, "creatorId" bigint, "creatorName" text,
  "createdAt" timestamptz, language text, "checkInCodes" text[], admissions json`

const GIVEN_ADMISSION_COLUMNS = sql`
  "publicId" text, "checkInCode" text, position int, "isLead" boolean, "attendeeName" text, answers jsonb,
  "placeId" bigint, "placeLabel" text, "placeSnapshot" jsonb`

const givenOrder = ({ claim, ticketTitle, order, admissions }: OrderToInsert, n: number) => {
  const { billing, creator, ...rest } = order
  return {
    ...rest,
    ...billing,
    n,
    ticketId: claim.ticketId,
    quantity: claim.quantity,
    standingAreaId: claim.standingAreaId ?? null,
    placeIds: claim.placeIds ?? [],
    ticketTitle,
    creatorId: creator?.personId ?? null,
    creatorName: creator?.name ?? null,
    checkInCodes: admissions.map(({ checkInCode }) => checkInCode),
    admissions: admissions.map((each, position) => ({ ...each, position })),
  }
}

/**
 * Claims for each of the orders, and writes those that got what they asked for with their admissions. It is one
 * statement: by itself it is a transaction, inside another it is part of it, and whoever is refused leaves no trace.
 * Codes that exist already refuse an order before any lock.
 */
export const insertOrders = async (
  rows: Rows,
  eventId: number,
  orders: readonly OrderToInsert[],
): Promise<InsertedOrder[]> => {
  const { accountId } = rows
  // Counted, not asked whether there are any: that might be answered by reading all codes of the account.
  const codesAreNew = sql`0 = (
      select count(*) from orders o where o.account_id = ${accountId} and o.order_code = given."orderCode"
    ) + (
      select count(*) from admissions a
      where a.account_id = ${accountId} and a.check_in_code = any (given."checkInCodes")
    )`
  const given = orders.map(givenOrder)

  const statement = sql<InsertedOrder>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(given)}::json) as given (${GIVEN_COLUMNS})
    ),
    ${claimCtes(rows, eventId, codesAreNew)},
    made as (
      insert into orders (account_id, event_id, public_id, order_code, origin, status, customer_name, delivery_email,
        delivers_to_creator, staff_note, customer_phone, customer_company, billing_street, billing_postal_code,
        billing_city, billing_country, billing_vat_id, answers, creator_id, creator_name, language, created_at, paid_at)
      select ${accountId}, ${eventId}, "publicId", "orderCode", origin, status, "customerName", "deliveryEmail",
        "deliversToCreator", "staffNote", "customerPhone", "customerCompany", street, "postalCode",
        city, country, "vatId", answers, "creatorId", "creatorName", language, at, at
      from claim_verdicts join given using (n), coalesce("createdAt", foyer_now()) as at
      where refused is null
      order by n
      returning id, public_id, created_at
    ),
    made_admissions as (
      insert into admissions (account_id, event_id, order_id, public_id, check_in_code, ticket_id, ticket_title, position,
        is_lead, attendee_name, answers, place_id, standing_area_id, place_label, place_snapshot, created_at)
      select ${accountId}, ${eventId}, made.id, each."publicId", each."checkInCode", given."ticketId",
        given."ticketTitle", each.position, each."isLead", each."attendeeName", each.answers, each."placeId",
        given."standingAreaId", each."placeLabel", each."placeSnapshot", made.created_at
      from made join given on given."publicId" = made.public_id,
        json_to_recordset(given.admissions) as each (${GIVEN_ADMISSION_COLUMNS})
      order by given.n, each.position
      returning id, order_id, position
    )
    select refused, made.id, made.created_at as "createdAt",
      (select array_agg(id order by position) from made_admissions where order_id = made.id) as "admissionIds"
    from claim_verdicts join given using (n) left join made on made.public_id = given."publicId"
    order by n`
  return runPrepared(rows.db, 'insert-orders', statement)
}

/**
 * Ends admissions of an order that are live and unredeemed, and gives back what they held. All of them, or one; how
 * many ended tells the caller whether it was in time.
 */
export const cancelUnredeemedAdmissions = (
  tx: Tx,
  order: { id: number; eventId: number },
  onlyId: number | null = null,
) => endAdmissionsOfOrders(tx, order.eventId, [order.id], onlyId)

/** The same for several orders of one event. */
export const endAdmissionsOfOrders = async (
  tx: Tx,
  eventId: number,
  orderIds: readonly number[],
  onlyId: number | null = null,
): Promise<number> => {
  const result = await sql<{ count: number }>`
    with gone as (
      update admissions a set status = 'cancelled'
      where a.account_id = ${tx.accountId} and a.event_id = ${eventId} and a.order_id = any (${orderIds}::bigint[])
        and a.status = 'active' and a.redeemed_at is null
        and (${onlyId}::bigint is null or a.id = ${onlyId}::bigint)
      returning a.ticket_id, a.standing_area_id, a.place_id, 1 as quantity, a.stock_quantity
    ),
    gone_places as (
      select place_id from gone where place_id is not null
    ),
    ${releaseCtes(tx, eventId)}
    select count(*)::int as count from gone`.execute(tx.db)
  return requireFound(result.rows[0]).count
}
