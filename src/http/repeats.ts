import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { House } from '../access/house.ts'
import { shelfAtOnce } from '../access/shop-address.ts'
import { type Shelf, covers } from '../access/shops.ts'
import type { Lasting } from './answers.ts'
import { acceptedEncoding, negotiateEncoding } from './compression.ts'
import { isKnownTag } from './negotiation.ts'

/** A public answer with all its headers, for whoever asks for it in the same words. */
interface Kept {
  route: string
  lasting: Lasting
  body: string | Buffer
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

const wordsOf = (url: string, { accept, 'accept-encoding': encodings }: IncomingHttpHeaders) => {
  const encoding = acceptedEncoding(encodings)
  return encoding ? `${url} ${accept ?? ''} ${encoding}` : `${url} ${accept ?? ''}`
}

/**
 * Keeps what an endpoint of a shop has just answered, on that shop's shelf: a change that shows takes it away with
 * everything else. By now the reply has every header but the length.
 */
export const keepForRepeats = async (request: FastifyRequest, reply: FastifyReply, lasting: Lasting) => {
  const url = request.originalUrl
  const { method, headers } = request
  const words = wordsOf(url, headers)
  if (method !== 'GET' || url.includes('?') || words.length > WORDS_MAX) return

  const answered = reply.getHeaders()
  const encoding = negotiateEncoding({ method, headers, answered, body: lasting.body })?.encoding
  const body = encoding ? await lasting.body.in(encoding) : lasting.body.text

  const answers = answersOn(lasting.shelf) ?? new Map<string, Kept>()
  lasting.shelf.things.set('answers', answers)
  const unchanged = Object.entries(answered).flatMap(([name, value]) => [name, String(value)])
  const encoded = encoding ? ['content-encoding', encoding] : []
  const whole = [...unchanged, ...encoded, 'content-length', String(Buffer.byteLength(body))]
  if (answers.size >= ANSWERS_MAX) answers.clear()
  answers.set(words, { route: request.routeOptions.url ?? 'none', lasting, body, whole, unchanged })
}

/** Answers before the router is asked, where the same was answered before and would be answered again. */
export const repeat = (house: House, request: IncomingMessage, response: ServerResponse): Repeated | null => {
  if (request.method !== 'GET') return null
  const shelf = shelfAtOnce(house, request.headers.host ?? '')
  const kept = shelf && answersOn(shelf)?.get(wordsOf(request.url!, request.headers))
  if (!kept || !covers(kept.lasting, shelf.now!)) return null

  const { route, lasting, body, whole, unchanged } = kept
  if (isKnownTag(lasting.etag, request.headers['if-none-match'])) {
    response.writeHead(304, unchanged).end()
    return { route, status: 304 }
  }
  response.writeHead(200, whole).end(body)
  return { route, status: 200 }
}
