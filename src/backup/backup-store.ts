import { PassThrough, type Writable } from 'node:stream'
import { openObjectStoreClient } from '../files/object-store-client.ts'
import { StorageUnavailable } from '../files/storage.ts'
import { Misconfigured, type ObjectStoreSettings } from '../kernel/settings.ts'

const LISTED_AT_ONCE = 1000

/** A folder in a bucket, written to without a copy on the disk. */
export const openBackupStore = (settings: ObjectStoreSettings, folder: string) => {
  const store = openObjectStoreClient(settings)
  return {
    /** Hands out what the archive is written to; it appears under its name only when it is whole. Tells its size. */
    write: async (name: string, archive: (sink: Writable) => Promise<void>): Promise<number> => {
      const sink = new PassThrough()
      // Whoever writes and whoever sends hears of it by their promises; an event that nobody hears would end the process.
      sink.on('error', () => {})
      let size = 0
      const counted = async function* () {
        for await (const chunk of sink as AsyncIterable<Buffer>) {
          size += chunk.length
          yield chunk
        }
      }
      const sending = store.putStream(`${folder}/${name}`, counted()).catch((error: unknown) => {
        const fault = explainStore(error as Error, settings)
        sink.destroy(fault)
        throw fault
      })
      const writing = archive(sink)
      try {
        await Promise.all([writing, sending])
      } catch (error) {
        sink.destroy(error as Error)
        await Promise.allSettled([writing, sending])
        throw error
      }
      return size
    },
    list: async (): Promise<string[]> => {
      const names: string[] = []
      for (;;) {
        const more = await store.list(folder, names.at(-1) ?? '', LISTED_AT_ONCE)
        if (more.length === 0) return names
        names.push(...more)
      }
    },
    remove: (name: string) => store.remove(`${folder}/${name}`),
  }
}

const explainStore = (error: Error, { endpoint, bucket }: ObjectStoreSettings) =>
  error instanceof StorageUnavailable
    ? new Misconfigured(`The backup could not be written: the bucket ${bucket} at ${endpoint} does not take it.`)
    : error
