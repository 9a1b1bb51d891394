import type { FastifyRequest } from 'fastify'
import { parseJson, requireUnencodedBody } from './body.ts'
import type { Endpoint } from './endpoint.ts'
import { parseForm } from './forms.ts'

export const parseRequestBody = (request: FastifyRequest): unknown => {
  requireUnencodedBody(request.headers)
  const bytes = request.body
  if (!Buffer.isBuffer(bytes)) return undefined
  return request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    ? parseForm(bytes)
    : parseJson(bytes)
}

/** A fault of the body is told only where the path names something, in the version that is spoken of. */
export const readBodyOrNotFound = async <T>(endpoint: Endpoint, asked: object, read: () => T): Promise<T> => {
  try {
    return read()
  } catch (fault) {
    await endpoint.exists?.(asked)
    throw fault
  }
}
