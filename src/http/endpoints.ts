import { z } from 'zod'
import { anyone } from '../access/access.ts'
import { once } from '../kernel/once.ts'
import { RawAnswer, ok, page } from './answers.ts'
import { apiPage } from './api-page.ts'
import { KeptText } from './compression.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { describeApi } from './openapi.ts'
import { named } from './wire.ts'

const Health = named('Health', z.object({ status: z.literal('ok') }), { status: 'ok' })

const health = endpoint({
  method: 'GET',
  path: '/healthz',
  says: 'Tells whether Foyer and its database answer; 503 while they do not.',
  access: anyone(),
  answers: { 200: Health },
  handle: async ({ house }) => {
    await house.database.lookups.query('select 1')
    return ok({ status: 'ok' as const })
  },
})

/** The house's endpoints and those that describe them. */
export const describedBy = (rooms: readonly Endpoint[]): Endpoint[] => {
  const all = [health, ...rooms]
  const description = once(() => new KeptText(JSON.stringify(describeApi(all))))
  const reference = once(() => apiPage(describeApi(all)))

  const apiDescription = endpoint({
    method: 'GET',
    path: '/openapi.json',
    says: 'The API description, OpenAPI 3.1.',
    access: anyone(),
    answers: {},
    undocumented: true,
    handle: async () =>
      new RawAnswer(
        200,
        { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'public, max-age=300' },
        description(),
      ),
  })

  const apiReference = endpoint({
    method: 'GET',
    path: '/docs',
    says: 'The API description as a page to read.',
    access: anyone(),
    answers: {},
    undocumented: true,
    handle: async () => {
      const { html, contentSecurityPolicy } = reference()
      return page(html, 200, {
        'content-security-policy': contentSecurityPolicy,
        'cache-control': 'public, max-age=300',
      })
    },
  })

  return [...all, apiDescription, apiReference]
}
