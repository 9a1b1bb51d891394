import type { Readable } from 'node:stream'
import type { AccountScope } from '../access/scopes.ts'
import type { RequestHeaders } from '../http/headers.ts'
import { Invalid, requireFound, refuseUnless } from '../kernel/refusals.ts'
import { UploadAborted } from './check-bytes.ts'
import { storageOf } from './open-storage.ts'
import { type Blob, findBlob, lockBlobs, recordUpload } from './records.ts'
import type { ReceivedFile } from './storage.ts'

const ALREADY = 'This file has been uploaded already'

interface Delivery {
  headers: RequestHeaders
  bytes: Readable
}

/** Takes the bytes of a draft, once: they are what was announced, or nothing changes. */
export const receiveUpload = async (
  account: AccountScope,
  key: string,
  { headers, bytes }: Delivery,
): Promise<void> => {
  const blob = requireFound(await findBlob(account.rows, key))
  refuseUnless(!blob.uploadedAt, ALREADY)
  requireAnnounced(blob, headers)

  const arrived = await storageOf(account.app)
    .take(blob, bytes)
    .catch((error: unknown) => {
      throw error instanceof UploadAborted ? new Invalid({ byte_size: ['does not match the file'] }) : error
    })
  await settle(account, key, arrived, ALREADY)
}

/**
 * Drafts whose bytes were brought straight to the store are taken over now that somebody needs them. Done before
 * any other lock is taken, because it may last.
 */
export const confirmDirectUploads = async (account: AccountScope, blobs: readonly Blob[]): Promise<boolean> => {
  const storage = storageOf(account.app)
  let collected = false
  for (const blob of blobs.filter((each) => !each.uploadedAt)) {
    const arrived = await storage.collect(blob).catch(nothingWhenRefused)
    if (!arrived) continue
    await settle(account, blob.key, arrived, null)
    collected = true
  }
  return collected
}

/** Bytes that are not what was announced are as good as none. */
const nothingWhenRefused = (error: unknown) => {
  if (error instanceof Invalid) return null
  throw error
}

/** Of two deliveries of one file the first counts: they wait for each other at the file's row. */
const settle = async (account: AccountScope, key: string, arrived: ReceivedFile, refusal: string | null) => {
  try {
    await account.transaction(async (tx) => {
      const [blob] = await lockBlobs(tx, [key])
      if (requireFound(blob).uploadedAt) {
        if (refusal) throw new Invalid(refusal)
        return
      }
      await arrived.keep()
      await recordUpload(tx, blob!.id, arrived.imageType)
    })
  } finally {
    await arrived.forget()
  }
}

const requireAnnounced = (blob: Blob, headers: Delivery['headers']) => {
  const type = headers['content-type']
  refuseUnless(type === blob.contentType, { content_type: ['does not match the file'] })
  const checksum = headers['content-md5']
  refuseUnless(checksum === undefined || checksum === blob.checksum, { checksum: ['does not match the file'] })
  const length = headers['content-length']
  refuseUnless(length === undefined || Number(length) === blob.byteSize, { byte_size: ['does not match the file'] })
}
