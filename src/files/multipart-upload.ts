import { Readable } from 'node:stream'
import { type IdleTimeout, createIdleTimeout, limitIdleSending } from '../outgoing/time-limits.ts'
import { StorageUnavailable } from './storage.ts'

type Ask = (address: string, init: RequestInit & { duplex?: 'half' }, idle?: IdleTimeout) => Promise<Response>

/** A store takes 10,000 parts, so the largest object has 160 GB. */
const PART_BYTES = 16 * 1024 ** 2
const PIECE_LENGTH = 64 * 1024
/** Putting the parts together may take the store a while. */
const COMPLETE_MS = 120_000

/** Bytes of unknown length for a store that speaks S3. The object is there when all of it is, and not before. */
export const uploadInParts = async (ask: Ask, address: string, bytes: AsyncIterable<Buffer>): Promise<void> => {
  const begun = await (await ask(`${address}?uploads=`, { method: 'POST' })).text()
  const [, uploadId] = /<UploadId>([^<]+)<\/UploadId>/.exec(begun) ?? []
  if (!uploadId) throw new StorageUnavailable()
  const upload = `uploadId=${encodeURIComponent(uploadId)}`
  try {
    const tags: string[] = []
    for await (const part of partsOf(bytes)) {
      tags.push(await sendPart(ask, `${address}?partNumber=${tags.length + 1}&${upload}`, part))
    }
    const idle = createIdleTimeout({ ms: COMPLETE_MS })
    const done = await ask(`${address}?${upload}`, { method: 'POST', body: listOf(tags) }, idle)
    // A store may have begun to answer before it knew that it would fail.
    if (!done.ok || /<Error>/.test(await done.text())) throw new StorageUnavailable()
  } catch (error) {
    // What was sent so far would be kept, and paid for; where that fails too, the store's own rules sweep it.
    await ask(`${address}?${upload}`, { method: 'DELETE' }).catch(() => {})
    throw error
  }
}

const sendPart = async (ask: Ask, address: string, part: Buffer): Promise<string> => {
  const idle = createIdleTimeout()
  const response = await ask(
    address,
    {
      method: 'PUT',
      headers: { 'content-length': String(part.length), 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
      body: Readable.toWeb(limitIdleSending(Readable.from(piecesOf(part), { objectMode: false }), idle)),
      duplex: 'half',
    },
    idle,
  )
  await response.body?.cancel()
  const tag = response.headers.get('etag')
  if (!response.ok || !tag) throw new StorageUnavailable()
  return tag
}

const listOf = (tags: readonly string[]) => {
  const parts = tags.map((tag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
  return `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
}

/** Each as large as they all are but the last, which may be empty where there is nothing at all. */
async function* partsOf(bytes: AsyncIterable<Buffer>) {
  let waiting: Buffer[] = []
  let size = 0
  let isFirst = true
  for await (const chunk of bytes) {
    waiting.push(chunk)
    size += chunk.length
    while (size >= PART_BYTES) {
      const all = Buffer.concat(waiting)
      yield all.subarray(0, PART_BYTES)
      isFirst = false
      waiting = [all.subarray(PART_BYTES)]
      size -= PART_BYTES
    }
  }
  if (size > 0 || isFirst) yield Buffer.concat(waiting)
}

/** Time limits see progress by the piece. */
export function* piecesOf(bytes: Buffer) {
  for (let start = 0; start < bytes.length; start += PIECE_LENGTH) yield bytes.subarray(start, start + PIECE_LENGTH)
}
