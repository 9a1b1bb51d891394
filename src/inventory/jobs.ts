import { z } from 'zod'
import { openRowsForJob } from '../access/job-scope.ts'
import { defineAppJob } from '../jobs/context.ts'
import { endExpiredHolds, findEventsWithExpiredHolds } from './holds/records.ts'

export const sweepHolds = defineAppJob({
  name: 'inventory.sweep-holds',
  payload: z.object({}),
  every: '1 minute',
  run: async (_payload, { context: { app } }) => {
    for (const { accountId, eventId } of await findEventsWithExpiredHolds(app.database)) {
      await endExpiredHolds(openRowsForJob(app, accountId), eventId)
    }
  },
})
