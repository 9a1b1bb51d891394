import { z } from 'zod'
import { anyone } from '../access/access.ts'
import type { House } from '../access/house.ts'
import { shopOrigin } from '../access/shop-address.ts'
import { RawAnswer, ok, page } from './answers.ts'
import { apiPage } from './api-page.ts'
import { type Addresses, DEMO_SHOP, trialVariables } from './code-samples.ts'
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

/** Made when it is first asked for, with the addresses of the settings: what a request calls itself proves nothing. */
const perHouse = <T>(make: (addresses: Addresses) => T) => {
  const made = new WeakMap<House, T>()
  return (house: House): T => {
    const known = made.get(house)
    if (known) return known
    const thing = make({ baseUrl: house.settings.baseUrl, shopUrl: shopOrigin(house, DEMO_SHOP) })
    made.set(house, thing)
    return thing
  }
}

/** The house's endpoints and those that describe them. */
export const describedBy = (rooms: readonly Endpoint[]): Endpoint[] => {
  const all = [health, ...rooms]
  const described = perHouse((addresses) => {
    const description = describeApi(all, addresses)
    const { html, contentSecurityPolicy } = apiPage(description, trialVariables(addresses))
    return { json: new KeptText(JSON.stringify(description)), page: new KeptText(html), contentSecurityPolicy }
  })

  const apiDescription = endpoint({
    method: 'GET',
    path: '/openapi.json',
    says: 'The API description, OpenAPI 3.1.',
    access: anyone(),
    answers: {},
    undocumented: true,
    handle: async ({ house }) =>
      new RawAnswer(
        200,
        { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'public, max-age=300' },
        described(house).json,
      ),
  })

  const apiReference = endpoint({
    method: 'GET',
    path: '/docs',
    says: 'The API description as a page to read.',
    access: anyone(),
    answers: {},
    undocumented: true,
    handle: async ({ house }) => {
      const { page: text, contentSecurityPolicy } = described(house)
      return page(text, 200, {
        'content-security-policy': contentSecurityPolicy,
        'cache-control': 'public, max-age=300',
      })
    },
  })

  return [...all, apiDescription, apiReference]
}
