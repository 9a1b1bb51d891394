import type { IncomingHttpHeaders } from 'node:http'
import { type Readable, pipeline } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import { parseQualityWeights } from './negotiation.ts'

export type Encoding = 'br' | 'gzip'

/** As fast as gzip's lowest level on what leaves Foyer, and smaller; a small window keeps the memory small. */
const BROTLI = {
  params: {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_LGWIN]: 18,
  },
}
const GZIP = { level: 4 }
/** Level 1 is as fast as rows come from the database, and they repeat themselves enough for it to shrink them tenfold. */
const GZIP_STREAM = { level: 1 }

/** Below this, what is saved is less than what the headers cost. */
const BYTES_MIN = 1024

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

const compress = (text: string | Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br' ? toBrotli(text, BROTLI) : toGzip(text, GZIP)

/** A text that is sent more than once, compressed once for each encoding. */
export class PrecompressedText {
  readonly text: string
  readonly #encoded = new Map<Encoding, Promise<Buffer>>()

  constructor(text: string) {
    this.text = text
  }

  in(encoding: Encoding): Promise<Buffer> {
    const known = this.#encoded.get(encoding)
    if (known) return known
    const making = compress(this.text, encoding)
    this.#encoded.set(encoding, making)
    return making
  }
}

export type Body = string | Buffer | Readable | PrecompressedText

/** The body in this encoding. */
export const encode = async (body: Body, encoding: Encoding): Promise<Buffer | Readable> => {
  if (body instanceof PrecompressedText) return body.in(encoding)
  return typeof body === 'string' || Buffer.isBuffer(body) ? compress(body, encoding) : compressStream(body, encoding)
}

const compressStream = (pieces: Readable, encoding: Encoding): Readable => {
  const isBrotli = encoding === 'br'
  const compressor = isBrotli ? createBrotliCompress(BROTLI) : createGzip(GZIP_STREAM)
  // A failure of the one ends the other; whoever sends the compressor hears of it there.
  const compressed = pipeline(pieces, compressor, () => {})
  // The first piece goes out at once; compression alone would keep it until it has enough of them.
  pieces.once('data', () => compressor.flush(isBrotli ? constants.BROTLI_OPERATION_FLUSH : constants.Z_SYNC_FLUSH))
  return compressed
}

const ENCODINGS_KNOWN_MAX = 100
const known = new Map<string, Encoding | null>()

/** The smaller of the encodings that are wanted most; clients say so in few different ways. */
export const acceptedEncoding = (header: string | string[] | undefined): Encoding | null => {
  if (header === undefined) return null
  const text = String(header)
  const before = known.get(text)
  if (before !== undefined) return before
  const chosen = choose(text)
  if (known.size >= ENCODINGS_KNOWN_MAX) known.clear()
  if (text.length <= 200) known.set(text, chosen)
  return chosen
}

const choose = (header: string): Encoding | null => {
  const weights = parseQualityWeights(header)
  const wanted = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0
  const [brotli, zipped] = [wanted('br'), wanted('gzip')]
  if (brotli === 0 && zipped === 0) return null
  return brotli >= zipped ? 'br' : 'gzip'
}

/** What shrinks. Images have been compressed by those who made them, and events of a stream are not to wait. */
const COMPRESSIBLE =
  /^(?:text\/(?!event-stream)|application\/(?:json|javascript|xml|manifest\+json|ld\+json)|image\/svg)/

const isCompressible = (headers: Answered): boolean =>
  COMPRESSIBLE.test(String(headers['content-type'] ?? '')) &&
  headers['content-encoding'] === undefined &&
  headers['content-range'] === undefined &&
  headers['content-length'] === undefined

/**
 * The length of what is compressed tells something about what stands in it. Another site that has a signed-in
 * person's browser ask here could find out a secret letter by letter, so its questions are answered as they are;
 * `Sec-Fetch-Site` says whose they are, and browsers that do not say it get no benefit of the doubt.
 */
const mayBeWatched = ({ cookie, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean =>
  cookie !== undefined && site !== 'same-origin' && site !== 'none'

const isWorthIt = (body: Body): boolean => {
  if (body instanceof PrecompressedText) return body.text.length >= BYTES_MIN
  return typeof body === 'string' || Buffer.isBuffer(body) ? body.length >= BYTES_MIN : true
}

/** Headers of an answer, as far as they stand. */
type Answered = Readonly<Record<string, number | string | string[] | undefined>>

/** Caches keep the encodings of an answer apart. */
export const varyWithEncoding = ({ vary }: Answered): string => {
  if (vary === undefined) return 'Accept-Encoding'
  const text = String(vary)
  return /accept-encoding/i.test(text) ? text : `${text}, Accept-Encoding`
}

interface Negotiation {
  method: string
  headers: IncomingHttpHeaders
  answered: Answered
  body: Body
}

/**
 * How an answer may leave: null where its type or the method forbids compression for everyone. What a request
 * changed is answered as it is: such answers hold new secrets beside what was sent.
 */
export const negotiateEncoding = ({ method, headers, answered, body }: Negotiation) => {
  if ((method !== 'GET' && method !== 'HEAD') || !isCompressible(answered)) return null
  const isPublic = String(answered['cache-control']).startsWith('public')
  const isRefused = !isWorthIt(body) || (!isPublic && mayBeWatched(headers))
  return { encoding: isRefused ? null : acceptedEncoding(headers['accept-encoding']) }
}
