import { sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'
import type { Database } from '../../database/database.ts'
import { runPrepared } from '../../database/prepared.ts'
import { found } from '../../kernel/refusals.ts'
import { claimStep } from '../claims/records.ts'
import { releaseSteps } from '../releases/records.ts'
import type { Shortage, Claim } from '../rules.ts'

export const claimAndHold = async (rows: Rows, claim: Claim & { until: Date }): Promise<Shortage | null> => {
  const result = await sql<{ refused: Shortage | null }>`
    with ${claimStep(rows, claim)},
    made as (
      insert into holds (account_id, event_id, ticket_id, standing_area_id, quantity, expires_at)
      select ${rows.accountId}, ${claim.eventId}, ${claim.ticketId}, ${claim.standingAreaId ?? null}::bigint,
        ${claim.quantity}, ${claim.until.toISOString()}::timestamptz
      from claim_verdict where refused is null
      returning id
    ),
    kept as (
      insert into held_places (account_id, event_id, hold_id, place_id)
      select ${rows.accountId}, ${claim.eventId}, made.id, place_id
      from made, unnest(${claim.placeIds ?? []}::bigint[]) as place_id
    )
    select refused from claim_verdict`.execute(rows.db)
  return found(result.rows[0]).refused
}

/**
 * Ends the holds of an event whose time is over, and says how many. The event is locked before the holds, so that
 * whoever comes with the event already locked meets nobody who waits for it.
 */
export const endExpiredHolds = async (rows: Rows, eventId: number): Promise<number> => {
  const statement = sql<{ count: number }>`
    with first as materialized (
      select e.id from events e
      where e.account_id = ${rows.accountId}::bigint and e.id = ${eventId}::bigint for no key update
    ),
    gone as (
      delete from holds h using first
      where h.account_id = ${rows.accountId} and h.event_id = first.id and h.expires_at <= foyer_now()
      returning h.id, h.ticket_id, h.standing_area_id, h.quantity
    ),
    gone_places as (
      select k.place_id from gone join held_places k
        on k.account_id = ${rows.accountId} and k.event_id = ${eventId} and k.hold_id = gone.id
    ),
    ${releaseSteps(rows, eventId)}
    select count(*)::int as count from gone`
  const [ended] = await runPrepared(rows.db, 'end-expired-holds', statement)
  return found(ended).count
}

export const findEventsWithExpiredHolds = async ({ kysely }: Database) => {
  const { rows } = await sql<{ accountId: number; eventId: number }>`
    select distinct account_id as "accountId", event_id as "eventId" from holds where expires_at <= foyer_now()`.execute(
    kysely,
  )
  return rows
}
