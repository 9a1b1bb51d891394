import { type Selectable, sql } from 'kysely'
import type { Rows, Tx } from '../../access/scopes.ts'
import type { Places } from '../../database/table-types.ts'

export interface Place {
  id: number
  ticketId: number
  key: string
  label: string
  section: string | null
  row: string | null
  seat: string | null
  accessibility: 'wheelchair' | 'companion' | null
  pairPlaceId: number | null
  /** The key of the place beside it. */
  pair: string | null
  blockedAt: Date | null
  isClaimed: boolean
}

const COLUMNS = sql`
  p.id, p.ticket_id as "ticketId", p.key, p.label, p.section, p.row, p.seat, p.accessibility,
  p.pair_place_id as "pairPlaceId", p.blocked_at as "blockedAt",
  coalesce(p.claimed_until > foyer_now(), false) as "isClaimed",
  (select o.key from places o where o.account_id = p.account_id and o.id = p.pair_place_id) as pair`

export const findPlaces = async (rows: Rows, eventId: number): Promise<Place[]> => {
  const result = await sql<Place>`
    select ${COLUMNS} from places p where p.account_id = ${rows.accountId} and p.event_id = ${eventId}
    order by p.position, p.id`.execute(rows.db)
  return result.rows
}

export const findPlacesById = async (rows: Rows, eventId: number, ids: readonly number[]): Promise<Place[]> => {
  const result = await sql<Place>`
    select ${COLUMNS} from places p
    where p.account_id = ${rows.accountId} and p.event_id = ${eventId} and p.id = any (${ids}::bigint[])
    order by p.position, p.id`.execute(rows.db)
  return result.rows
}

/**
 * The places with these IDs, those beside them, and those with these keys. Seat moves lock no event, so each is locked
 * here, in the order of the IDs that everybody keeps to, and shown as it stands then.
 */
export const lockPlaces = async (
  tx: Tx,
  eventId: number,
  ids: readonly number[],
  keys: readonly string[],
): Promise<Place[]> => {
  const result = await sql<Place>`
    select ${COLUMNS} from places p
    where p.account_id = ${tx.accountId} and p.event_id = ${eventId} and p.id in (
      select unnest(${ids}::bigint[])
      union
      select pair_place_id from places
      where account_id = ${tx.accountId} and event_id = ${eventId} and id = any (${ids}::bigint[])
      union
      select id from places where account_id = ${tx.accountId} and event_id = ${eventId} and key = any (${keys}::text[])
    )
    order by p.id
    for update of p`.execute(tx.db)
  return result.rows
}

export interface PlaceNames {
  id: number
  key: string
  label: string
  position: number
}

/** What the places of an event are called already. */
export const findPlaceNames = async (tx: Tx, eventId: number): Promise<PlaceNames[]> => {
  const result = await sql<PlaceNames>`
    select id, key, label, position from places
    where account_id = ${tx.accountId} and event_id = ${eventId}`.execute(tx.db)
  return result.rows
}

export const isLabelTaken = async (tx: Tx, eventId: number, label: string, besideId: number): Promise<boolean> => {
  const result = await sql`
    select from places
    where account_id = ${tx.accountId} and event_id = ${eventId} and label = ${label} and id <> ${besideId}`.execute(
    tx.db,
  )
  return result.rows.length > 0
}

type PlaceColumns = Pick<
  Selectable<Places>,
  'id' | 'ticket_id' | 'label' | 'accessibility' | 'pair_place_id' | 'blocked_at'
>

/** Whoever leaves a pair leaves it before others are paired: a place is paired once at any moment. */
export const updatePlaces = async (tx: Tx, places: readonly PlaceColumns[], repaired: readonly number[]) => {
  if (repaired.length > 0) {
    await sql`
      update places set pair_place_id = null
      where account_id = ${tx.accountId} and id = any (${repaired}::bigint[]) and pair_place_id is not null`.execute(
      tx.db,
    )
  }
  await sql`
    update places p set ticket_id = given.ticket_id, label = given.label, accessibility = given.accessibility,
      pair_place_id = given.pair_place_id, blocked_at = given.blocked_at
    from json_to_recordset(${JSON.stringify(places)}::json) as given (id bigint, ticket_id bigint, label text,
      accessibility text, pair_place_id bigint, blocked_at timestamptz)
    where p.account_id = ${tx.accountId} and p.id = given.id`.execute(tx.db)
}

export const pairPlaces = async (tx: Tx, pairs: readonly { id: number; pairId: number }[]): Promise<void> => {
  if (pairs.length === 0) return
  await sql`
    update places p set pair_place_id = given."pairId"
    from json_to_recordset(${JSON.stringify(pairs)}::json) as given (id bigint, "pairId" bigint)
    where p.account_id = ${tx.accountId} and p.id = given.id`.execute(tx.db)
}

/** Cancelled admissions that once sat there keep the label; doors lock admissions in the order of their IDs too. */
export const deletePlaces = async (tx: Tx, eventId: number, ids: readonly number[], left: readonly number[]) => {
  await sql`
    select from admissions
    where account_id = ${tx.accountId} and event_id = ${eventId} and place_id = any (${ids}::bigint[])
    order by id for no key update`.execute(tx.db)
  await sql`
    update places set pair_place_id = null
    where account_id = ${tx.accountId} and id = any (${left}::bigint[])`.execute(tx.db)
  await sql`
    delete from places
    where account_id = ${tx.accountId} and event_id = ${eventId} and id = any (${ids}::bigint[])`.execute(tx.db)
}
