import { sql } from 'kysely'
import type { Rows, Tx } from '../access/scopes.ts'
import type { Database } from '../database/database.ts'
import { runPrepared } from '../database/prepared.ts'
import { requireFound } from '../kernel/refusals.ts'
import { DRAW_AFTER_START_MS, type QueueState, type QueuePlace } from './rules.ts'

interface LookRow {
  now: Date
  salesStartsAt: Date | null
  isOpen: boolean
  drawnAt: Date | null
  placeCount: number
  lastRank: number
  calledRank: number
  calledAt: Date
  placeId: number | null
  rank: number | null
  turnEndsAt: Date | null
  takenUpAt: Date | null
  usedAt: Date | null
}

/** What somebody finds who asks: whether there is a line, how it stands, and the place that the token names. */
export interface QueueReading {
  isOpen: boolean
  line: QueueState
  place: QueuePlace | null
}

/** One answer for each digest, in their order; null asks for the line alone. Nothing is locked. */
export const readQueue = async (
  { accountId, db }: Rows,
  eventId: number,
  digests: readonly (Buffer | null)[],
): Promise<QueueReading[]> => {
  const statement = sql<LookRow>`
    select foyer_now() as now, e.sales_starts_at as "salesStartsAt",
      r.event_id is not null and r.closed_at is null as "isOpen", r.drawn_at as "drawnAt",
      coalesce(r.place_count, 0) as "placeCount", coalesce(r.last_rank, 0) as "lastRank",
      coalesce(r.called_rank, 0) as "calledRank", coalesce(r.called_at, foyer_now()) as "calledAt",
      p.id as "placeId", p.rank, p.turn_ends_at as "turnEndsAt", p.taken_up_at as "takenUpAt", p.used_at as "usedAt"
    from unnest(${digests}::bytea[]) with ordinality as asked (digest, n)
    join events e on e.account_id = ${accountId}::bigint and e.id = ${eventId}::bigint
    left join waiting_rooms r on r.account_id = e.account_id and r.event_id = e.id
    left join queue_places p
      on p.account_id = e.account_id and p.token_digest = asked.digest and p.event_id = e.id
    order by asked.n`
  const rows = await runPrepared(db, 'look-at-line', statement)
  return rows.map(({ isOpen, placeId, rank, turnEndsAt, takenUpAt, usedAt, ...line }) => ({
    isOpen,
    line,
    place: placeId === null ? null : { id: placeId, rank, turnEndsAt, takenUpAt, usedAt },
  }))
}

/**
 * Opens the line of an event, or opens it again, and locks it: everybody who changes a line waits here. Early comers
 * will be drawn; at any other time there is nothing to draw.
 */
export const openAndLockQueue = async (tx: Tx, eventId: number): Promise<QueueState> => {
  const statement = sql<QueueState>`
    insert into waiting_rooms as r (account_id, event_id, drawn_at)
    select e.account_id, e.id,
      case when e.sales_starts_at + make_interval(secs => ${DRAW_AFTER_START_MS / 1_000}) > foyer_now() then null else foyer_now() end
    from events e where e.account_id = ${tx.accountId}::bigint and e.id = ${eventId}::bigint
    on conflict (account_id, event_id) do update set closed_at = null,
      opened_at = case when r.closed_at is null then r.opened_at else foyer_now() end,
      drawn_at = case when r.closed_at is null then r.drawn_at else coalesce(excluded.drawn_at, r.drawn_at) end,
      called_at = case when r.closed_at is null then r.called_at else greatest(r.called_at, foyer_now()) end
    returning foyer_now() as now,
      (select e.sales_starts_at from events e where e.account_id = r.account_id and e.id = r.event_id) as "salesStartsAt",
      drawn_at as "drawnAt", place_count as "placeCount", last_rank as "lastRank", called_rank as "calledRank",
      called_at as "calledAt"`
  const [line] = await runPrepared(tx.db, 'lock-line', statement)
  return requireFound(line)
}

/** Gives everybody who has no rank yet one by lot, and answers with the last. */
export const assignRandomRanks = async (tx: Tx, eventId: number, after: number): Promise<number> => {
  // The seed is drawn here and kept by nobody, so a token tells its owner nothing about the lot beforehand.
  const { rows } = await sql<{ drawn: number }>`
    with seed as materialized (select gen_random_uuid()::text as seed),
    lots as (
      select p.id, ${after}::bigint + row_number() over (order by sha256(convert_to(s.seed, 'UTF8') || p.token_digest)) as rank
      from queue_places p, seed s
      where p.account_id = ${tx.accountId} and p.event_id = ${eventId} and p.rank is null
    ),
    drawn as (
      update queue_places p set rank = lots.rank from lots
      where p.account_id = ${tx.accountId} and p.id = lots.id
      returning 1
    )
    select count(*)::int as drawn from drawn`.execute(tx.db)
  return after + requireFound(rows[0]).drawn
}

/** New places at the end of the line, in this order; without a first rank they wait for the draw. */
export const insertQueuePlaces = async (
  tx: Tx,
  eventId: number,
  digests: readonly Buffer[],
  firstRank: number | null,
): Promise<void> => {
  const statement = sql`
    insert into queue_places (account_id, event_id, token_digest, rank)
    select ${tx.accountId}::bigint, ${eventId}::bigint, given.digest, ${firstRank}::bigint + given.n - 1
    from unnest(${digests}::bytea[]) with ordinality as given (digest, n)`
  await runPrepared(tx.db, 'insert-places-in-line', statement)
}

/** Turns that were called or taken up, not used, and not over. */
export const countOpenTurns = async ({ accountId, db }: Rows, eventId: number): Promise<number> => {
  const statement = sql<{ turns: number }>`
    select count(*)::int as turns from queue_places
    where account_id = ${accountId}::bigint and event_id = ${eventId}::bigint and used_at is null
      and turn_ends_at > foyer_now()`
  const [counted] = await runPrepared(db, 'count-turns', statement)
  return requireFound(counted).turns
}

export const callNextPlaces = async (
  tx: Tx,
  eventId: number,
  { after, count, endsAt }: { after: number; count: number; endsAt: Date },
): Promise<void> => {
  const statement = sql`
    update queue_places set turn_ends_at = ${endsAt.toISOString()}::timestamptz
    where account_id = ${tx.accountId}::bigint and event_id = ${eventId}::bigint
      and rank > ${after}::bigint and rank <= ${after}::bigint + ${count}::int`
  await runPrepared(tx.db, 'call-places', statement)
}

/** As if everybody who was not called yet had been, and had not come. */
export const endUncalledTurns = async (tx: Tx, eventId: number, after: number): Promise<void> => {
  await sql`
    update queue_places set turn_ends_at = foyer_now()
    where account_id = ${tx.accountId} and event_id = ${eventId} and rank > ${after}`.execute(tx.db)
}

/** Somebody still asks about a line that stands still. */
export const touchWaitingRoom = async ({ accountId, db }: Rows, eventId: number): Promise<void> => {
  await sql`
    update waiting_rooms set called_at = greatest(called_at, foyer_now())
    where account_id = ${accountId} and event_id = ${eventId} and closed_at is null`.execute(db)
}

/** The places of these tokens, in the order of their ranks. */
export const findQueuePlaces = async (
  { accountId, db }: Rows,
  eventId: number,
  digests: readonly Buffer[],
): Promise<(QueuePlace & { tokenDigest: Buffer })[]> => {
  const statement = sql<QueuePlace & { tokenDigest: Buffer }>`
    select id, token_digest as "tokenDigest", rank, turn_ends_at as "turnEndsAt", taken_up_at as "takenUpAt",
      used_at as "usedAt"
    from queue_places
    where account_id = ${accountId}::bigint and event_id = ${eventId}::bigint and token_digest = any (${digests}::bytea[])
    order by rank nulls last, id`
  return runPrepared(db, 'places-in-line', statement)
}

export const recordTurnsTakenUp = async (tx: Tx, ids: readonly number[], endsAt: Date): Promise<void> => {
  const statement = sql`
    update queue_places set taken_up_at = foyer_now(), turn_ends_at = ${endsAt.toISOString()}::timestamptz
    where account_id = ${tx.accountId}::bigint and id = any (${ids}::bigint[])`
  await runPrepared(tx.db, 'take-up-turns', statement)
}

export const updateWaitingRoom = async (
  tx: Tx,
  eventId: number,
  line: Omit<QueueState, 'now' | 'salesStartsAt'> & { isOver: boolean },
): Promise<void> => {
  const statement = sql`
    update waiting_rooms set drawn_at = ${line.drawnAt?.toISOString() ?? null}::timestamptz,
      place_count = ${line.placeCount}::int, last_rank = ${line.lastRank}::bigint, called_rank = ${line.calledRank}::bigint,
      called_at = ${line.calledAt.toISOString()}::timestamptz,
      closed_at = case when ${line.isOver}::boolean then foyer_now() end
    where account_id = ${tx.accountId}::bigint and event_id = ${eventId}::bigint`
  await runPrepared(tx.db, 'record-line', statement)
}

/** Uses turns that are not over, and answers with those that could be: of two who use the same one, the second cannot. */
export const recordUsedTurns = async (tx: Tx, placeIds: readonly number[]): Promise<number[]> => {
  const statement = sql<{ id: number }>`
    with mine as materialized (
      select id from queue_places
      where account_id = ${tx.accountId}::bigint and id = any (${placeIds}::bigint[]) and used_at is null
        and turn_ends_at > foyer_now()
      order by id for no key update
    )
    update queue_places p set used_at = foyer_now() from mine
    where p.account_id = ${tx.accountId}::bigint and p.id = mine.id
    returning p.id`
  return (await runPrepared(tx.db, 'use-turns', statement)).map(({ id }) => id)
}

/** In the transaction that used them: what they were used for could not be had. */
export const recordUnusedTurns = async (tx: Tx, placeIds: readonly number[]): Promise<void> => {
  await sql`
    update queue_places set used_at = null where account_id = ${tx.accountId} and id = any (${placeIds}::bigint[])`.execute(
    tx.db,
  )
}

/** Lines that nobody has asked about for a while: of an early one, since the sale began. */
export const deleteAbandonedQueues = async ({ kysely }: Database, afterMs: number): Promise<void> => {
  await sql`
    delete from waiting_rooms r using events e
    where e.account_id = r.account_id and e.id = r.event_id
      and greatest(r.called_at, r.opened_at, r.closed_at, case when r.closed_at is null then e.sales_starts_at end)
        < foyer_now() - make_interval(secs => ${afterMs / 1_000})`.execute(kysely)
}
