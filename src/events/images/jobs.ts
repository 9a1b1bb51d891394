import { z } from 'zod'
import type { App } from '../../access/app.ts'
import { storageOf } from '../../files/open-storage.ts'
import { parseImageName } from '../../images/names.ts'
import { defineAppJob } from '../../jobs/context.ts'
import { findUnusedImages, tryLockImagesForSweep } from './records.ts'

/** Removes pictures, thumbnails included, that no event shows any more, or never did because its file was refused. */
export const sweepEventImages = defineAppJob({
  name: 'events.sweep-images',
  payload: z.object({}),
  every: '1 day',
  run: async (_payload, { context: { app }, signal }) => {
    const { images } = storageOf(app)
    let names = await images.list('')
    while (names.length > 0 && !signal.aborted) {
      if (!(await removeUnused(app, names))) return
      names = await images.list(names.at(-1)!)
    }
  },
})

/** False when somebody stores pictures just now: there is another night. */
const removeUnused = ({ database, ...app }: App, names: string[]): Promise<boolean> =>
  database.kysely.transaction().execute(async (db) => {
    if (!(await tryLockImagesForSweep(db))) return false
    const digestOf = (name: string) => parseImageName(name)?.digest
    const digests = [...new Set(names.map(digestOf).filter((digest) => digest !== undefined))]
    const unused = new Set<string | undefined>(await findUnusedImages(db, digests))
    for (const name of names) if (unused.has(digestOf(name))) await storageOf(app).images.remove(name)
    return true
  })
