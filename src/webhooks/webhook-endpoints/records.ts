import { type RawBuilder, sql } from 'kysely'
import type { CallerScope, Rows, Tx } from '../../access/scopes.ts'
import { runPrepared } from '../../database/prepared.ts'
import type { WebhookKind } from '../rules.ts'

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
export const visibleToCondition = (scope: CallerScope) =>
  scope.reach === 'account' ? sql`true` : sql`membership_id = ${scope.actor.membershipId}`

export const findWebhookEndpoints = async (scope: CallerScope): Promise<WebhookEndpoint[]> => {
  const { rows } = await sql<WebhookEndpoint>`
    select ${ENDPOINT} from webhook_endpoints
    where account_id = ${scope.rows.accountId} and ${visibleToCondition(scope)} order by id`.execute(scope.rows.db)
  return rows
}

export const findWebhookEndpoint = async (
  scope: CallerScope,
  publicId: string,
): Promise<WebhookEndpoint | undefined> => {
  const { rows } = await sql<WebhookEndpoint>`
    select ${ENDPOINT} from webhook_endpoints
    where account_id = ${scope.rows.accountId} and public_id = ${publicId} and ${visibleToCondition(scope)}`.execute(
    scope.rows.db,
  )
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

/** Whether anybody listens at all, as a condition within a larger statement. */
export const hasWebhooksCondition = (accountId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`exists (select from webhook_endpoints w where w.account_id = ${accountId} and w.disabled_at is null)`

/** Whether anybody listens, to a kind or at all. */
export const hasListeners = async (rows: Rows, kind: WebhookKind | null = null): Promise<boolean> => {
  const statement = sql<{ heard: boolean }>`
    select exists (
      select from webhook_endpoints
      where account_id = ${rows.accountId} and disabled_at is null
        and (kinds = '{}' or ${kind}::text is null or ${kind} = any(kinds))
    ) as heard`
  return (await runPrepared(rows.db, 'webhook-listeners', statement))[0]!.heard
}
