import { z } from 'zod'
import { openAccountForJob } from '../access/job-scope.ts'
import { defineAppJob } from '../jobs/context.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { checkDuePayment } from './check-payment.ts'
import type { Payments } from './payments.ts'
import { queueDueChecks } from './records.ts'
import { payRefund } from './refunds/pay-refund.ts'
import { PAY_REFUND_JOB } from './refunds/refund-payment.ts'
import { CHECK_PAYMENT_JOB } from './rules.ts'

const CHECKS_AT_ONCE = 1000

/** Finds the payments that nobody has said anything about for a while. */
const findDueChecks = defineAppJob({
  name: 'payments.find-due-checks',
  payload: z.object({}),
  every: '1 minute',
  run: async (_payload, { context: { app } }) => {
    while ((await queueDueChecks(app.database, CHECKS_AT_ONCE)) === CHECKS_AT_ONCE) continue
  },
})

/** A provider that does not answer is no failure of the job: the payment itself knows when to look again. */
const check = (payments: Payments) =>
  defineAppJob({
    ...CHECK_PAYMENT_JOB,
    payload: z.object({ accountId: z.number(), paymentId: z.number() }),
    run: async ({ accountId, paymentId }, { context: { app } }) => {
      const scope = await openAccountForJob(app, accountId)
      if (!scope || !(await checkDuePayment(payments, scope, paymentId))) return
      await scope.transaction((tx) => enqueue(tx.db, CHECK_PAYMENT_JOB, { accountId, paymentId }))
    },
  })

const pay = (payments: Payments) =>
  defineAppJob({
    ...PAY_REFUND_JOB,
    payload: z.object({ accountId: z.number(), paymentId: z.number(), refundId: z.number() }),
    run: async ({ accountId, refundId }, { context: { app }, isLastAttempt }) => {
      const scope = await openAccountForJob(app, accountId)
      if (scope) await payRefund(payments, scope, refundId, isLastAttempt)
    },
  })

export const paymentJobs = (payments: Payments) => [findDueChecks, check(payments), pay(payments)]
