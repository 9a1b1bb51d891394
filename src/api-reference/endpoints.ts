import { anyone } from '../access/access.ts'
import { RawAnswer, htmlPage } from '../http/answers.ts'
import { DEMO_SHOP } from '../http/example-setup.ts'
import { PrecompressedText } from '../http/compression.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { once } from '../kernel/once.ts'
import type { Settings } from '../kernel/settings.ts'
import type { WebhookDescription } from '../webhooks/webhook.ts'
import type { ExampleAddresses } from './code-samples.ts'
import { describeApi } from './describe-api.ts'
import { referencePage, referenceScript } from './reference-page.ts'

const FIVE_MINUTES = 'public, max-age=300'

type Installation = Pick<Settings, 'baseUrl' | 'shopDomain'>

/** Made once, with the addresses of the settings: what a request calls itself proves nothing. */
const perInstallation = <T>(make: (addresses: ExampleAddresses) => T) => {
  const made = new Map<string, T>()
  return ({ baseUrl, shopDomain }: Installation): T => {
    const shopUrl = `${new URL(baseUrl).protocol}//${DEMO_SHOP}.${shopDomain}`
    const known = made.get(shopUrl + baseUrl)
    if (known) return known
    const thing = make({ baseUrl, shopUrl })
    made.set(shopUrl + baseUrl, thing)
    return thing
  }
}

/** The endpoints of all rooms, and those that describe them. */
export const withDescriptionEndpoints = (
  endpoints: readonly Endpoint[],
  webhooks: readonly WebhookDescription[],
): Endpoint[] => {
  const script = once(async () => new PrecompressedText(await referenceScript()))
  const description = perInstallation(
    (addresses) => new PrecompressedText(JSON.stringify(describeApi(endpoints, webhooks, addresses))),
  )

  const apiDescription = endpoint({
    method: 'GET',
    path: '/openapi.json',
    says: 'The API description, OpenAPI 3.1.',
    access: anyone(),
    answers: {},
    undocumented: true,
    handle: async ({ addresses }) =>
      new RawAnswer(
        200,
        { 'content-type': 'application/json; charset=utf-8', 'cache-control': FIVE_MINUTES },
        description(addresses),
      ),
  })

  const apiReference = endpoint({
    method: 'GET',
    path: '/docs',
    says: 'The API description as a page to read and to try.',
    access: anyone(),
    answers: {},
    undocumented: true,
    handle: async ({ addresses }) => {
      const { html, contentSecurityPolicy } = referencePage(addresses)
      return htmlPage(html, 200, { 'content-security-policy': contentSecurityPolicy })
    },
  })

  const apiReferenceScript = endpoint({
    method: 'GET',
    path: '/docs/reference.js',
    says: 'The script of the page.',
    access: anyone(),
    answers: {},
    undocumented: true,
    handle: async () =>
      new RawAnswer(
        200,
        { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': FIVE_MINUTES },
        await script(),
      ),
  })

  return [...endpoints, apiDescription, apiReference, apiReferenceScript]
}
