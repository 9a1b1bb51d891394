import { z } from 'zod'
import { forgetFullBudgets } from '../access/budget-records.ts'
import { houseJob } from '../jobs/context.ts'
import { forgetExpiredKeys } from './records.ts'

export const sweepIdempotencyKeys = houseJob({
  name: 'http.sweep-idempotency-keys',
  payload: z.object({}),
  every: '1 hour',
  run: async (_payload, { context }) => forgetExpiredKeys(context.house.database),
})

export const sweepBudgets = houseJob({
  name: 'http.sweep-budgets',
  payload: z.object({}),
  every: '1 hour',
  run: async (_payload, { context }) => forgetFullBudgets(context.house.database),
})
