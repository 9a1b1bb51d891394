import { anyone } from '../access/access.ts'
import { RawAnswer, page } from '../http/answers.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { once } from '../kernel/once.ts'
import { describeApi } from './describe-api.ts'
import { referencePage, referenceScript } from './reference-page.ts'

const FIVE_MINUTES = 'public, max-age=300'

/** The endpoints of all rooms, and those that describe them. */
export const describedBy = (endpoints: readonly Endpoint[]): Endpoint[] => {
  const description = once(() => JSON.stringify(describeApi(endpoints)))

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
        { 'content-type': 'application/json; charset=utf-8', 'cache-control': FIVE_MINUTES },
        description(),
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
        await referenceScript(),
      ),
  })

  return [...endpoints, apiDescription, apiReference, apiReferenceScript]
}
