import { z } from 'zod'
import { houseJob } from '../jobs/context.ts'
import { storageOf } from './open-storage.ts'
import { deleteRefuse, takeRefuse } from './records.ts'

const AT_ONCE = 100

/** Removes drafts that nobody used for a day, and files of what was deleted. A row goes only after its bytes. */
export const sweepFiles = houseJob({
  name: 'files.sweep',
  payload: z.object({}),
  every: '1 hour',
  run: async (_payload, { context: { house }, signal }) => {
    const storage = storageOf(house)
    await storage.tidy()
    while (!signal.aborted) {
      const refuse = await takeRefuse(house.database, AT_ONCE)
      if (refuse.length === 0) return
      for (const { key } of refuse) await storage.remove(key)
      await deleteRefuse(house.database, refuse)
    }
  },
})

export const fileJobs = [sweepFiles]
