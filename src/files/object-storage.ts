import { Readable } from 'node:stream'
import { AwsClient } from 'aws4fetch'
import type { ObjectStoreSettings } from '../kernel/settings.ts'
import { checkBytes, pipeThrough } from './check-bytes.ts'
import { type AnnouncedFile, type ReceivedFile, type Storage, StorageUnavailable } from './storage.ts'

const INVITATION_SECONDS = 3_600
const STALL_MS = 10_000

/**
 * Files in a store that speaks S3. A client brings bytes to an address under `incoming/` that is signed for them
 * alone; they are checked and copied to where that address does not reach, so that they cannot change afterwards.
 */
export const openObjectStorage = ({
  endpoint,
  bucket,
  accessKeyId,
  secretAccessKey,
  region,
}: ObjectStoreSettings): Storage => {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 2 })
  const addressOf = (folder: 'incoming' | 'files', key: string) => `${endpoint}/${bucket}/${folder}/${key}`

  const ask = async (address: string, init: Init, patience = openPatience()): Promise<Response> => {
    patience.begin()
    const asking = client.fetch(address, { ...init, signal: patience.signal })
    const response = await Promise.race([asking, patience.lost]).catch((error: unknown) => {
      throw patience.signal.aborted || isFault(error) ? new StorageUnavailable() : error
    })
    patience.end()
    if (response.ok || response.status === 404) return response
    await response.body?.cancel()
    throw new StorageUnavailable()
  }

  const bytesAt = async (address: string, headers: Record<string, string> = {}): Promise<Readable | null> => {
    const patience = openPatience()
    const response = await ask(address, { headers }, patience)
    if (response.status !== 404 && response.body) {
      return Readable.from(given(Readable.fromWeb(response.body), patience), { objectMode: false })
    }
    await response.body?.cancel()
    return null
  }

  const remove = async (address: string) => {
    await (await ask(address, { method: 'DELETE' })).body?.cancel()
  }

  const put = async (file: AnnouncedFile, bytes: Readable): Promise<ReceivedFile> => {
    const { passage, imageType } = checkBytes(file)
    let fault: unknown
    const checked = pipeThrough(passage, bytes).on('error', (error) => (fault = error))
    const patience = openPatience()
    try {
      const wish: Init = {
        method: 'PUT',
        headers: { 'content-length': String(file.byteSize), 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
        body: Readable.toWeb(Readable.from(taken(checked, patience), { objectMode: false })),
        duplex: 'half',
      }
      const response = await ask(addressOf('files', file.key), wish, patience)
      await response.body?.cancel()
    } catch (error) {
      checked.destroy()
      throw fault ?? error
    }
    if (fault) throw fault
    return { imageType: imageType(), keep: async () => {}, forget: async () => {} }
  }

  return {
    invite: async (file) => {
      const headers = { 'Content-Type': file.contentType, 'Content-MD5': file.checksum }
      const address = `${addressOf('incoming', file.key)}?X-Amz-Expires=${INVITATION_SECONDS}`
      const signed = await client.sign(address, { method: 'PUT', headers, aws: { signQuery: true, allHeaders: true } })
      return { url: signed.url, headers }
    },

    take: put,

    collect: async (file) => {
      const bytes = await bytesAt(addressOf('incoming', file.key))
      if (!bytes) return null
      const arrived = await put(file, bytes)
      return { ...arrived, keep: () => remove(addressOf('incoming', file.key)) }
    },

    read: (key, range) =>
      bytesAt(addressOf('files', key), range ? { range: `bytes=${range.start}-${range.end}` } : undefined),

    tidy: async () => {},

    remove: async (key) => {
      await remove(addressOf('incoming', key))
      await remove(addressOf('files', key))
    },
  }
}

type Init = RequestInit & { duplex?: 'half' }

interface Patience {
  signal: AbortSignal
  /** Rejects when it is over. A signal alone does not do: what stands between it and the call may be collected. */
  lost: Promise<never>
  begin(): void
  end(): void
}

/** A store that neither takes nor gives anything for a while, when it is its turn, is not there. */
const openPatience = (): Patience => {
  const controller = new AbortController()
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => {})
  let timer: NodeJS.Timeout | undefined
  const end = () => clearTimeout(timer)
  const lose = () => {
    controller.abort()
    lost.reject(new StorageUnavailable())
  }
  const begin = () => {
    end()
    timer = setTimeout(lose, STALL_MS)
  }
  return { signal: controller.signal, lost: lost.promise, begin, end }
}

/** Bytes for the store: it is its turn whenever it has been handed some. */
async function* taken(bytes: Readable, patience: Patience) {
  patience.end()
  for await (const chunk of bytes) {
    patience.begin()
    yield chunk
    patience.end()
  }
  patience.begin()
}

/** Bytes from the store: it is its turn whenever it is asked for more. */
async function* given(bytes: Readable, patience: Patience) {
  const chunks = bytes[Symbol.asyncIterator]()
  try {
    for (;;) {
      patience.begin()
      const next = await Promise.race([chunks.next(), patience.lost])
      patience.end()
      if (next.done) return
      yield next.value
    }
  } finally {
    patience.end()
    bytes.destroy()
  }
}

/** What fetch throws when there is nobody to talk to. */
const isFault = (error: unknown) => error instanceof TypeError && error.message === 'fetch failed'
