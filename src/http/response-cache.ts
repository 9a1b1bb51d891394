import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../access/app.ts'
import { shopCacheOfHost } from '../access/shop-address.ts'
import { type ShopCache, isValidAt } from '../access/shop-cache.ts'
import type { CacheableAnswer } from './answers.ts'
import { acceptedEncoding, negotiateEncoding } from './compression.ts'
import { matchesEtag } from './negotiation.ts'
import { preferredLanguage } from './request-language.ts'

/** A public answer with all its headers, for whoever asks for it in the same words. */
interface Kept {
  route: string
  lasting: CacheableAnswer
  body: string | Buffer
  whole: string[]
  unchanged: string[]
}

/** What was answered before the router was asked, for the log. */
export interface CachedAnswer {
  route: string
  status: 200 | 304
}

const ANSWERS_MAX = 200
/** Addresses with a query may carry codes and are as many as anybody likes; so may be long ones. */
const WORDS_MAX = 400

const answersOn = ({ entries }: ShopCache) => entries.get('answers') as Map<string, Kept> | undefined

const wordsOf = (
  url: string,
  { accept, 'accept-encoding': encodings, 'accept-language': languages }: IncomingHttpHeaders,
) => {
  const encoding = acceptedEncoding(encodings)
  const language = preferredLanguage(languages)
  // Anything may stand in Accept, so it comes last.
  return `${encoding ? `${encoding} ` : ''}${language ? `${language} ` : ''}${url} ${accept ?? ''}`
}

/**
 * Keeps what an endpoint of a shop has just answered, on that shop's cache: a change that shows takes it away with
 * everything else. By now the reply has every header but the length.
 */
export const storeInResponseCache = async (request: FastifyRequest, reply: FastifyReply, lasting: CacheableAnswer) => {
  const url = request.originalUrl
  const { method, headers } = request
  const words = wordsOf(url, headers)
  if (method !== 'GET' || url.includes('?') || words.length > WORDS_MAX) return

  const answered = reply.getHeaders()
  const encoding = negotiateEncoding({ method, headers, answered, body: lasting.body })?.encoding
  const body = encoding ? await lasting.body.in(encoding) : lasting.body.text

  const answers = answersOn(lasting.cache) ?? new Map<string, Kept>()
  lasting.cache.entries.set('answers', answers)
  const unchanged = Object.entries(answered).flatMap(([name, value]) => [name, String(value)])
  const encoded = encoding ? ['content-encoding', encoding] : []
  const whole = [...unchanged, ...encoded, 'content-length', String(Buffer.byteLength(body))]
  if (answers.size >= ANSWERS_MAX) answers.clear()
  answers.set(words, { route: request.routeOptions.url ?? 'none', lasting, body, whole, unchanged })
}

/** Answers before the router is asked, where the same was answered before and would be answered again. */
export const answerFromCache = (app: App, request: IncomingMessage, response: ServerResponse): CachedAnswer | null => {
  if (request.method !== 'GET') return null
  const cache = shopCacheOfHost(app, request.headers.host ?? '')
  const kept = cache && answersOn(cache)?.get(wordsOf(request.url!, request.headers))
  if (!kept || !isValidAt(kept.lasting, cache.now!)) return null

  const { route, lasting, body, whole, unchanged } = kept
  if (matchesEtag(lasting.etag, request.headers['if-none-match'])) {
    response.writeHead(304, unchanged).end()
    return { route, status: 304 }
  }
  response.writeHead(200, whole).end(body)
  return { route, status: 200 }
}
