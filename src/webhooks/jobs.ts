import { z } from 'zod'
import type { App } from '../access/app.ts'
import { defineAppJob } from '../jobs/context.ts'
import { attemptDelivery, timeInSeconds } from '../jobs/deliveries/deliver.ts'
import { type ClaimedDelivery, claimDelivery, secondsUntilClaimEnds, recordOutcome } from './deliveries/records.ts'
import { queueDelivery } from './deliveries/queue-delivery.ts'
import { type SendResult, postWebhook } from './deliveries/send.ts'
import { signedHeaders } from './signature.ts'
import { deleteOldMessages } from './messages/records.ts'
import { DELIVER_WEBHOOK_JOB, retryDelaySecondsAfter } from './rules.ts'
import { unsealSecret } from './secret.ts'

const GONE = 410

/** Sends one message to one endpoint, and comes back later when it did not arrive. */
const deliverWebhook = defineAppJob({
  ...DELIVER_WEBHOOK_JOB,
  payload: z.object({ accountId: z.number(), endpointId: z.number(), deliveryId: z.number() }),
  run: async ({ accountId, endpointId, deliveryId }, { context: { app }, signal }) => {
    const key = { id: deliveryId, endpointId }
    const sent = await attemptDelivery<ClaimedDelivery, SendResult>(app, accountId, {
      claim: (tx) => claimDelivery(tx, deliveryId),
      findWait: (rows) => secondsUntilClaimEnds(rows, deliveryId),
      attempt: async (_scope, claimed) => (claimed.isAllowed ? call(app, claimed, signal) : NOBODY_LISTENS),
      record: async (_scope, tx, { attempt, isAllowed }, sent) => {
        const isGone = sent.status === GONE
        const pause = sent.failure === null || isGone || !isAllowed ? null : retryDelaySecondsAfter(attempt)
        const isLatest = await recordOutcome(tx, deliveryId, { attempt, ...sent, pause, isGone })
        if (isLatest && pause !== null) await queueDelivery(tx, key, timeInSeconds(pause))
      },
      queue: (tx, runAt) => queueDelivery(tx, key, runAt),
    })
    if (sent) app.metrics?.countWebhook(sent.failure === null ? 'delivered' : 'failed')
  },
})

const NOBODY_LISTENS: SendResult = { status: null, failure: 'Nobody may hear of it there any more' }

const call = (
  { secrets, settings, clock }: App,
  claimed: ClaimedDelivery,
  signal: AbortSignal,
): Promise<SendResult> => {
  const { url, secretSealed, messageId, kind, payload, createdAt } = claimed
  const body = JSON.stringify({ type: kind, timestamp: createdAt.toISOString(), data: payload })
  const timestamp = Math.floor(clock.now().getTime() / 1000)
  const headers = signedHeaders(unsealSecret(secrets, secretSealed), { id: messageId, timestamp, body })
  return postWebhook(settings, url, { headers, body: Buffer.from(body), signal })
}

const forgetWebhookMessages = defineAppJob({
  name: 'webhooks.forget-old-messages',
  payload: z.object({}),
  every: '1 day',
  run: (_payload, { context }) => deleteOldMessages(context.app.database),
})

export const webhookJobs = [deliverWebhook, forgetWebhookMessages]
