import { anyone } from '../access/access.ts'
import { RawAnswer, page } from '../http/answers.ts'
import { DEMO_SHOP } from '../http/code-samples.ts'
import { KeptText } from '../http/compression.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { once } from '../kernel/once.ts'
import { describeApi } from './describe-api.ts'
import { referencePage, referenceScript } from './reference-page.ts'

const FIVE_MINUTES = 'public, max-age=300'

/** The endpoints of all rooms, and those that describe them. */
export const describedBy = (endpoints: readonly Endpoint[]): Endpoint[] => {
  const descriptions = new Map<string, KeptText>()
  /** With the addresses of the settings: what a request calls itself proves nothing. */
  const descriptionAt = ({ baseUrl, shopDomain }: { baseUrl: string; shopDomain: string }) => {
    const shopUrl = `${new URL(baseUrl).protocol}//${DEMO_SHOP}.${shopDomain}`
    const known = descriptions.get(baseUrl)
    if (known) return known
    const made = new KeptText(JSON.stringify(describeApi(endpoints, { baseUrl, shopUrl })))
    descriptions.set(baseUrl, made)
    return made
  }
  const script = once(async () => new KeptText(await referenceScript()))

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
        descriptionAt(addresses),
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
      return page(html, 200, { 'content-security-policy': contentSecurityPolicy })
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
