import type { AppServices } from '../access/app.ts'
import { RawAnswer } from '../http/answers.ts'
import type { RequestHeaders } from '../http/headers.ts'
import { requireFound } from '../kernel/refusals.ts'
import { storageOf } from './open-storage.ts'
import type { Blob } from './records.ts'
import { FALLBACK_CONTENT_TYPE, parseByteRange, contentDisposition } from './rules.ts'

interface FileRequest {
  headers: RequestHeaders
  /** Images are shown unless they are asked for as a download. */
  disposition: 'inline' | 'attachment'
}

/**
 * A file's bytes, whole or one range of them. Only what is an image by its own bytes is shown; everything else
 * is a download. Whatever a browser makes of it, it runs in a sandbox and nothing is guessed.
 */
export const sendFile = async (
  app: AppServices,
  blob: Blob,
  { headers, disposition }: FileRequest,
): Promise<RawAnswer> => {
  const isInline = blob.imageType !== null && disposition === 'inline'
  const etag = `"${Buffer.from(blob.checksum, 'base64').toString('hex')}"`
  const shared: Record<string, string> = {
    'content-type': typeOf(blob),
    'content-disposition': contentDisposition(isInline ? 'inline' : 'attachment', blob.filename),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'accept-ranges': 'bytes',
    etag,
  }

  const isStale = headers['if-range'] !== undefined && headers['if-range'] !== etag
  const range = isStale ? null : parseByteRange(oneOf(headers['range']), blob.byteSize)
  if (range === 'unsatisfiable') {
    return new RawAnswer(
      416,
      { ...shared, 'content-type': 'text/plain', 'content-range': `bytes */${blob.byteSize}` },
      '',
    )
  }

  const bytes = requireFound(await storageOf(app).read(blob.key, range))
  if (!range) return new RawAnswer(200, { ...shared, 'content-length': String(blob.byteSize) }, bytes)
  return new RawAnswer(
    206,
    {
      ...shared,
      'content-length': String(range.end - range.start + 1),
      'content-range': `bytes ${range.start}-${range.end}/${blob.byteSize}`,
    },
    bytes,
  )
}

/** An image is what its bytes say; a file that only calls itself an image is just bytes. */
const typeOf = ({ imageType, contentType }: Blob) =>
  imageType ?? (/^image\//i.test(contentType) ? FALLBACK_CONTENT_TYPE : contentType)

const oneOf = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)
