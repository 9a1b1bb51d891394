import { type RawBuilder, sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'
import { requireFound } from '../../kernel/refusals.ts'
import type { Shortage, ClaimRequest } from '../rules.ts'

/**
 * The step of a statement that claims inventory: `claim_verdict (refused)` is its outcome, and whatever else the
 * statement does hangs on it. A refused claim leaves no trace.
 */
export const claimCte = ({ accountId }: Rows, claim: ClaimRequest) => sql`
  claim_verdict as materialized (
    select claim_inventory(
      ${accountId}::bigint, ${claim.eventId}::bigint, ${claim.ticketId}::bigint, ${claim.quantity}::integer,
      ${claim.standingAreaId ?? null}::bigint, ${claim.placeIds ?? []}::bigint[],
      coalesce(${claim.until?.toISOString() ?? null}::timestamptz, 'infinity'), ${claim.takesHalfPairs ?? false}::boolean,
      ${claim.stockQuantity ?? claim.quantity}::integer
    ) as refused
  )`

/**
 * The same for several claims of one event, which are the rows of a step `given (n, "ticketId", quantity,
 * "standingAreaId", "placeIds")`: they are served in the order of n, each for itself. `claim_verdicts (n, refused)` is
 * the outcome. The condition on a row of `given` is asked before any claim takes a lock.
 */
export const claimCtes = ({ accountId }: Rows, eventId: number, isAllowed: RawBuilder<unknown>) => sql`
  allowed as materialized (
    select n, jsonb_build_object('n', n, 'ticket_id', "ticketId", 'quantity', quantity,
      'standing_area_id', "standingAreaId", 'place_ids', "placeIds") as claim
    from given where ${isAllowed}
  ),
  claim_verdicts as materialized (
    select given.n, case when allowed.n is null then 'code_taken' else claimed.refused end as refused
    from given left join allowed using (n)
      left join claim_inventories(${accountId}::bigint, ${eventId}::bigint,
        (select coalesce(jsonb_agg(claim order by n), '[]') from allowed)) claimed using (n)
  )`

export const tryClaimInventory = async (rows: Rows, claim: ClaimRequest): Promise<Shortage | null> => {
  const result = await sql<{ refused: Shortage | null }>`
    with ${claimCte(rows, claim)}
    select refused from claim_verdict`.execute(rows.db)
  return requireFound(result.rows[0]).refused
}
