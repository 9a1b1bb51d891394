import { Readable } from 'node:stream'
import { AwsClient } from 'aws4fetch'
import type { ObjectStoreSettings } from '../kernel/settings.ts'
import { ServiceUnavailable, openConfiguredService } from '../outgoing/configured-service.ts'
import { type IdleTimeout, limitIdleReceiving, limitIdleSending, createIdleTimeout } from '../outgoing/time-limits.ts'
import { uploadInParts } from './multipart-upload.ts'
import { type StoredFile, StorageUnavailable } from './storage.ts'

type Init = RequestInit & { duplex?: 'half' }

/** A store that speaks S3, by the paths in its bucket. Throws StorageUnavailable where it does not answer as it should. */
export interface ObjectStoreClient {
  get(path: string, headers?: Record<string, string>): Promise<StoredFile | null>
  has(path: string): Promise<boolean>
  put(path: string, byteSize: number, bytes: Readable): Promise<void>
  /** The same without knowing how many there will be. */
  putStream(path: string, bytes: AsyncIterable<Buffer>): Promise<void>
  /** Also when there was nothing. */
  remove(path: string): Promise<void>
  /** The next names in a folder, in their order; none when there are no more. */
  list(folder: string, after: string, most: number): Promise<string[]>
  /** An address where somebody else may put bytes with exactly these headers. */
  signPut(path: string, headers: Record<string, string>, seconds: number): Promise<string>
}

export const openObjectStoreClient = ({
  endpoint,
  bucket,
  accessKeyId,
  secretAccessKey,
  region,
}: ObjectStoreSettings): ObjectStoreClient => {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 2 })
  const call = openConfiguredService()
  const addressOf = (path: string) => `${endpoint}/${bucket}/${path}`

  const ask = async (address: string, init: Init, idle?: IdleTimeout): Promise<Response> => {
    const response = await call((signal) => client.fetch(address, { ...init, signal }), idle).catch(unavailable)
    if (response.ok || response.status === 404) return response
    await response.body?.cancel()
    throw new StorageUnavailable()
  }

  const get = async (address: string, headers: Record<string, string> = {}): Promise<StoredFile | null> => {
    const idle = createIdleTimeout({ error: () => new StorageUnavailable() })
    const response = await ask(address, { headers }, idle)
    if (response.status !== 404 && response.body) {
      const size = Number(response.headers.get('content-length'))
      return { bytes: limitIdleReceiving(Readable.fromWeb(response.body), idle), size }
    }
    await response.body?.cancel()
    return null
  }

  return {
    get: (path, headers) => get(addressOf(path), headers),

    has: async (path) => {
      const response = await ask(addressOf(path), { method: 'HEAD' })
      await response.body?.cancel()
      return response.ok
    },

    put: async (path, byteSize, bytes) => {
      const idle = createIdleTimeout()
      const init: Init = {
        method: 'PUT',
        headers: { 'content-length': String(byteSize), 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
        body: Readable.toWeb(limitIdleSending(bytes, idle)),
        duplex: 'half',
      }
      await (await ask(addressOf(path), init, idle)).body?.cancel()
    },

    putStream: (path, bytes) => uploadInParts(ask, addressOf(path), bytes),

    remove: async (path) => {
      await (await ask(addressOf(path), { method: 'DELETE' })).body?.cancel()
    },

    list: async (folder, after, most) => {
      const query = new URLSearchParams({ 'list-type': '2', 'max-keys': String(most), prefix: `${folder}/` })
      if (after) query.set('start-after', `${folder}/${after}`)
      const answer = await get(`${endpoint}/${bucket}?${query.toString()}`)
      const text = answer ? Buffer.concat(await answer.bytes.toArray()).toString() : ''
      return Array.from(text.matchAll(/<Key>([^<]+)<\/Key>/g), ([, key]) => key!.slice(folder.length + 1))
    },

    signPut: async (path, headers, seconds) => {
      const address = `${addressOf(path)}?X-Amz-Expires=${seconds}`
      const signed = await client.sign(address, { method: 'PUT', headers, aws: { signQuery: true, allHeaders: true } })
      return signed.url
    },
  }
}

const unavailable = (error: unknown): never => {
  throw error instanceof ServiceUnavailable ? new StorageUnavailable() : error
}
