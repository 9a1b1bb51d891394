import type { CallerScope, Tx } from '../access/scopes.ts'
import { enqueueMany } from '../jobs/enqueue.ts'
import { newPublicId } from '../kernel/public-ids.ts'
import { DELIVER_WEBHOOK_JOB } from './rules.ts'
import { insertMessages } from './messages/records.ts'
import type { WebhookKind } from './rules.ts'

export { hasListeners } from './webhook-endpoints/records.ts'

export type WebhookKindOf<Subject extends string> = Extract<WebhookKind, `${Subject}.${string}`>
export type VoucherKind = WebhookKindOf<'voucher'>

/** Something that happened, for whoever wants to be told. It must never contain a secret. */
export interface WebhookMessage {
  kind: WebhookKind
  /** The event it is about, where it is about one. */
  eventId?: number
  payload: Record<string, unknown>
  /** What co-organizers of the event are told: nothing about money. Without it they are told nothing. */
  personalPayload?: Record<string, unknown>
}

/**
 * What happened to something of an event that is not about money: its co-organizers are told the same. `Data` is what
 * the schema of the kind says.
 */
export const webhookMessageAboutEvent = <Data extends { event: unknown }>(
  kind: WebhookKind,
  { id, slug }: { id: number; slug: string },
  told: Omit<Data, 'event'>,
): WebhookMessage => {
  const payload = { event: { id, slug }, ...told }
  return { kind, eventId: id, payload, personalPayload: payload }
}

/** Tells the account's webhooks, if and when the transaction commits. */
export const publishWebhooks = async (tx: Tx, publications: WebhookMessage[]): Promise<void> => {
  if (publications.length === 0) return
  const deliveries = await insertMessages(
    tx,
    publications.map(({ kind, eventId, payload, personalPayload }) => ({
      publicId: `msg_${newPublicId()}`,
      kind,
      eventId: eventId ?? null,
      payload,
      personalPayload: personalPayload ?? null,
    })),
  )
  await enqueueMany(
    tx.db,
    DELIVER_WEBHOOK_JOB,
    deliveries.map(({ id, endpointId }) => ({ accountId: tx.accountId, endpointId, deliveryId: id })),
  )
}

/** The same for what a caller did. That nobody listens was found out with the caller, so then it costs nothing. */
export const publishWebhooksOfCaller = async (
  { caller }: CallerScope,
  tx: Tx,
  publications: () => WebhookMessage[],
): Promise<void> => {
  if (caller.hasWebhooks) await publishWebhooks(tx, publications())
}
