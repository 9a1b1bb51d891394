import { z } from 'zod'
import type { AccountScope, Tx } from '../../access/scopes.ts'
import { defineAppJob } from '../../jobs/context.ts'
import { attemptDelivery } from '../../jobs/deliveries/deliver.ts'
import { UndeliverableAddress } from '../../mail/address.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { findVenueSender } from '../../mail/records.ts'
import { unsealCode } from '../codes.ts'
import { findVouchersById } from '../ledger/records.ts'
import { publishDeliveryWebhook } from './announce-delivery.ts'
import { DELIVERY_ATTEMPTS_MAX, DELIVER_VOUCHER_JOB, queueDelivery } from './queue-delivery.ts'
import { type ClaimedDelivery, claimDelivery, recordDeliveryOutcome, secondsUntilClaimable } from './records.ts'
import { voucherMail } from './voucher-mail.ts'

const MESSAGE_MAX = 500

/** Mails a voucher. A failure that may pass is thrown again, so that the job waits and comes back. */
export const deliverVoucher = defineAppJob({
  ...DELIVER_VOUCHER_JOB,
  payload: z.object({ accountId: z.number(), deliveryId: z.number() }),
  attempts: DELIVERY_ATTEMPTS_MAX,
  run: async ({ accountId, deliveryId }, { context: { app, mailer }, isLastAttempt }) => {
    const isFinal = (error: Error) => isLastAttempt || error instanceof UndeliverableAddress
    const outcome = await attemptDelivery<ClaimedDelivery, Outcome>(app, accountId, {
      claim: (tx) => claimDelivery(tx, deliveryId),
      findWait: (rows) => secondsUntilClaimable(rows, deliveryId),
      attempt: (scope, claimed) => mailVoucher(scope, mailer, claimed),
      record: async (scope, tx, claimed, { error }) => {
        const ended = {
          claim: claimed.claim,
          failure: error && error.message.slice(0, MESSAGE_MAX),
          isFinal: error !== null && isFinal(error),
        }
        const isLatest = await recordDeliveryOutcome(tx, deliveryId, ended)
        if (isLatest && (!error || ended.isFinal)) await announceOutcome(scope, tx, claimed, error)
      },
      queue: (tx, runAt) => queueDelivery(tx, deliveryId, runAt),
    })
    if (outcome?.error && !isFinal(outcome.error)) throw outcome.error
  },
})

interface Outcome {
  error: Error | null
}

const announceOutcome = async (scope: AccountScope, tx: Tx, claimed: ClaimedDelivery, error: Error | null) => {
  const [voucher] = await findVouchersById(tx, [claimed.voucherId])
  const kind = error ? 'voucher.delivery_failed' : 'voucher.delivered'
  await publishDeliveryWebhook(tx, scope.account, kind, voucher!, { id: claimed.publicId, audience: claimed.audience })
}

const mailVoucher = async (scope: AccountScope, mailer: Mailer, claimed: ClaimedDelivery): Promise<Outcome> => {
  try {
    await mailer.send({ ...(await compose(scope, claimed)), from: await findVenueSender(scope.rows) })
    return { error: null }
  } catch (error) {
    return { error: error as Error }
  }
}

/** What goes wrong here may name the code, and its message is shown; only the cause keeps it. */
const compose = async (scope: AccountScope, claimed: ClaimedDelivery) => {
  try {
    return await voucherMail(scope.account, claimed, unsealCode(scope.app.secrets, claimed.codeSealed))
  } catch (error) {
    throw new Error('The mail could not be written', { cause: error })
  }
}
