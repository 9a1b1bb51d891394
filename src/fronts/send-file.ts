import { RawAnswer } from '../http/answers.ts'
import { acceptedEncoding } from '../http/compression.ts'
import type { BuiltFile } from './built-front.ts'

export const CACHE_FOREVER_HEADER = 'public, max-age=31536000, immutable'

/** A file whose name changes with its content. */
export const sendImmutableFile = (file: BuiltFile, accepted: string | string[] | undefined, headers = {}) =>
  sendFile(file, accepted, { 'cache-control': CACHE_FOREVER_HEADER, ...headers })

export const sendFile = (
  file: BuiltFile,
  accepted: string | string[] | undefined,
  headers: Record<string, string>,
): RawAnswer => {
  const encoding = acceptedEncoding(accepted)
  const encoded = encoding && file[encoding]
  return new RawAnswer(
    200,
    {
      'content-type': file.type,
      vary: 'Accept-Encoding',
      ...headers,
      ...(encoded && { 'content-encoding': encoding }),
    },
    encoded ?? file.plain,
  )
}
