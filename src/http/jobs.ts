import { z } from 'zod'
import { deleteFullBudgets } from '../access/budget-records.ts'
import { defineAppJob } from '../jobs/context.ts'
import { deleteExpiredKeys } from './records.ts'

export const sweepIdempotencyKeys = defineAppJob({
  name: 'http.sweep-idempotency-keys',
  payload: z.object({}),
  every: '1 hour',
  run: async (_payload, { context }) => deleteExpiredKeys(context.app.database),
})

export const sweepBudgets = defineAppJob({
  name: 'http.sweep-budgets',
  payload: z.object({}),
  every: '1 hour',
  run: async (_payload, { context }) => deleteFullBudgets(context.app.database),
})
