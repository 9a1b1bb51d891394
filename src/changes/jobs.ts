import { z } from 'zod'
import { defineAppJob } from '../jobs/context.ts'
import { deleteOldAccountChanges } from './records.ts'

export const sweepAccountChanges = defineAppJob({
  name: 'changes.sweep',
  payload: z.object({}),
  every: '1 hour',
  run: async (_payload, { context }) => deleteOldAccountChanges(context.app.database),
})
