import { sql } from 'kysely'
import type { Tx } from '../../access/scopes.ts'
import type { Database } from '../../database/database.ts'
import type { DeliveryKey } from '../deliveries/records.ts'
import type { WebhookKind } from '../rules.ts'

export interface NewMessage {
  publicId: string
  kind: WebhookKind
  eventId: number | null
  payload: object
  personalPayload: object | null
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

export const deleteOldMessages = async (database: Database): Promise<void> => {
  await sql`delete from webhook_messages where created_at < foyer_now() - interval '30 days'`.execute(database.kysely)
}
