import { createHash } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import { IMAGE_TYPES } from '../images/names.ts'
import { SNIFF_LENGTH_BYTES, sniffImage } from '../images/sniff.ts'
import { Invalid } from '../kernel/refusals.ts'
import type { AnnouncedFile } from './storage.ts'

/**
 * Bytes that come from a request, made to pass through the check. The request itself is never destroyed: its
 * connection is needed to tell the refusal.
 */
export const pipeUploadThrough = (passage: Transform, bytes: Readable): Transform => {
  const breakOff = () => {
    if (!bytes.readableEnded) passage.destroy(new UploadAborted())
  }
  bytes.once('close', breakOff)
  bytes.once('error', breakOff)
  passage.once('close', () => {
    bytes.off('close', breakOff)
    bytes.off('error', breakOff)
    bytes.on('error', () => {})
    bytes.unpipe(passage)
  })
  return bytes.pipe(passage)
}

/** The client went away in the middle. */
export class UploadAborted extends Error {
  override readonly name = 'UploadAborted'
}

/** Counts and hashes bytes as they pass, and breaks off as soon as they are more than announced. */
export const createUploadCheck = (file: AnnouncedFile) => {
  const hash = createHash('md5')
  const head = Buffer.alloc(SNIFF_LENGTH_BYTES)
  let count = 0

  const passage = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      if (count < SNIFF_LENGTH_BYTES) chunk.copy(head, count)
      count += chunk.length
      hash.update(chunk)
      done(count > file.byteSize ? differentSize() : null, chunk)
    },
    flush: (done) => {
      if (count !== file.byteSize) return done(differentSize())
      done(hash.digest('base64') === file.checksum ? null : new Invalid({ checksum: ['does not match the file'] }))
    },
  })
  const imageType = () => {
    const extension = sniffImage(head)
    return extension && IMAGE_TYPES[extension]
  }
  return { passage, imageType }
}

const differentSize = () => new Invalid({ byte_size: ['does not match the file'] })
