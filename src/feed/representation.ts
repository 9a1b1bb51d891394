import { createHash } from 'node:crypto'
import { RawAnswer } from '../http/answers.ts'

/** A text that is ready to be sent, with the headers that belong to it. As a text it leaves in one piece with them. */
export interface Representation {
  body: string
  etag: string
  headers: Record<string, string>
}

/** Caches may keep it for a minute. One address answers with JSON and HTML, so they keep the two apart. */
const CACHING = { 'cache-control': 'public, max-age=60', vary: 'Accept' }

/**
 * The tag is made of the bytes themselves. A tag made of the time of the last sale would tell everyone when the last
 * sale was; this one changes when, and only when, there is something new to see.
 */
export const represent = (body: string, type: string, more: Record<string, string> = {}): Representation => {
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  return { body, etag, headers: { 'content-type': type, ...CACHING, etag, ...more } }
}

export const JSON_TYPE = 'application/json; charset=utf-8'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** 304 without a body when the caller has this very representation already. */
export const answerWith = ({ body, etag, headers }: Representation, asked: Headers): RawAnswer => {
  const known = isKnown(etag, asked['if-none-match'])
  return new RawAnswer(known ? 304 : 200, headers, known ? '' : body)
}

/** Weak comparison: caches on the way may have changed the mark of weakness, and joined several tags. */
const isKnown = (etag: string, condition: string | string[] | undefined): boolean => {
  if (condition === undefined) return false
  const text = Array.isArray(condition) ? condition.join(',') : condition
  if (text === etag || text.trim() === '*') return true
  const tag = etag.slice(2)
  return text.split(',').some((each) => each.trim().replace(/^W\//, '') === tag)
}
