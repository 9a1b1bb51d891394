import { createHash, timingSafeEqual } from 'node:crypto'
import type { Registry } from 'prom-client'
import { anyone } from '../access/access.ts'
import { RawAnswer } from '../http/answers.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { Unauthorized } from '../kernel/refusals.ts'

export const METRICS_PATH = '/metrics'

/** Beside the API, and only where a token was set: without one there is no such address. */
export const metricsEndpoint = (registry: Registry, token: string): Endpoint =>
  endpoint({
    method: 'GET',
    path: METRICS_PATH,
    says: 'What Foyer counts of itself, in the text format of Prometheus.',
    undocumented: true,
    access: anyone(),
    answers: {},
    handle: async ({ headers }) => {
      if (!bearsToken(headers.authorization, token)) throw new Unauthorized()
      return new RawAnswer(200, { 'content-type': registry.contentType }, await registry.metrics())
    },
  })

/** Compared by digests of one length, so that the time it takes tells nothing of the token. */
export const bearsToken = (authorization: string | string[] | undefined, token: string): boolean =>
  timingSafeEqual(digestOf(String(authorization)), digestOf(`Bearer ${token}`))

const digestOf = (text: string) => createHash('sha256').update(text).digest()
