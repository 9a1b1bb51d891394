import fc from 'fast-check'
import { OPERATIONS, type Operation, fittingFor } from './requests.ts'
import { type Spoiling, accepted, likeExample, spoiling } from './schemas.ts'
import { TOOL_OPERATIONS } from './tools.ts'
import { junk, junkSegment } from './values.ts'

type PathChoice =
  | { of: 'own' | 'foreign' | 'mixed' | 'missing'; n: number; m: number }
  | { of: 'junk'; segments: string[] }

export type BodyChoice =
  | { as: 'json' | 'form'; value: unknown; spoilt: Spoiling[] }
  | { as: 'bytes'; bytes: string; encoding: 'latin1' | 'utf8' }
  | { as: 'picture' }
  | null

/** A request that is not about anything in particular yet, so that it can be drawn, shrunk and repeated. */
export interface GeneratedRequest {
  operation: string
  caller: string
  path: PathChoice
  query: [name: string, value: unknown][]
  body: BodyChoice
  headers: Record<string, string>
}

const CALLERS = [
  'office',
  'owner',
  'manager',
  'co-organizer',
  'reader',
  'scanner',
  'device',
  'revoked',
  'foreigner',
  'none',
  'garbage',
  'session',
  'their session',
]

const n = fc.nat({ max: 1000 })
const none = fc.constant<Spoiling[]>([])

const pathOf: fc.Arbitrary<PathChoice> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ of: fc.constant('own' as const), n, m: n }) },
  {
    weight: 2,
    arbitrary: fc.record({ of: fc.constantFrom('foreign' as const, 'mixed' as const, 'missing' as const), n, m: n }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      of: fc.constant('junk' as const),
      segments: fc.array(junkSegment, { minLength: 1, maxLength: 3 }),
    }),
  },
)

const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 10, arbitrary: fc.constant({}) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { accept: 'text/html' },
      { accept: 'text/html,application/json;q=0.9' },
      { accept: 'application/json;q=0, text/plain' },
      { accept: '*/*;q=abc,,;' },
      { accept: '' },
      { 'if-none-match': '*' },
      { 'if-none-match': 'W/"x", "' },
      { range: 'bytes=0-1' },
      { range: 'bytes=5-1,x-' },
      { range: `bytes=${'9'.repeat(30)}-` },
      { 'idempotency-key': 'again' },
      { 'idempotency-key': 'k'.repeat(300) },
      { 'idempotency-key': '\u00ff \u0001'.replace('\u0001', '') },
      { 'accept-encoding': 'gzip, br;q=0, *' },
      { 'if-modified-since': 'yesterday' },
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'user-agent': 'x'.repeat(4000) },
      { 'last-event-id': '99999999999999999999' },
      { 'x-http-method-override': 'DELETE' },
    ),
  },
)

const jsonOf = ({ schema, example }: NonNullable<Operation['body']>): fc.Arbitrary<BodyChoice> => {
  const good =
    example === undefined
      ? accepted(schema)
      : fc.oneof({ weight: 2, arbitrary: accepted(schema) }, { weight: 1, arbitrary: likeExample(example) })
  const as = fc.constantFrom('json' as const, 'json' as const, 'json' as const, 'json' as const, 'form' as const)
  return fc.oneof(
    { weight: 5, arbitrary: fc.record({ as: fc.constant('json' as const), value: good, spoilt: none }) },
    {
      weight: 5,
      arbitrary: fc.record({ as, value: good, spoilt: fc.array(spoiling, { minLength: 1, maxLength: 3 }) }),
    },
    { weight: 1, arbitrary: fc.record({ as, value: junk, spoilt: none }) },
    { weight: 1, arbitrary: bytes },
  )
}

const bytes: fc.Arbitrary<BodyChoice> = fc.record({
  as: fc.constant('bytes' as const),
  encoding: fc.constantFrom('latin1' as const, 'utf8' as const),
  bytes: fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      '{',
      '{"a":',
      '[1,2',
      'null',
      '"x"',
      '\u00ff\u00fe',
      '{"a":"\u00c3\u0028"}',
      '[[[[',
      '{}{}',
      'a=1&b[]=2&b[c]=3',
    ),
    fc.constantFrom(
      `[${'['.repeat(5000)}`,
      `{"x":"${'y'.repeat(1_100_000)}"}`,
      `a${'[a]'.repeat(2000)}=1`,
      'a=%zz&%=%',
      '\ufeff{}',
    ),
    fc.string({ unit: 'binary', maxLength: 60 }),
  ),
})

const TYPES: Record<string, string>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/jsonp' },
  { 'content-type': ';' },
  { 'content-type': 'application/x-www-form-urlencoded' },
]

/** Requests to this operation, about half of them such as its description invites to. */
export const requestFor = (operation: Operation, caller?: string): fc.Arbitrary<GeneratedRequest> => {
  const { endpoint, body, query } = operation
  const fitting = caller ? [caller] : fittingFor(endpoint)
  const names = Object.keys(query)
  const queried = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .subarray(names)
        .chain((some) => fc.tuple(...some.map((name) => fc.tuple(fc.constant(name), accepted(query[name]!, name))))),
    },
    {
      weight: 2,
      arbitrary: fc.array(
        fc.tuple(fc.constantFrom(...names, 'page', 'limit', 'q[]', 'filter[a]', '%', '__proto__'), junk),
        { maxLength: 3 },
      ),
    },
  )

  return fc.record({
    operation: fc.constant(operation.name),
    caller: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...fitting) },
      { weight: caller ? 0 : 3, arbitrary: fc.constantFrom(...CALLERS) },
    ),
    path: caller ? fc.record({ of: fc.constant('own' as const), n, m: n }) : pathOf,
    query: caller ? fc.constant([]) : queried,
    body: bodyFor(operation, caller !== undefined, body),
    headers: caller
      ? fc.constant({})
      : fc.oneof({ weight: 12, arbitrary: oddHeaders }, { weight: 1, arbitrary: fc.constantFrom(...TYPES) }),
  })
}

const bodyFor = ({ endpoint }: Operation, isPlain: boolean, body: Operation['body']): fc.Arbitrary<BodyChoice> => {
  if (endpoint.streams && !body)
    return isPlain ? fc.constant({ as: 'picture' }) : fc.oneof(fc.constant({ as: 'picture' as const }), bytes)
  if (!body)
    return isPlain || endpoint.method === 'GET'
      ? fc.constant(null)
      : fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: bytes })
  if (!isPlain) return jsonOf(body)
  const value =
    body.example === undefined ? accepted(body.schema) : fc.oneof(likeExample(body.example), accepted(body.schema))
  return fc.record({ as: fc.constant('json' as const), value, spoilt: none })
}

/** Any operation at all, now and then by way of an assistant. */
export const anyRequest: fc.Arbitrary<GeneratedRequest> = fc.oneof(
  ...[...OPERATIONS, ...TOOL_OPERATIONS].map((operation) => requestFor(operation)),
)

const operationsByName = new Map([...OPERATIONS, ...TOOL_OPERATIONS].map((each) => [each.name, each]))
export const operationOf = (request: GeneratedRequest): Operation => operationsByName.get(request.operation)!
