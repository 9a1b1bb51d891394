import { z } from 'zod'
import type { App } from '../../access/app.ts'
import { appsOfShards } from '../../access/shards.ts'
import { storageOf } from '../../files/open-storage.ts'
import { parseImageName } from '../../images/names.ts'
import { defineAppJob } from '../../jobs/context.ts'
import { findUnusedImages, tryLockImagesForSweep } from './records.ts'

/** Removes pictures, thumbnails included, that no event shows any more, or never did because its file was refused. */
export const sweepEventImages = defineAppJob({
  name: 'events.sweep-images',
  payload: z.object({}),
  every: '1 day',
  isOfInstallation: true,
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
const removeUnused = (app: App, names: string[]): Promise<boolean> => {
  const digestOf = (name: string) => parseImageName(name)?.digest
  const digests = [...new Set(names.map(digestOf).filter((digest) => digest !== undefined))]
  return withUnusedOf(appsOfShards(app), digests, async (found) => {
    const unused = new Set<string | undefined>(found)
    for (const name of names) if (unused.has(digestOf(name))) await storageOf(app).images.remove(name)
  })
}

/** A picture goes when no server has an event that shows it; each is kept from showing it until it is gone. */
const withUnusedOf = async (
  [server, ...others]: App[],
  digests: string[],
  remove: (digests: string[]) => Promise<void>,
): Promise<boolean> => {
  if (!server) {
    await remove(digests)
    return true
  }
  return server.database.kysely.transaction().execute(async (db) => {
    if (!(await tryLockImagesForSweep(db))) return false
    return withUnusedOf(others, await findUnusedImages(db, digests), remove)
  })
}
