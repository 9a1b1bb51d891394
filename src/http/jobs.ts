import { z } from 'zod'
import { forgetFullBudgets } from '../access/budget-records.ts'
import { defineAppJob } from '../jobs/context.ts'
import { forgetExpiredKeys } from './records.ts'

export const sweepIdempotencyKeys = defineAppJob({
  name: 'http.sweep-idempotency-keys',
  payload: z.object({}),
  every: '1 hour',
  run: async (_payload, { context }) => forgetExpiredKeys(context.app.database),
})

export const sweepBudgets = defineAppJob({
  name: 'http.sweep-budgets',
  payload: z.object({}),
  every: '1 hour',
  run: async (_payload, { context }) => forgetFullBudgets(context.app.database),
})
