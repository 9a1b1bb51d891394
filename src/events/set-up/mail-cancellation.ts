import type { Tx } from '../../access/scopes.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import type { LaneJob } from '../../jobs/lane.ts'

interface MailCancellationPayload {
  accountId: number
  eventId: number
  cancelledAt: string
}

/** Worked off where orders are known; two of one event would look for the same addresses. */
export const CANCELLATION_MAILS_JOB: LaneJob<MailCancellationPayload> = {
  name: 'cancellation-mails.find-addresses',
  lane: 'mail',
  serialKey: ({ eventId }) => String(eventId),
}

/** Everybody who has a ticket is told by mail, once for this cancellation, after the transaction has committed. */
export const queueCancellationMails = (tx: Tx, eventId: number, cancelledAt: Date): Promise<void> =>
  enqueue(tx.db, CANCELLATION_MAILS_JOB, { accountId: tx.accountId, eventId, cancelledAt: cancelledAt.toISOString() })
