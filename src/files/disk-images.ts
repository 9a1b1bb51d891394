import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeDataFolder } from '../kernel/data-folder.ts'
import { mapDiskErrors, moveDurably, emptyListWhenMissing, fileSizeOrNull } from './disk-files.ts'
import type { ContentAddressedFiles } from './storage.ts'

const LISTED_AT_ONCE = 500
const DRAFTS = 'arriving'

/** Pictures in a folder of the installation, each under its own name. */
export const openDiskImages = (dataFolder: string): ContentAddressedFiles & { drafts: string } => {
  const folder = path.join(dataFolder, 'images')
  const drafts = path.join(folder, DRAFTS)

  return {
    drafts,
    write: (name, bytes) =>
      mapDiskErrors(async () => {
        makeDataFolder(dataFolder)
        await mkdir(drafts, { recursive: true, mode: 0o700 })
        const draft = path.join(drafts, `${name}-${randomBytes(6).toString('hex')}`)
        try {
          await writeFile(draft, bytes, { flag: 'wx', mode: 0o600, flush: true })
          await moveDurably(draft, path.join(folder, name))
        } finally {
          await rm(draft, { force: true })
        }
      }),

    has: async (name) => (await fileSizeOrNull(path.join(folder, name))) !== null,

    read: async (name) => {
      const file = path.join(folder, name)
      const size = await fileSizeOrNull(file)
      return size === null ? null : { bytes: createReadStream(file), size }
    },

    remove: (name) => rm(path.join(folder, name), { force: true }),

    list: async (after) => {
      const names = await readdir(folder).catch(emptyListWhenMissing)
      return names
        .filter((name) => name > after && name !== DRAFTS)
        .toSorted()
        .slice(0, LISTED_AT_ONCE)
    },
  }
}
