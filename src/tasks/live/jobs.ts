import { z } from 'zod'
import { defineAppJob } from '../../jobs/context.ts'
import { deleteOldChanges } from './records.ts'

export const sweepChanges = defineAppJob({
  name: 'tasks.sweep-changes',
  payload: z.object({}),
  every: '1 hour',
  run: async (_payload, { context }) => deleteOldChanges(context.app.database),
})
