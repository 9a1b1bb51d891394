import { Readable } from 'node:stream'
import type { ObjectStoreSettings } from '../kernel/settings.ts'
import { createUploadCheck, pipeUploadThrough } from './check-bytes.ts'
import { piecesOf } from './multipart-upload.ts'
import { openObjectStoreClient } from './object-store-client.ts'
import type { AnnouncedFile, ContentAddressedFiles, ReceivedFile, Storage } from './storage.ts'

const INVITATION_SECONDS = 3_600
const LISTED_AT_ONCE = 500

/**
 * Files in a store that speaks S3. A client brings bytes to an address under `incoming/` that is signed for them
 * alone; they are checked and copied to where that address does not reach, so that they cannot change afterwards.
 */
export const openObjectStorage = (settings: ObjectStoreSettings): Storage => {
  const store = openObjectStoreClient(settings)

  const put = async (file: AnnouncedFile, bytes: Readable): Promise<ReceivedFile> => {
    const { passage, imageType } = createUploadCheck(file)
    let fault: unknown
    const checked = pipeUploadThrough(passage, bytes).on('error', (error) => (fault = error))
    try {
      await store.put(`files/${file.key}`, file.byteSize, checked)
    } catch (error) {
      checked.destroy()
      throw fault ?? error
    }
    if (fault) throw fault
    return { imageType: imageType(), keep: async () => {}, forget: async () => {} }
  }

  const images: ContentAddressedFiles = {
    write: (name, bytes) =>
      store.put(`images/${name}`, bytes.length, Readable.from(piecesOf(bytes), { objectMode: false })),
    has: (name) => store.has(`images/${name}`),
    read: (name) => store.get(`images/${name}`),
    remove: (name) => store.remove(`images/${name}`),
    list: (after) => store.list('images', after, LISTED_AT_ONCE),
  }

  return {
    invite: async (file) => {
      const headers = { 'Content-Type': file.contentType, 'Content-MD5': file.checksum }
      // Whoever brings bytes says by itself how many they are: more than count against the quota the store does not take.
      const signed = { ...headers, 'Content-Length': String(file.byteSize) }
      return { url: await store.signPut(`incoming/${file.key}`, signed, INVITATION_SECONDS), headers }
    },

    take: put,

    collect: async (file) => {
      const brought = await store.get(`incoming/${file.key}`)
      if (!brought) return null
      const arrived = await put(file, brought.bytes)
      return { ...arrived, keep: () => store.remove(`incoming/${file.key}`) }
    },

    read: async (key, range) => {
      const file = await store.get(`files/${key}`, range ? { range: `bytes=${range.start}-${range.end}` } : undefined)
      return file && file.bytes
    },

    tidy: async () => {},

    remove: async (key) => {
      await store.remove(`incoming/${key}`)
      await store.remove(`files/${key}`)
    },

    images,
  }
}
