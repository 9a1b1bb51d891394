import { type RawBuilder, sql } from 'kysely'
import type { CallerScope, Rows, Tx } from '../access/scopes.ts'
import type { Database } from '../database/database.ts'
import type { WebhookKind } from './rules.ts'

export interface WebhookEndpoint {
  id: number
  publicId: string
  url: string
  description: string
  kinds: WebhookKind[]
  isPersonal: boolean
  disabledAt: Date | null
  disabledReason: string | null
  createdAt: Date
  updatedAt: Date
}

const ENDPOINT = sql`
  id, public_id as "publicId", url, description, kinds, membership_id is not null as "isPersonal",
  disabled_at as "disabledAt", disabled_reason as "disabledReason", created_at as "createdAt", updated_at as "updatedAt"`

/** Co-organizers see their own, everyone else all of the account's. */
const within = (scope: CallerScope) =>
  scope.reach === 'account' ? sql`true` : sql`membership_id = ${scope.actor.membershipId}`

export const findWebhookEndpoints = async (scope: CallerScope): Promise<WebhookEndpoint[]> => {
  const { rows } = await sql<WebhookEndpoint>`
    select ${ENDPOINT} from webhook_endpoints
    where account_id = ${scope.rows.accountId} and ${within(scope)} order by id`.execute(scope.rows.db)
  return rows
}

export const findWebhookEndpoint = async (
  scope: CallerScope,
  publicId: string,
): Promise<WebhookEndpoint | undefined> => {
  const { rows } = await sql<WebhookEndpoint>`
    select ${ENDPOINT} from webhook_endpoints
    where account_id = ${scope.rows.accountId} and public_id = ${publicId} and ${within(scope)}`.execute(scope.rows.db)
  return rows[0]
}

export interface NewWebhookEndpoint {
  publicId: string
  url: string
  description: string
  kinds: WebhookKind[]
  secretSealed: Buffer
  membershipId: number | null
}

export const insertWebhookEndpoint = async (tx: Tx, endpoint: NewWebhookEndpoint): Promise<WebhookEndpoint> => {
  const { rows } = await sql<WebhookEndpoint>`
    insert into webhook_endpoints
      (account_id, public_id, url, description, kinds, secret_sealed, membership_id, membership_epoch)
    values (${tx.accountId}, ${endpoint.publicId}, ${endpoint.url}, ${endpoint.description}, ${endpoint.kinds}::text[],
      ${endpoint.secretSealed}, ${endpoint.membershipId}, (
        select credential_epoch from memberships
        where account_id = ${tx.accountId} and id = ${endpoint.membershipId}))
    returning ${ENDPOINT}`.execute(tx.db)
  return rows[0]!
}

export const countWebhookEndpoints = async (tx: Tx): Promise<number> => {
  await sql`select from accounts where id = ${tx.accountId} for no key update`.execute(tx.db)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_endpoints where account_id = ${tx.accountId}`.execute(tx.db)
  return rows[0]!.count
}

export interface EndpointChange {
  id: number
  url: string
  description: string
  kinds: WebhookKind[]
  enabled: boolean
}

export const updateWebhookEndpoint = async (tx: Tx, change: EndpointChange): Promise<WebhookEndpoint> => {
  const { rows } = await sql<WebhookEndpoint>`
    update webhook_endpoints set url = ${change.url}, description = ${change.description}, kinds = ${change.kinds}::text[],
      failing_since = case when ${change.enabled} and disabled_at is not null then null else failing_since end,
      disabled_at = case when ${change.enabled} then null else coalesce(disabled_at, foyer_now()) end,
      disabled_reason = case when ${change.enabled} then null else coalesce(disabled_reason, 'switched off') end
    where account_id = ${tx.accountId} and id = ${change.id} returning ${ENDPOINT}`.execute(tx.db)
  return rows[0]!
}

export const deleteWebhookEndpoint = async (tx: Tx, id: number): Promise<void> => {
  await sql`delete from webhook_endpoints where account_id = ${tx.accountId} and id = ${id}`.execute(tx.db)
}

export interface NewMessage {
  publicId: string
  kind: WebhookKind
  eventId: number | null
  payload: object
  personalPayload: object | null
}

/** Whether anybody listens at all, as a condition within a larger statement. */
export const hasWebhooks = (accountId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`exists (select from webhook_endpoints w where w.account_id = ${accountId} and w.disabled_at is null)`

/** Whether anybody listens, to a kind or at all. */
export const hasListeners = async (rows: Rows, kind: WebhookKind | null = null): Promise<boolean> => {
  const { rows: heard } = await sql<{ heard: boolean }>`
    select exists (
      select from webhook_endpoints
      where account_id = ${rows.accountId} and disabled_at is null
        and (kinds = '{}' or ${kind}::text is null or ${kind} = any(kinds))
    ) as heard`.execute(rows.db)
  return heard[0]!.heard
}

export interface DeliveryKey {
  id: number
  endpointId: number
}

/**
 * Writes the messages somebody wants, with one delivery for each who does; answers with the deliveries. Whoever
 * takes an endpoint away at the same moment is waited for: then it is not told, instead of failing what is told about.
 */
export const insertMessages = async (tx: Tx, messages: NewMessage[]): Promise<DeliveryKey[]> => {
  const { rows } = await sql<DeliveryKey>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(messages)}::json) as given (
        "publicId" text, kind text, "eventId" bigint, payload jsonb, "personalPayload" jsonb)
    ), wanted as materialized (
      select given."publicId", endpoint.id as endpoint_id
      from given join webhook_endpoints endpoint
        on endpoint.account_id = ${tx.accountId} and endpoint.disabled_at is null
          and (endpoint.kinds = '{}' or given.kind = any(endpoint.kinds))
          and (endpoint.membership_id is null
            or (given."eventId" is not null and jsonb_typeof(given."personalPayload") = 'object'))
      for key share of endpoint
    ), messages as (
      insert into webhook_messages (account_id, public_id, kind, event_id, payload, personal_payload)
      select ${tx.accountId}, "publicId", kind, "eventId", payload, nullif("personalPayload", 'null')
      from given where "publicId" in (select "publicId" from wanted)
      returning id, public_id
    )
    insert into webhook_deliveries (account_id, public_id, endpoint_id, message_id, next_attempt_at)
    select ${tx.accountId}, substr(encode(sha256(convert_to(wanted."publicId" || '/' || endpoint_id, 'UTF8')), 'hex'), 1, 32), endpoint_id,
      messages.id, foyer_now()
    from wanted join messages on messages.public_id = wanted."publicId"
    returning id, endpoint_id as "endpointId"`.execute(tx.db)
  return rows
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
      where d.account_id = ${tx.accountId} and d.public_id = ${publicId} and ${within(scope)} for update of d
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

/** Claims a delivery for this attempt, unless it is over, not due, or somebody else is at it. */
export const claimDelivery = async (tx: Tx, id: number): Promise<ClaimedDelivery | undefined> => {
  const { rows } = await sql<ClaimedDelivery>`
    with claimed as (
      update webhook_deliveries set attempts_count = attempts_count + 1, delivering_at = foyer_now(),
        last_attempted_at = foyer_now(), next_attempt_at = null
      where account_id = ${tx.accountId} and id = ${id} and delivered_at is null and failed_at is null
        and (delivering_at is null or delivering_at < foyer_now() - interval '5 minutes')
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
export const claimHoldsFor = async (rows: Rows, id: number): Promise<number | null> => {
  const { rows: claims } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from delivering_at + interval '5 minutes' - foyer_now()))::int as seconds
    from webhook_deliveries
    where account_id = ${rows.accountId} and id = ${id} and delivered_at is null and failed_at is null
      and delivering_at is not null`.execute(rows.db)
  return claims[0]?.seconds ?? null
}

export interface Outcome {
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
export const recordOutcome = async (tx: Tx, id: number, outcome: Outcome): Promise<boolean> => {
  const { rows } = await sql`
    with ended as (
      update webhook_deliveries set delivering_at = null, response_status = ${outcome.status},
        failure_message = ${outcome.failure},
        delivered_at = case when ${outcome.failure}::text is null then foyer_now() end,
        failed_at = case when ${outcome.failure}::text is not null and ${outcome.pause}::int is null then foyer_now() end,
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

export const forgetOldMessages = async (database: Database): Promise<void> => {
  await sql`delete from webhook_messages where created_at < foyer_now() - interval '30 days'`.execute(database.kysely)
}
