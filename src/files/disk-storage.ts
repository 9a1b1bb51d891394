import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createUploadCheck, pipeUploadThrough } from './check-bytes.ts'
import { mapDiskErrors, moveDurably, emptyListWhenMissing, fileSizeOrNull } from './disk-files.ts'
import { openDiskImages } from './disk-images.ts'
import { type AnnouncedFile, type ReceivedFile, type Storage, StorageUnavailable } from './storage.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** What uploads leave free for the database beside them, which cannot do without: so much, or a twentieth of a small disk. */
const RESERVE = 1024 ** 3
const RESERVE_OF_DISK = 20

/** Files in a folder of the installation. A file appears under its key only when it is whole and on the disk. */
export const openDiskStorage = (dataFolder: string): Storage => {
  const folder = path.join(dataFolder, 'uploads')
  const arriving = path.join(folder, 'arriving')
  const placeOf = (key: string) => path.join(folder, key.slice(0, 2), key)

  const images = openDiskImages(dataFolder)

  /** Of files that are arriving now; some of it is on the disk already and counts twice, which does no harm. */
  let arrivingBytes = 0

  const requireRoom = async (byteSize: number) => {
    await mkdir(arriving, { recursive: true, mode: 0o700 })
    const { bsize, blocks, bavail } = await statfs(arriving)
    const reserve = Math.min(RESERVE, (blocks * bsize) / RESERVE_OF_DISK)
    if (bavail * bsize - arrivingBytes - byteSize < reserve) throw new StorageUnavailable()
  }

  const receive = async (file: AnnouncedFile, bytes: Readable): Promise<ReceivedFile> => {
    const draft = path.join(arriving, `${file.key}-${randomBytes(6).toString('hex')}`)
    const forget = () => rm(draft, { force: true })
    const { passage, imageType } = createUploadCheck(file)
    try {
      await pipeline(
        pipeUploadThrough(passage, bytes),
        createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
      )
    } catch (error) {
      await forget()
      throw error
    }
    return { imageType: imageType(), forget, keep: () => mapDiskErrors(() => moveDurably(draft, placeOf(file.key))) }
  }

  return {
    invite: async (file) => {
      await mapDiskErrors(() => requireRoom(file.byteSize))
      return null
    },
    collect: async () => null,

    take: (file, bytes) =>
      mapDiskErrors(async () => {
        await requireRoom(file.byteSize)
        arrivingBytes += file.byteSize
        try {
          return await receive(file, bytes)
        } finally {
          arrivingBytes -= file.byteSize
        }
      }),

    read: async (key, range) => {
      const place = placeOf(key)
      if ((await fileSizeOrNull(place)) === null) return null
      return createReadStream(place, range ?? {})
    },

    remove: (key) => rm(placeOf(key), { force: true }),

    tidy: async () => {
      for (const drafts of [arriving, images.drafts]) await removeOldFiles(drafts)
    },
    images,
  }
}

const removeOldFiles = async (folder: string) => {
  const names = await readdir(folder).catch(emptyListWhenMissing)
  for (const name of names) {
    const file = path.join(folder, name)
    const { mtimeMs } = await stat(file)
    if (mtimeMs < Date.now() - DAY_MS) await rm(file, { force: true })
  }
}
