import { z } from 'zod'
import { openAccountForJob } from '../access/job-scope.ts'
import { defineAppJob } from '../jobs/context.ts'
import { timeInSeconds } from '../jobs/deliveries/deliver.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { RemoteServiceBusy } from './remote-service-errors.ts'
import { UPDATE_JOB } from './rules.ts'
import { updatePass } from './update-pass.ts'

/** So often Apple or Google may ask to be left alone before the job is given up. */
const POSTPONED_MOST = 20

const updateWalletPass = defineAppJob({
  ...UPDATE_JOB,
  payload: z.object({ account_id: z.int(), admission_id: z.int(), postponed: z.int().optional() }),
  attempts: 10,
  run: async (payload, { context: { app } }) => {
    const scope = await openAccountForJob(app, payload.account_id)
    if (!scope) return
    try {
      await updatePass(scope, payload.admission_id)
    } catch (error) {
      const postponed = (payload.postponed ?? 0) + 1
      if (!(error instanceof RemoteServiceBusy) || postponed > POSTPONED_MOST) throw error
      await scope.transaction((tx) =>
        enqueue(tx.db, UPDATE_JOB, { ...payload, postponed }, { runAt: timeInSeconds(error.seconds) }),
      )
    }
  },
})

export const walletJobs = [updateWalletPass]
