import { z } from 'zod'
import { houseJob } from '../../jobs/context.ts'
import { forgetOldChanges } from './records.ts'

export const sweepChanges = houseJob({
  name: 'tasks.sweep-changes',
  payload: z.object({}),
  every: '1 hour',
  run: async (_payload, { context }) => forgetOldChanges(context.house.database),
})
