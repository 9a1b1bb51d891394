import { z } from 'zod'
import { openAccountForJob } from '../../access/job-scope.ts'
import type { AccountScope } from '../../access/scopes.ts'
import { defineAppJob } from '../../jobs/context.ts'
import { UndeliverableAddress } from '../../mail/address.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { findVenueSender } from '../../mail/records.ts'
import { openCode } from '../codes.ts'
import { findVouchersById } from '../ledger/records.ts'
import { announceDelivery } from './announce-delivery.ts'
import { ATTEMPTS, DELIVER, queueDelivery } from './queue-delivery.ts'
import { type ClaimedDelivery, claimDelivery, recordOutcome, waitsFor } from './records.ts'
import { voucherMail } from './voucher-mail.ts'

const MESSAGE_MAX = 500

/**
 * Mails a voucher. The row is the truth: it is claimed before the mail goes out, and the outcome counts only for the
 * latest claim. A claim whose worker died is left alone for an hour, because the mail may be on its way.
 */
export const deliverVoucher = defineAppJob({
  ...DELIVER,
  payload: z.object({ accountId: z.number(), deliveryId: z.number() }),
  attempts: ATTEMPTS,
  run: async ({ accountId, deliveryId }, { context, isLastAttempt }) => {
    const scope = await openAccountForJob(context.app, accountId)
    if (!scope) return
    const errand = await scope.transaction((tx) => claimDelivery(tx, deliveryId))
    if (!errand) return comeBack(scope, deliveryId)

    const error = await attempt(scope, context.mailer, errand)
    const isFinal = isLastAttempt || error instanceof UndeliverableAddress
    await scope.transaction(async (tx) => {
      const failure = error && error.message.slice(0, MESSAGE_MAX)
      const isLatest = await recordOutcome(tx, deliveryId, { claim: errand.claim, failure, isFinal })
      if (!isLatest || (error && !isFinal)) return
      const [voucher] = await findVouchersById(tx, [errand.voucherId])
      const kind = error ? 'voucher.delivery_failed' : 'voucher.delivered'
      const delivery = { id: errand.publicId, audience: errand.audience }
      await announceDelivery(tx, scope.account, kind, voucher!, delivery)
    })
    // Thrown again, so that the job waits and comes back.
    if (error && !isFinal) throw error
  },
})

const attempt = async (scope: AccountScope, mailer: Mailer, errand: ClaimedDelivery): Promise<Error | null> => {
  try {
    await mailer.send({ ...(await compose(scope, errand)), from: await findVenueSender(scope.rows) })
    return null
  } catch (error) {
    return error as Error
  }
}

/** What goes wrong here may name the code, and its message is shown; only the cause keeps it. */
const compose = async (scope: AccountScope, errand: ClaimedDelivery) => {
  try {
    return await voucherMail(scope.account, errand, openCode(scope.app.secrets, errand.codeSealed))
  } catch (error) {
    throw new Error('The mail could not be written', { cause: error })
  }
}

/** Woken too early it comes back in time: nobody else would think of it. */
const comeBack = async (scope: AccountScope, deliveryId: number) => {
  const seconds = await waitsFor(scope.rows, deliveryId)
  if (seconds === null) return
  await scope.transaction((tx) => queueDelivery(tx, deliveryId, new Date(Date.now() + Math.max(seconds, 1) * 1000)))
}
