import { Readable } from 'node:stream'
import { AwsClient } from 'aws4fetch'
import type { ObjectStoreSettings } from '../kernel/settings.ts'
import { ServiceUnavailable, openConfiguredService } from '../outgoing/configured-service.ts'
import { type IdleTimeout, limitReceiving, limitSending, openIdleTimeout } from '../outgoing/time-limits.ts'
import { checkBytes, pipeThrough } from './check-bytes.ts'
import { type AnnouncedFile, type ReceivedFile, type Storage, StorageUnavailable } from './storage.ts'

const INVITATION_SECONDS = 3_600

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

  const call = openConfiguredService()

  const ask = async (address: string, init: Init, idle?: IdleTimeout): Promise<Response> => {
    const response = await call((signal) => client.fetch(address, { ...init, signal }), idle).catch(unavailable)
    if (response.ok || response.status === 404) return response
    await response.body?.cancel()
    throw new StorageUnavailable()
  }

  const bytesAt = async (address: string, headers: Record<string, string> = {}): Promise<Readable | null> => {
    const idle = openIdleTimeout({ error: () => new StorageUnavailable() })
    const response = await ask(address, { headers }, idle)
    if (response.status !== 404 && response.body) return limitReceiving(Readable.fromWeb(response.body), idle)
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
    const idle = openIdleTimeout()
    try {
      const wish: Init = {
        method: 'PUT',
        headers: { 'content-length': String(file.byteSize), 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
        body: Readable.toWeb(limitSending(checked, idle)),
        duplex: 'half',
      }
      const response = await ask(addressOf('files', file.key), wish, idle)
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

const unavailable = (error: unknown): never => {
  throw error instanceof ServiceUnavailable ? new StorageUnavailable() : error
}
