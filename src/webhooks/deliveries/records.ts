import { sql } from 'kysely'
import type { CallerScope, Rows, Tx } from '../../access/scopes.ts'
import { SET_CLAIMED, IS_UNFINISHED, setAttemptEnded, isUnclaimed } from '../../jobs/deliveries/records.ts'
import { visibleToCondition } from '../webhook-endpoints/records.ts'

export interface DeliveryKey {
  id: number
  endpointId: number
}

export interface WebhookDelivery {
  publicId: string
  messageId: string
  kind: string
  attemptsCount: number
  lastAttemptedAt: Date | null
  nextAttemptAt: Date | null
  responseStatus: number | null
  failureMessage: string | null
  deliveredAt: Date | null
  failedAt: Date | null
  createdAt: Date
}

export const findDeliveries = async (rows: Rows, endpointId: number, limit: number): Promise<WebhookDelivery[]> => {
  const { rows: deliveries } = await sql<WebhookDelivery>`
    select d.public_id as "publicId", m.public_id as "messageId", m.kind, d.attempts_count as "attemptsCount",
      d.last_attempted_at as "lastAttemptedAt", d.next_attempt_at as "nextAttemptAt",
      d.response_status as "responseStatus", d.failure_message as "failureMessage",
      d.delivered_at as "deliveredAt", d.failed_at as "failedAt", d.created_at as "createdAt"
    from webhook_deliveries d join webhook_messages m on m.account_id = d.account_id and m.id = d.message_id
    where d.account_id = ${rows.accountId} and d.endpoint_id = ${endpointId}
    order by d.id desc limit ${limit}`.execute(rows.db)
  return deliveries
}

/** Makes a finished delivery due again; null when there is none that the caller may see, false when it is under way. */
export const reopenDelivery = async (
  scope: CallerScope,
  tx: Tx,
  publicId: string,
): Promise<DeliveryKey | false | null> => {
  const { rows } = await sql<DeliveryKey & { reopened: boolean }>`
    with found as (
      select d.id, d.endpoint_id, d.delivered_at is not null or d.failed_at is not null as is_over
      from webhook_deliveries d
      join webhook_endpoints e on e.account_id = d.account_id and e.id = d.endpoint_id
      where d.account_id = ${tx.accountId} and d.public_id = ${publicId} and ${visibleToCondition(scope)} for update of d
    ), reopened as (
      update webhook_deliveries set attempts_count = 0, delivered_at = null, failed_at = null, failure_message = null,
        delivering_at = null, next_attempt_at = foyer_now()
      where account_id = ${tx.accountId} and id = (select id from found where is_over)
      returning id
    )
    select id, endpoint_id as "endpointId", is_over as reopened from found`.execute(tx.db)
  const delivery = rows[0]
  if (!delivery) return null
  return delivery.reopened && delivery
}

export interface ClaimedDelivery {
  attempt: number
  url: string
  secretSealed: Buffer
  messageId: string
  kind: string
  payload: object
  createdAt: Date
  /** Whether this person, if it is a person's, may still hear of it. */
  isAllowed: boolean
}

const LEASE = sql`interval '5 minutes'`

/** Claims a delivery for this attempt, unless it is over, not due, or somebody else is at it. */
export const claimDelivery = async (tx: Tx, id: number): Promise<ClaimedDelivery | undefined> => {
  const { rows } = await sql<ClaimedDelivery>`
    with claimed as (
      update webhook_deliveries set ${SET_CLAIMED}, next_attempt_at = null
      where account_id = ${tx.accountId} and id = ${id} and ${IS_UNFINISHED} and ${isUnclaimed(LEASE)}
      returning endpoint_id, message_id, attempts_count
    )
    select claimed.attempts_count as attempt, e.url, e.secret_sealed as "secretSealed", m.public_id as "messageId", m.kind,
      -- taken as not null: payload (only messages with a payload for persons are delivered to one)
      case when e.membership_id is null then m.payload else m.personal_payload end as payload,
      m.created_at as "createdAt",
      e.disabled_at is null and (e.membership_id is null or exists (
        select from memberships ms join assignments a
          on a.account_id = ms.account_id and a.membership_id = ms.id and a.event_id = m.event_id
        where ms.account_id = e.account_id and ms.id = e.membership_id and ms.deactivated_at is null
          and ms.credential_epoch = e.membership_epoch)) as "isAllowed"
    from claimed
    join webhook_endpoints e on e.account_id = ${tx.accountId} and e.id = claimed.endpoint_id
    join webhook_messages m on m.account_id = ${tx.accountId} and m.id = claimed.message_id`.execute(tx.db)
  return rows[0]
}

/** How long a claim by somebody else still holds, in seconds; null when there is none. */
export const secondsUntilClaimEnds = async (rows: Rows, id: number): Promise<number | null> => {
  const { rows: claims } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from delivering_at + ${LEASE} - foyer_now()))::int as seconds
    from webhook_deliveries
    where account_id = ${rows.accountId} and id = ${id} and ${IS_UNFINISHED}
      and delivering_at is not null`.execute(rows.db)
  return claims[0]?.seconds ?? null
}

export interface DeliveryOutcome {
  attempt: number
  status: number | null
  failure: string | null
  /** Seconds until the next attempt; null when this one was the last. */
  pause: number | null
  isGone: boolean
}

/**
 * Writes how an attempt ended, if it is still the latest one. An endpoint that is gone, or has failed for three days,
 * is switched off.
 */
export const recordOutcome = async (tx: Tx, id: number, outcome: DeliveryOutcome): Promise<boolean> => {
  const { rows } = await sql`
    with ended as (
      update webhook_deliveries set ${setAttemptEnded(outcome.failure, outcome.pause === null)},
        response_status = ${outcome.status},
        next_attempt_at = foyer_now() + make_interval(secs => ${outcome.pause}::int)
      where account_id = ${tx.accountId} and id = ${id} and attempts_count = ${outcome.attempt}
        and delivering_at is not null
      returning endpoint_id
    ), judged as (
      update webhook_endpoints set
        failing_since = case when ${outcome.failure}::text is null then null else coalesce(failing_since, foyer_now()) end,
        disabled_at = case
          when ${outcome.isGone} or (${outcome.failure}::text is not null and failing_since < foyer_now() - interval '3 days')
          then coalesce(disabled_at, foyer_now()) else disabled_at end,
        disabled_reason = case
          when ${outcome.isGone} then coalesce(disabled_reason, 'the address said that it is gone')
          when ${outcome.failure}::text is not null and failing_since < foyer_now() - interval '3 days'
          then coalesce(disabled_reason, 'nothing has arrived for three days') else disabled_reason end
      where account_id = ${tx.accountId} and id = (select endpoint_id from ended)
        and (failing_since is not null or ${outcome.failure}::text is not null)
    )
    select from ended`.execute(tx.db)
  return rows.length > 0
}
