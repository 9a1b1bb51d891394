import { z } from 'zod'
import { houseJob } from '../jobs/context.ts'
import { forgetExpiredKeys } from './records.ts'

export const sweepIdempotencyKeys = houseJob({
  name: 'http.sweep-idempotency-keys',
  payload: z.object({}),
  every: '1 hour',
  run: async (_payload, { context }) => forgetExpiredKeys(context.house.database),
})
