import { z } from 'zod'
import type { App } from '../access/app.ts'
import { defineAppJob } from '../jobs/context.ts'
import { storageOf } from './open-storage.ts'
import { deleteOrphanedBlobs, lockFilesForSweep, discardOldDraftsAndFindOrphans } from './records.ts'

const AT_ONCE = 100

/** Removes drafts that nobody used for a day, and files of what was deleted. A row goes only after its bytes. */
export const sweepFiles = defineAppJob({
  name: 'files.sweep',
  payload: z.object({}),
  every: '1 hour',
  run: async (_payload, { context: { app }, signal }) => {
    await storageOf(app).tidy()
    while (!signal.aborted && (await removeOrphans(app)));
  },
})

/** Whether there may be more. The lock is held until the bytes are gone. */
const removeOrphans = (app: App): Promise<boolean> =>
  app.database.kysely.transaction().execute(async (db) => {
    if (!(await lockFilesForSweep(db))) return false
    const orphans = await discardOldDraftsAndFindOrphans(app.database, AT_ONCE)
    for (const { key } of orphans) await storageOf(app).remove(key)
    if (orphans.length > 0) await deleteOrphanedBlobs(app.database, orphans)
    return orphans.length > 0
  })

export const fileJobs = [sweepFiles]
