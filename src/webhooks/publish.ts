import type { Tx } from '../access/scopes.ts'
import { enqueueMany } from '../jobs/enqueue.ts'
import { newPublicId } from '../kernel/public-ids.ts'
import { DELIVER } from './rules.ts'
import { insertMessages } from './records.ts'
import type { WebhookKind } from './rules.ts'

export { isHeard } from './records.ts'

export type VoucherKind = Extract<WebhookKind, `voucher.${string}`>

/** Something that happened, for whoever wants to be told. It must never contain a secret. */
export interface Publication {
  kind: WebhookKind
  /** The event it is about, where it is about one. */
  eventId?: number
  payload: Record<string, unknown>
  /** What co-organizers of the event are told: nothing about money. Without it they are told nothing. */
  personalPayload?: Record<string, unknown>
}

/** Tells the account's webhooks, if and when the transaction commits. */
export const publish = async (tx: Tx, publications: Publication[]): Promise<void> => {
  if (publications.length === 0) return
  const ids = await insertMessages(
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
    DELIVER,
    ids.map((deliveryId) => ({ accountId: tx.accountId, deliveryId })),
  )
}
