import { PNG } from '../kit/venue/uploads.ts'
import type { Names } from './names.ts'
import { spoil } from './schemas.ts'
import type { Stage } from './stage.ts'
import { LITERAL, isReference, percentEncode } from './values.ts'
import { type BodyChoice, type GeneratedRequest, operationOf } from './generated-requests.ts'

export interface Question {
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer | undefined
}

/** The request as bytes, about what the stage holds at this moment. */
export const settle = (stage: Stage, request: GeneratedRequest): Question => {
  const { endpoint } = operationOf(request)
  const { body, type } = settleBody(stage, request.body)
  return {
    method: endpoint.method,
    path: settlePath(stage, request) + settleQuery(stage, request.query),
    headers: {
      accept: 'application/json',
      ...(type && { 'content-type': type }),
      ...(endpoint.access.site === 'shop' && { host: stage.shopHost }),
      ...stage.callers[request.caller],
      ...request.headers,
    },
    body,
  }
}

const pick = <T>(list: readonly T[] | undefined, at: number): T | undefined => list?.[at % (list.length || 1)]

const MISSING = ['999999999', '4XkPz8sQm2VfRb6NwYc9Td', 'nothing-here', '0']

const settlePath = ({ names, foreign }: Stage, request: GeneratedRequest) => {
  const { path } = request
  const { endpoint, family } = operationOf(request)
  let parts: string[] = []
  if (path.of === 'junk') parts = path.segments
  else if (path.of === 'own') parts = pick(names.paths[family], path.n)?.map(percentEncode) ?? []
  else if (path.of === 'foreign') parts = pick(foreign.paths[family], path.n)?.map(percentEncode) ?? []
  else {
    const [one, other] = [
      pick(names.paths[family], path.n) ?? [],
      pick(path.of === 'mixed' ? foreign.paths[family] : [], path.m),
    ]
    parts = one.map((part, at) => percentEncode(at === one.length - 1 ? (other?.[at] ?? pick(MISSING, path.m)!) : part))
  }
  let at = 0
  return endpoint.path.replace(/:[a-z_]+/g, () => pick(parts, at++) ?? MISSING[1]!)
}

/** Beyond what Node takes for a head of a request nobody of Foyer is asked. */
const QUERY_MOST = 8000

const settleQuery = (stage: Stage, query: GeneratedRequest['query']) => {
  if (query.length === 0) return ''
  const shown = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
  return `?${query
    .flatMap(([name, value]) => {
      const settled = settleValue(stage.names, value)
      const values = Array.isArray(settled) ? settled : [settled]
      // A name is sent as it is; one that is a stray percent sign tries the reader of addresses.
      return values.map((each) => `${name}=${percentEncode(shown(each))}`)
    })
    .join('&')
    .slice(0, QUERY_MOST)}`
}

const settleBody = (stage: Stage, choice: BodyChoice): { body: Buffer | undefined; type?: string } => {
  if (choice === null) return { body: undefined }
  if (choice.as === 'picture') return { body: PNG, type: 'image/png' }
  if (choice.as === 'bytes') return { body: Buffer.from(choice.bytes, choice.encoding), type: 'application/json' }

  const value = settleValue(stage.names, choice.spoilt.reduce(spoil, choice.value))
  if (choice.as === 'form') return { body: Buffer.from(formOf(value)), type: 'application/x-www-form-urlencoded' }
  const json = JSON.stringify(value) ?? ''
  return { body: Buffer.from(json.replaceAll(new RegExp(`"${LITERAL}([^"]*)"`, 'g'), '$1')), type: 'application/json' }
}

const settleValue = (names: Names, value: unknown): unknown => {
  if (isReference(value)) return pick(names.pools[value.$from], value.n) ?? null
  if (Array.isArray(value)) return Array.from(value, (each) => settleValue(names, each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      const question = /^\$question:(\d)$/.exec(key)?.[1]
      const name = question ? String(pick(names.pools['question'], Number(question))) : key
      return [name, settleValue(names, each)]
    }),
  )
}

const formOf = (value: unknown, prefix = ''): string => {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .slice(0, 200)
      .map(([key, each]) =>
        formOf(each, prefix ? `${prefix}[${Array.isArray(value) ? '' : percentEncode(key)}]` : percentEncode(key)),
      )
      .filter(Boolean)
      .join('&')
  }
  return `${prefix}=${percentEncode(String(value))}`
}

/** For whoever has to ask the same again. */
export const describeQuestion = ({ method, path, headers, body }: Question) =>
  `${method} ${path.slice(0, 1000)}\n${JSON.stringify(headers)}\n${body ? body.toString('utf8').slice(0, 2000) : '(no body)'}`
