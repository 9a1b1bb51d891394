import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeDataFolder } from '../kernel/data-folder.ts'
import { explained, moveInto, nothingWhenMissing, sizeOf } from './disk-files.ts'
import type { NamedFiles } from './storage.ts'

const LISTED_AT_ONCE = 500
const DRAFTS = 'arriving'

/** Pictures in a folder of the installation, each under its own name. */
export const openDiskImages = (dataFolder: string): NamedFiles & { drafts: string } => {
  const folder = path.join(dataFolder, 'images')
  const drafts = path.join(folder, DRAFTS)

  return {
    drafts,
    write: (name, bytes) =>
      explained(async () => {
        makeDataFolder(dataFolder)
        await mkdir(drafts, { recursive: true })
        const draft = path.join(drafts, `${name}-${randomBytes(6).toString('hex')}`)
        try {
          await writeFile(draft, bytes, { flag: 'wx', flush: true })
          await moveInto(draft, path.join(folder, name))
        } finally {
          await rm(draft, { force: true })
        }
      }),

    has: async (name) => (await sizeOf(path.join(folder, name))) !== null,

    read: async (name) => {
      const file = path.join(folder, name)
      const size = await sizeOf(file)
      return size === null ? null : { bytes: createReadStream(file), size }
    },

    remove: (name) => rm(path.join(folder, name), { force: true }),

    list: async (after) => {
      const names = await readdir(folder).catch(nothingWhenMissing)
      return names
        .filter((name) => name > after && name !== DRAFTS)
        .toSorted()
        .slice(0, LISTED_AT_ONCE)
    },
  }
}
