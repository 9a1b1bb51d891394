import { z } from 'zod'
import { openAccountForJob } from '../access/job-scope.ts'
import { defineAppJob } from '../jobs/context.ts'
import { expireCheckout } from './end-checkout.ts'
import { findExpiredCheckouts } from './records.ts'

const AT_ONCE = 500

/** What they held was anybody's the moment their time was over; this tidies up and frees the vouchers. */
export const sweepCheckouts = defineAppJob({
  name: 'checkouts.sweep',
  payload: z.object({}),
  every: '1 minute',
  run: async (_payload, { context: { app } }) => {
    for (const { accountId, id } of await findExpiredCheckouts(app.database, AT_ONCE)) {
      const scope = await openAccountForJob(app, accountId)
      if (scope) await expireCheckout(scope, id)
    }
  },
})
