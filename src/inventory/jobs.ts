import { z } from 'zod'
import { accountRows } from '../access/house-work.ts'
import { houseJob } from '../jobs/context.ts'
import { endExpiredHolds, findEventsWithExpiredHolds } from './records.ts'

export const sweepHolds = houseJob({
  name: 'inventory.sweep-holds',
  payload: z.object({}),
  every: '1 minute',
  run: async (_payload, { context: { house } }) => {
    for (const { accountId, eventId } of await findEventsWithExpiredHolds(house.database)) {
      await endExpiredHolds(accountRows(house, accountId), eventId)
    }
  },
})
