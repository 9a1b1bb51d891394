import { z } from 'zod'
import { anyone } from '../access/access.ts'
import { Refusal } from '../kernel/refusals.ts'
import { ok } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { queryPresence } from './fields.ts'
import { named } from './wire.ts'

const Health = named('Health', z.object({ status: z.literal('ok'), warnings: z.array(z.string()).optional() }), {
  status: 'ok',
})

const health = endpoint({
  method: 'GET',
  path: '/healthz',
  operationId: 'checkHealth',
  says: 'Tells whether Foyer and its database answer; 503 while they do not. `?detail` adds what an operator should look at, like a backup that is too old.',
  access: anyone(),
  query: z.object({ detail: queryPresence() }),
  answers: { 200: Health },
  handle: async ({ pingDatabase, findWarnings, query }) => {
    await pingDatabase()
    return ok({ status: 'ok' as const, ...(query.detail && { warnings: await findWarnings() }) })
  },
})

const Readiness = named('Readiness', z.object({ status: z.literal('ready') }), { status: 'ready' })

class Stopping extends Refusal {
  readonly status = 503
  constructor() {
    super({ base: ['Foyer is stopping'] })
  }
}

const readiness = endpoint({
  method: 'GET',
  path: '/readyz',
  operationId: 'checkReadiness',
  says: 'Tells a load balancer whether to send requests: 503 until the database is migrated, while it does not answer, and from the moment Foyer was told to stop.',
  access: anyone(),
  answers: { 200: Readiness },
  handle: async ({ pingDatabase, isStopping }) => {
    if (isStopping()) throw new Stopping()
    await pingDatabase()
    return ok({ status: 'ready' as const })
  },
})

export const healthEndpoints = [health, readiness]
