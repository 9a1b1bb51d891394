import { sql } from 'kysely'
import type { Rows, Tx } from '../../access/scopes.ts'
import type { Database } from '../../database/database.ts'

export interface Reservation {
  id: number
  publicId: string
  voucherId: number
  checkout: string
  amountCents: number
  capturedAt: Date | null
  releasedAt: Date | null
}

const COLUMNS = sql`
  id, public_id as "publicId", voucher_id as "voucherId", checkout, amount_cents as "amountCents",
  captured_at as "capturedAt", released_at as "releasedAt"`

export const findReservation = async (rows: Rows, publicId: string): Promise<Reservation | undefined> => {
  const { rows: reservations } = await sql<Reservation>`
    select ${COLUMNS} from voucher_reservations
    where account_id = ${rows.accountId} and public_id = ${publicId}`.execute(rows.db)
  return reservations[0]
}

export const findHeldReservation = async (
  rows: Rows,
  voucherId: number,
  checkout: string,
): Promise<Reservation | undefined> => {
  const { rows: reservations } = await sql<Reservation>`
    select ${COLUMNS} from voucher_reservations
    where account_id = ${rows.accountId} and voucher_id = ${voucherId} and checkout = ${checkout}
      and captured_at is null and released_at is null`.execute(rows.db)
  return reservations[0]
}

export interface HeldReservation {
  publicId: string
  amountCents: number
  createdAt: Date
  expiresAt: Date
}

/** What checkouts have set aside of one voucher, the oldest first. */
export const findHeldOfVoucher = async (rows: Rows, voucherId: number): Promise<HeldReservation[]> => {
  const { rows: held } = await sql<HeldReservation>`
    select public_id as "publicId", amount_cents as "amountCents", created_at as "createdAt", expires_at as "expiresAt"
    from voucher_reservations
    where account_id = ${rows.accountId} and voucher_id = ${voucherId} and captured_at is null and released_at is null
    order by id`.execute(rows.db)
  return held
}

export interface NewReservation {
  publicId: string
  voucherId: number
  checkout: string
  amountCents: number
  expiresAt: Date
}

export const insertReservation = async (tx: Tx, reservation: NewReservation): Promise<void> => {
  await sql`
    insert into voucher_reservations (account_id, public_id, voucher_id, checkout, amount_cents, expires_at)
    values (${tx.accountId}, ${reservation.publicId}, ${reservation.voucherId}, ${reservation.checkout},
      ${reservation.amountCents}, ${reservation.expiresAt})`.execute(tx.db)
}

/** The vouchers of a checkout, in the order in which everybody locks several. */
export const lockVouchersOfCheckout = async (tx: Tx, checkout: string): Promise<void> => {
  await sql`
    select from vouchers v
    where v.account_id = ${tx.accountId} and v.id in (
      select r.voucher_id from voucher_reservations r
      where r.account_id = ${tx.accountId} and r.checkout = ${checkout} and r.released_at is null
    )
    order by v.id for no key update`.execute(tx.db)
}

/** What a checkout has set aside, in the order in which it did. */
export const findHeldByCheckout = async (rows: Rows, checkout: string): Promise<Reservation[]> => {
  const { rows: reservations } = await sql<Reservation>`
    select ${COLUMNS} from voucher_reservations
    where account_id = ${rows.accountId} and checkout = ${checkout} and captured_at is null and released_at is null
    order by id`.execute(rows.db)
  return reservations
}

/** What a checkout has set aside stays so until then. */
export const setExpiryOfReservations = async (tx: Tx, checkout: string, expiresAt: Date): Promise<void> => {
  await sql`
    update voucher_reservations set expires_at = ${expiresAt}
    where account_id = ${tx.accountId} and checkout = ${checkout} and captured_at is null and released_at is null`.execute(
    tx.db,
  )
}

/** Tells whether it was still held. */
export const recordCapture = async (tx: Tx, id: number): Promise<boolean> => {
  const { rows } = await sql`
    update voucher_reservations set captured_at = foyer_now()
    where account_id = ${tx.accountId} and id = ${id} and captured_at is null and released_at is null
    returning id`.execute(tx.db)
  return rows.length > 0
}

export const recordRelease = async (tx: Tx, id: number): Promise<boolean> => {
  const { rows } = await sql`
    update voucher_reservations set released_at = foyer_now()
    where account_id = ${tx.accountId} and id = ${id} and captured_at is null and released_at is null
    returning id`.execute(tx.db)
  return rows.length > 0
}

/** Checkouts that were given up on one voucher, which is locked. */
export const releaseExpiredReservations = async (tx: Tx, voucherId: number): Promise<void> => {
  await sql`
    update voucher_reservations set released_at = foyer_now()
    where account_id = ${tx.accountId} and voucher_id = ${voucherId} and captured_at is null and released_at is null
      and expires_at <= foyer_now()`.execute(tx.db)
}

export const findVouchersWithExpiredReservations = async (
  database: Database,
  limit: number,
): Promise<{ accountId: number; voucherId: number }[]> => {
  const { rows } = await sql<{ accountId: number; voucherId: number }>`
    select account_id as "accountId", voucher_id as "voucherId" from voucher_reservations
    where captured_at is null and released_at is null and expires_at <= foyer_now()
    group by account_id, voucher_id limit ${limit}`.execute(database.kysely)
  return rows
}

/** What one order has spent of a voucher and not got back. */
export const findSpentCents = async (tx: Tx, voucherId: number, orderId: number): Promise<number> => {
  const { rows } = await sql<{ spent: number }>`
    select coalesce(-sum(amount_cents), 0)::bigint as spent from voucher_entries
    where account_id = ${tx.accountId} and voucher_id = ${voucherId} and order_id = ${orderId}
      and kind in ('redemption', 'refund')`.execute(tx.db)
  return rows[0]!.spent
}

export interface OrderOfVoucher {
  publicId: string
  eventId: number
  eventSlug: string
}

export const findOrderOfVoucher = async (rows: Rows, orderId: number): Promise<OrderOfVoucher | undefined> => {
  const { rows: orders } = await sql<OrderOfVoucher>`
    select o.public_id as "publicId", e.id as "eventId", e.slug as "eventSlug"
    from orders o join events e on e.account_id = o.account_id and e.id = o.event_id
    where o.account_id = ${rows.accountId} and o.id = ${orderId}`.execute(rows.db)
  return orders[0]
}
