import { type RawBuilder, sql } from 'kysely'

/**
 * What statements about claimed deliveries share, whatever is delivered. Each table of them has the columns
 * `attempts_count`, `last_attempted_at`, `delivering_at` (claimed since), `delivered_at`, `failed_at` and
 * `failure_message`.
 */
export const IS_UNFINISHED = sql`delivered_at is null and failed_at is null`

/** A worker that died releases nothing, so a claim holds no longer than its lease. */
export const isUnclaimed = (lease: RawBuilder<unknown>) =>
  sql`(delivering_at is null or delivering_at <= foyer_now() - ${lease})`

export const SET_CLAIMED = sql`
  attempts_count = attempts_count + 1, delivering_at = foyer_now(), last_attempted_at = foyer_now()`

/** How an attempt ended: without a failure it is delivered; with one that is not final, the row may be claimed again. */
export const setAttemptEnded = (failure: string | null, isFinal: boolean) => sql`
  delivering_at = null, failure_message = ${failure}::text,
  delivered_at = case when ${failure}::text is null then foyer_now() end,
  failed_at = case when ${failure}::text is not null and ${isFinal}::boolean then foyer_now() end`
