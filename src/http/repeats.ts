import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { House } from '../access/house.ts'
import { shelfAtOnce } from '../access/shop-address.ts'
import { type Shelf, covers } from '../access/shops.ts'
import type { Lasting } from './answers.ts'
import { isKnownTag } from './negotiation.ts'

/** A public answer with all its headers, for whoever asks for it in the same words. */
interface Kept {
  route: string
  lasting: Lasting
  whole: string[]
  unchanged: string[]
}

/** What was answered before the router was asked, for the log. */
export interface Repeated {
  route: string
  status: 200 | 304
}

const ANSWERS_MAX = 200
/** Addresses with a query may carry codes and are as many as anybody likes; so may be long ones. */
const WORDS_MAX = 400

const answersOn = ({ things }: Shelf) => things.get('answers') as Map<string, Kept> | undefined

const wordsOf = (url: string, accept: string | undefined) => `${url} ${accept ?? ''}`

/**
 * Keeps what an endpoint of a shop has just answered, on that shop's shelf: a change that shows takes it away with
 * everything else. By now the reply has every header but the length.
 */
export const keepForRepeats = (request: FastifyRequest, reply: FastifyReply, lasting: Lasting) => {
  const url = request.originalUrl
  const words = wordsOf(url, request.headers.accept)
  if (request.method !== 'GET' || url.includes('?') || words.length > WORDS_MAX) return

  const answers = answersOn(lasting.shelf) ?? new Map<string, Kept>()
  lasting.shelf.things.set('answers', answers)
  const unchanged = Object.entries(reply.getHeaders()).flatMap(([name, value]) => [name, String(value)])
  const whole = [...unchanged, 'content-length', String(Buffer.byteLength(lasting.body))]
  if (answers.size >= ANSWERS_MAX) answers.clear()
  answers.set(words, { route: request.routeOptions.url ?? 'none', lasting, whole, unchanged })
}

/** Answers before the router is asked, where the same was answered before and would be answered again. */
export const repeat = (house: House, request: IncomingMessage, response: ServerResponse): Repeated | null => {
  if (request.method !== 'GET') return null
  const { host, accept } = request.headers
  const shelf = shelfAtOnce(house, host ?? '')
  const kept = shelf && answersOn(shelf)?.get(wordsOf(request.url!, accept))
  if (!kept || !covers(kept.lasting, shelf.now!)) return null

  const { route, lasting, whole, unchanged } = kept
  if (isKnownTag(lasting.etag, request.headers['if-none-match'])) {
    response.writeHead(304, unchanged).end()
    return { route, status: 304 }
  }
  response.writeHead(200, whole).end(lasting.body)
  return { route, status: 200 }
}
