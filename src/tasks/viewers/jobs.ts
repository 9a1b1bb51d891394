import { z } from 'zod'
import { defineAppJob } from '../../jobs/context.ts'
import { deleteSilentTaskViewers } from './records.ts'

export const sweepTaskViewers = defineAppJob({
  name: 'tasks.sweep-viewers',
  payload: z.object({}),
  every: '1 minute',
  run: async (_payload, { context }) => deleteSilentTaskViewers(context.app.database),
})
