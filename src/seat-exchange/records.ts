import { sql } from 'kysely'
import type { CallerScope, Rows, Tx } from '../access/scopes.ts'
import { ADMISSION_SELECT_LIST } from '../admissions/columns/records.ts'
import type { Admission, NumberedPlace, OrderStatus } from '../admissions/rules.ts'
import { snapshotOfPlace } from '../admissions/rules.ts'
import type { FreePlace } from '../inventory/rules.ts'

export interface AdmissionWithOrder extends Admission {
  eventId: number
  eventSlug: string
  orderId: number
  orderPublicId: string
  orderStatus: OrderStatus
  deliveryEmail: string | null
}

export type SeatedAdmission = AdmissionWithOrder & { placeId: number }

/** Of any event of the account; for a co-organizer, of the events that are assigned to them at this moment. */
export const findAdmissionWithOrder = async (
  scope: CallerScope,
  publicId: string,
): Promise<AdmissionWithOrder | null> => {
  const { rows: db, reach, actor } = scope
  const result = await sql<AdmissionWithOrder>`
    select ${ADMISSION_SELECT_LIST}, a.event_id as "eventId", a.order_id as "orderId", o.status as "orderStatus",
      o.delivery_email as "deliveryEmail", o.public_id as "orderPublicId", e.slug as "eventSlug"
    from admissions a join orders o on o.account_id = a.account_id and o.id = a.order_id
    join events e on e.account_id = a.account_id and e.id = a.event_id
    where a.account_id = ${db.accountId} and a.public_id = ${publicId}
      and (${reach === 'account'}::boolean or exists (
        select from assignments s
        where s.account_id = a.account_id and s.membership_id = ${actor.membershipId} and s.event_id = a.event_id
      ))`.execute(db.db)
  return result.rows[0] ?? null
}

/** Order first, then admission, as everybody locks them. */
export const lockOrderAndAdmission = async (tx: Tx, item: AdmissionWithOrder): Promise<void> => {
  await sql`
    select from orders where account_id = ${tx.accountId} and id = ${item.orderId} for no key update`.execute(tx.db)
  await sql`
    select from admissions where account_id = ${tx.accountId} and id = ${item.id} for no key update`.execute(tx.db)
}

/** Free seats of the same ticket; linked places are only sold as a pair. */
export const findExchangeableSeats = async (rows: Rows, item: SeatedAdmission): Promise<FreePlace[]> => {
  const result = await sql<FreePlace>`
    select p.id, p.key, p.label from places p
    where p.account_id = ${rows.accountId} and p.event_id = ${item.eventId} and p.ticket_id = ${item.ticketId}::bigint
      and p.id <> ${item.placeId} and p.pair_place_id is null and p.blocked_at is null
      and (p.claimed_until is null or p.claimed_until <= foyer_now())
    order by p.position, p.id`.execute(rows.db)
  return result.rows
}

export interface TargetPlace extends NumberedPlace {
  ticketId: number
  isBlocked: boolean
  isClaimed: boolean
  /** Claimed by a checkout whose time is over. */
  isHeldInVain: boolean
}

const TARGET_COLUMNS = sql`
  p.id, p.key, p.label, p.section, p.row, p.seat, p.accessibility, p.pair_place_id as "pairPlaceId",
  p.ticket_id as "ticketId", p.blocked_at is not null as "isBlocked", p.claimed_until is not null as "isClaimed",
  coalesce(p.claimed_until <= foyer_now(), false) as "isHeldInVain"`

export const findPlace = async (rows: Rows, eventId: number, placeId: number): Promise<TargetPlace | null> => {
  const result = await sql<TargetPlace>`
    select ${TARGET_COLUMNS} from places p
    where p.account_id = ${rows.accountId} and p.event_id = ${eventId} and p.id = ${placeId}`.execute(rows.db)
  return result.rows[0] ?? null
}

/** Both places in the order of their IDs, so that people who change places with each other never wait in a circle. */
export const lockPlaces = async (tx: Tx, eventId: number, placeIds: number[]): Promise<TargetPlace[]> => {
  const result = await sql<TargetPlace>`
    select ${TARGET_COLUMNS} from places p
    where p.account_id = ${tx.accountId} and p.event_id = ${eventId} and p.id = any (${placeIds}::bigint[])
    order by p.id for no key update`.execute(tx.db)
  return result.rows
}

/** The old place is free and the new one taken in the same statement. */
export const moveAdmission = async (tx: Tx, item: SeatedAdmission, place: TargetPlace): Promise<void> => {
  await sql`
    with left_place as (
      update places set claimed_until = null where account_id = ${tx.accountId} and id = ${item.placeId}
    ),
    taken_place as (
      update places set claimed_until = 'infinity' where account_id = ${tx.accountId} and id = ${place.id}
    )
    update admissions set place_id = ${place.id}, place_label = ${place.label},
      place_snapshot = ${JSON.stringify(snapshotOfPlace(place))}::jsonb
    where account_id = ${tx.accountId} and id = ${item.id}`.execute(tx.db)
}
