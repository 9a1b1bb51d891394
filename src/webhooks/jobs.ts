import { z } from 'zod'
import { openAccountForJob } from '../access/job-scope.ts'
import type { App } from '../access/app.ts'
import type { AccountScope, Tx } from '../access/scopes.ts'
import { defineAppJob } from '../jobs/context.ts'
import { enqueue } from '../jobs/enqueue.ts'
import {
  type DeliveryKey,
  type ClaimedDelivery,
  claimDelivery,
  claimHoldsFor,
  forgetOldMessages,
  recordOutcome,
} from './records.ts'
import { DELIVER, pauseAfter } from './rules.ts'
import { type Sent, send } from './send.ts'
import { openSecret } from './secret.ts'
import { signedHeaders } from './signature.ts'

const GONE = 410

/** Sends one message to one endpoint, and comes back later when it did not arrive. */
const deliverWebhook = defineAppJob({
  ...DELIVER,
  payload: z.object({ accountId: z.number(), endpointId: z.number(), deliveryId: z.number() }),
  run: async ({ accountId, endpointId, deliveryId }, { context: { app }, signal }) => {
    const scope = await openAccountForJob(app, accountId)
    if (!scope) return
    const errand = await scope.transaction((tx) => claimDelivery(tx, deliveryId))
    if (!errand) return waitForClaim(scope, { id: deliveryId, endpointId })

    const { attempt, isAllowed } = errand
    const sent = isAllowed ? await deliver(app, errand, signal) : NOBODY_LISTENS
    const isGone = sent.status === GONE
    const pause = sent.failure === null || isGone || !isAllowed ? null : pauseAfter(attempt)
    await scope.transaction(async (tx) => {
      const isLatest = await recordOutcome(tx, deliveryId, { attempt, ...sent, pause, isGone })
      if (isLatest && pause !== null) await tryAgainIn(tx, pause, { id: deliveryId, endpointId })
    })
  },
})

const tryAgainIn = (tx: Tx, seconds: number, { id, endpointId }: DeliveryKey) =>
  enqueue(
    tx.db,
    DELIVER,
    { accountId: tx.accountId, endpointId, deliveryId: id },
    { runAt: new Date(Date.now() + Math.max(seconds, 1) * 1000) },
  )

/** Its worker may have died: then nobody else would come back to it. */
const waitForClaim = async (scope: AccountScope, delivery: DeliveryKey) => {
  const seconds = await claimHoldsFor(scope.rows, delivery.id)
  if (seconds !== null) await scope.transaction((tx) => tryAgainIn(tx, seconds, delivery))
}

const NOBODY_LISTENS: Sent = { status: null, failure: 'Nobody may hear of it there any more' }

const deliver = ({ secrets, settings, clock }: App, errand: ClaimedDelivery, signal: AbortSignal): Promise<Sent> => {
  const { url, secretSealed, messageId, kind, payload, createdAt } = errand
  const body = JSON.stringify({ type: kind, timestamp: createdAt.toISOString(), data: payload })
  const timestamp = Math.floor(clock.now().getTime() / 1000)
  const headers = signedHeaders(openSecret(secrets, secretSealed), { id: messageId, timestamp, body })
  return send(settings, url, { headers, body: Buffer.from(body), signal })
}

const forgetWebhookMessages = defineAppJob({
  name: 'webhooks.forget-old-messages',
  payload: z.object({}),
  every: '1 day',
  run: (_payload, { context }) => forgetOldMessages(context.app.database),
})

export const webhookJobs = [deliverWebhook, forgetWebhookMessages]
