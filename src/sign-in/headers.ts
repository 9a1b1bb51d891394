import type { RequestHeaders } from '../http/headers.ts'

export const joinedCookieHeader = (headers: RequestHeaders) => {
  const header = headers['cookie']
  return Array.isArray(header) ? header.join('; ') : header
}
