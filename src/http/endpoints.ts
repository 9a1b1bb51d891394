import { z } from 'zod'
import { anyone } from '../access/access.ts'
import { ok } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { named } from './wire.ts'

const Health = named('Health', z.object({ status: z.literal('ok') }), { status: 'ok' })

const health = endpoint({
  method: 'GET',
  path: '/healthz',
  operationId: 'checkHealth',
  says: 'Tells whether Foyer and its database answer; 503 while they do not.',
  access: anyone(),
  answers: { 200: Health },
  handle: async ({ pingDatabase }) => {
    await pingDatabase()
    return ok({ status: 'ok' as const })
  },
})

export const healthEndpoints = [health]
