import type { FastifyRequest } from 'fastify'
import type { RequestFacts } from '../access/authenticate.ts'
import { clientAddressOf } from './client-address.ts'

export const requestFactsOf = (request: FastifyRequest): RequestFacts => ({
  authorization: request.headers.authorization,
  cookie: request.headers.cookie,
  method: request.method,
  host: request.headers.host ?? '',
  ip: clientAddressOf(request.ip),
  origin: request.headers.origin,
  fetchSite: firstHeaderValue(request.headers['sec-fetch-site']),
  params: request.params as Record<string, string>,
})

export const firstHeaderValue = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)
