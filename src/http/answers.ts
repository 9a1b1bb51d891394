import type { ShopCache, Validity } from '../access/shop-cache.ts'
import type { Body, PrecompressedText } from './compression.ts'

export interface Answer<Status extends number = number, Body = unknown> {
  status: Status
  body: Body
  headers?: Record<string, string>
  /** A path of the console; the header carries the absolute address. */
  location?: string
}

/** A public answer that is the same for everybody, as long as the clock is between two moments and nothing changes. */
export interface CacheableAnswer extends Validity {
  /** Of the shop it speaks of: whatever makes it wrong takes the cache away. */
  cache: ShopCache
  body: PrecompressedText
  etag: string
}

/** An answer that is no JSON of a schema: a page, a file, a stream. */
export class RawAnswer {
  readonly status: number
  /** Several values make several headers, as cookies need. */
  readonly headers: Record<string, string | string[]>
  readonly body: Body
  readonly lasting: CacheableAnswer | null

  constructor(
    status: number,
    headers: Record<string, string | string[]>,
    body: Body,
    lasting: CacheableAnswer | null = null,
  ) {
    this.status = status
    this.headers = headers
    this.body = body
    this.lasting = lasting
  }
}

export const ok = <Body>(body: Body, headers?: Record<string, string>): Answer<200, Body> => ({
  status: 200,
  body,
  ...(headers && { headers }),
})

export const created = <Body>(body: Body, location: string): Answer<201, Body> => ({ status: 201, body, location })

export const noContent = (): Answer<204, undefined> => ({ status: 204, body: undefined })

export const htmlPage = (html: string | PrecompressedText, status = 200, headers: Record<string, string> = {}) =>
  new RawAnswer(status, { 'content-type': 'text/html; charset=utf-8', ...headers }, html)

export const redirect = (location: string, status: 301 | 302 | 303 = 302) =>
  new RawAnswer(status, { location, 'content-type': 'text/plain; charset=utf-8' }, '')
