import { createHash } from 'node:crypto'
import type { ShopScope } from '../access/access.ts'
import type { Validity } from '../access/shop-cache.ts'
import { RawAnswer } from '../http/answers.ts'
import { PrecompressedText } from '../http/compression.ts'
import type { RequestHeaders } from '../http/headers.ts'
import { matchesEtag } from '../http/negotiation.ts'

/** A text that is ready to be sent, with the headers that belong to it. */
export interface Representation {
  body: PrecompressedText
  etag: string
  headers: Record<string, string>
}

/** Caches may keep it for a minute. One address answers with JSON and HTML, so they keep the two apart. */
const CACHING = { 'cache-control': 'public, max-age=60', vary: 'Accept, Accept-Encoding' }

/**
 * The tag is made of the bytes themselves. A tag made of the time of the last sale would tell everyone when the last
 * sale was; this one changes when, and only when, there is something new to see. It is weak, and so the same for every
 * encoding of the text.
 */
export const createRepresentation = (body: string, type: string, more: Record<string, string> = {}): Representation => {
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  return { body: new PrecompressedText(body), etag, headers: { 'content-type': type, ...CACHING, etag, ...more } }
}

export const JSON_TYPE = 'application/json; charset=utf-8'

interface Asked {
  shop: ShopScope
  headers: RequestHeaders
}

/** 304 without a body when the caller has this very representation already. With a span, it may be repeated so long. */
export const answerOrNotModified = (
  asked: Asked,
  { body, etag, headers }: Representation,
  span?: Validity,
): RawAnswer => {
  const known = matchesEtag(etag, asked.headers['if-none-match'])
  const { cache } = asked.shop.address
  const lasting = span && cache.now ? { cache, body, etag, ...span } : null
  return new RawAnswer(known ? 304 : 200, headers, known ? '' : body, lasting)
}
