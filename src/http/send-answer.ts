import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RawAnswer } from './answers.ts'
import { type Body, PrecompressedText, encode, negotiateEncoding, varyWithEncoding } from './compression.ts'
import { varyWithLanguage } from './request-language.ts'
import { storeInResponseCache } from './response-cache.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

export const sendRawAnswer = async (request: FastifyRequest, reply: FastifyReply, answer: RawAnswer) => {
  reply.code(answer.status).headers(answer.headers)
  if (isPage(answer)) reply.header('vary', varyWithLanguage(answer.headers['vary']))
  if (answer.lasting) await storeInResponseCache(request, reply, answer.lasting)
  // Of what is not sent, not even the length is told.
  return answer.status === 304 ? reply.send() : sendEncodedBody(request, reply, answer.body)
}

/** Every page is there in several languages at one address. */
const isPage = ({ headers }: RawAnswer) => String(headers['content-type'] ?? '').startsWith('text/html')

export const sendEncodedBody = async (request: FastifyRequest, reply: FastifyReply, body: Body) => {
  const answered = reply.getHeaders()
  const negotiated = negotiateEncoding({ method: request.method, headers: request.headers, answered, body })
  if (negotiated) reply.header('vary', varyWithEncoding(answered))
  if (!negotiated?.encoding) return reply.send(body instanceof PrecompressedText ? body.text : body)
  reply.header('content-encoding', negotiated.encoding)
  return reply.send(await encode(body, negotiated.encoding))
}
