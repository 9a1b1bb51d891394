import { z } from 'zod'
import { defineAppJob } from '../jobs/context.ts'
import { storageOf } from './open-storage.ts'
import { deleteOrphanedBlobs, takeOrphanedBlobs } from './records.ts'

const AT_ONCE = 100

/** Removes drafts that nobody used for a day, and files of what was deleted. A row goes only after its bytes. */
export const sweepFiles = defineAppJob({
  name: 'files.sweep',
  payload: z.object({}),
  every: '1 hour',
  run: async (_payload, { context: { app }, signal }) => {
    const storage = storageOf(app)
    await storage.tidy()
    while (!signal.aborted) {
      const orphans = await takeOrphanedBlobs(app.database, AT_ONCE)
      if (orphans.length === 0) return
      for (const { key } of orphans) await storage.remove(key)
      await deleteOrphanedBlobs(app.database, orphans)
    }
  },
})

export const fileJobs = [sweepFiles]
