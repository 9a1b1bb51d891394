import { z } from 'zod'
import { defineAppJob } from '../jobs/context.ts'
import { HOUR_MS } from '../kernel/durations.ts'
import { deleteAbandonedQueues } from './records.ts'

/** A line that is over is kept for a while, so that those who come back late are known. */
export const sweepWaitingRooms = defineAppJob({
  name: 'waiting-room.sweep',
  payload: z.object({}),
  every: '10 minutes',
  run: async (_payload, { context: { app } }) => deleteAbandonedQueues(app.database, HOUR_MS),
})
