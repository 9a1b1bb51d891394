import fc from 'fast-check'
import { randomOf, shuffledBy } from '../kit/seed.ts'
import { OPERATIONS, type Operation, fittingFor } from './requests.ts'
import type { Schema } from './schemas.ts'
import { TOOL_OPERATIONS } from './tools.ts'
import { type BodyChoice, type GeneratedRequest, requestFor } from './generated-requests.ts'

/** Almost as much as a body may hold. */
const MUCH = 900_000
const much = (text: string) => text.repeat(Math.floor(MUCH / Buffer.byteLength(text)))
const numbered = (count: number, write: (n: number) => string) => Array.from({ length: count }, (_, n) => write(n))

/** Texts that somebody's code reads in the square of their length, or that become far more than they are. */
const TEXTS: Record<string, string> = {
  'a hundred characters that stand for eighteen': '\uFDFA'.repeat(100),
  'characters that stand for eighteen': much('\uFDFA'),
  'marks upon marks': `a${much('\u0301\u0316')}`,
  'letters of other scripts': numbered(255, (n) => String.fromCodePoint(0x4e00 + n * 80)).join(''),
  'families of four': much('👩‍👩‍👧‍👦'),
  'turns from left to right': much('אa(\u202e'),
  'spaces before a letter': `${much(' ')}x`,
  'spaces after a letter': `x${much(' ')}x`,
  digits: much('1'),
  decimals: `0.${much('0')}1`,
  letters: much('a'),
  'dots and letters': `${much('a.')}@`,
  'at signs': much('a@'),
  hyphens: much('a-'),
  'line breaks': much('\r\n'),
  quotes: much('"'),
  'a quote around line breaks': `"${much('\n')}"`,
  commas: much(','),
  semicolons: much(';q=0'),
  'opening brackets': much('['),
  'JSON inside JSON': much('{"a":'),
  'a list inside a text': `[${numbered(150_000, () => '"x"').join(',')}]`,
  'percent signs': much('%'),
  slashes: much('/'),
  backslashes: much('\\'),
  'beginnings of tags': much('<'),
  'beginnings of links': much('<a '),
  'elements inside elements': much('<b>'),
  'elements beside elements': much('<i></i>'),
  'formatting that is opened again': `<p>${numbered(5_800, (n) => `<b a${n}>`).join('')}</p>${'<p>x</p>'.repeat(5_800)}`,
  'attributes that are copied': `<p><b ${numbered(9_000, (n) => `a${n}`).join(' ')}></p>${'<p>x</p>'.repeat(9_000)}`,
  'names of characters': much('&amp;'),
  attachments: much('<action-text-attachment sgid="x"></action-text-attachment>'),
  'rows of a table': `code,amount\n${numbered(40_000, (n) => `CODE${n},1.00`).join('\n')}`,
  'an address without end': `https://${much('a.')}example`,
}

const LISTS: Record<string, unknown> = {
  'a list of zeros': Array.from({ length: 400_000 }, () => 0),
  'a list of numbers': numbered(120_000, (n) => String(n + 1)).map(Number),
  'a list of names': Array.from({ length: 180_000 }, () => 'x'),
  'a list of addresses': Array.from({ length: 80_000 }, () => 'www.x.y'),
  'a list of objects': Array.from({ length: 300_000 }, () => ({})),
  'an object of many keys': Object.fromEntries(numbered(60_000, (n) => `key ${n}`).map((key) => [key, 'x'])),
  'an object of numbers': Object.fromEntries(numbered(70_000, (n) => String(n + 1)).map((key) => [key, 'x'])),
  'as deep as it may be': JSON.parse(`${'[{"a":'.repeat(28)}"x"${'}]'.repeat(28)}`),
}

export const EXPENSIVE: Record<string, unknown> = { ...TEXTS, ...LISTS }

const OTHER_BODIES: Record<string, [type: string, bytes: string]> = {
  'a form of many fields': ['application/x-www-form-urlencoded', much('&a')],
  'a form of many lists': ['application/x-www-form-urlencoded', much('&a[]=')],
  'a name of many brackets': ['application/x-www-form-urlencoded', `a${much('[a]')}=1`],
  'a name of opening brackets': ['application/x-www-form-urlencoded', `a${much('[')}=1`],
  'escapes in a form': ['application/x-www-form-urlencoded', `a=${much('%EF%B7%BA')}`],
  'opening brackets alone': ['application/json', much('[')],
  'empty lists': ['application/json', `[${much('[],')}[]]`],
  'a key again and again': ['application/json', `{${much('"a":1,')}"b":1}`],
  'prototypes again and again': ['application/json', `{${much('"__proto__":1,')}"b":1}`],
  'a number without end': ['application/json', much('1')],
  'a text without end': ['application/json', `"${much('\\u0000')}`],
}

/** As much as Node takes for a head. */
const head = (text: string) => text.repeat(Math.floor(11_000 / text.length))
const HEADERS: Record<string, string>[] = [
  { accept: head('text/html;q=0.1,') },
  { accept: `a${head(';q')}` },
  { 'accept-encoding': `gzip${head(' ')};` },
  { 'accept-encoding': head('gzip;q=0, ') },
  { cookie: head('a=b;') },
  { cookie: `foyer_session=${head('a')}` },
  { authorization: `Bearer${head(' ')}` },
  { authorization: `Bearer ${head('a')}` },
  { 'if-none-match': head('W/"a",') },
  { range: `bytes=${head('0-1,')}` },
  { 'idempotency-key': head('k') },
  { 'user-agent': head('Mozilla (') },
  { origin: `https://${head('a.')}` },
  { 'last-event-id': head('9') },
  { 'access-control-request-headers': head('a,') },
]

/** Where in a body a value can stand: the names that lead there. */
const waysInto = (schema: Schema): string[][] => {
  const entries = Object.entries(schema.properties ?? {})
  if (entries.length === 0) return schema.items?.properties ? [[], ...inList(schema.items)] : [[]]
  return entries.flatMap(([name, inner]) => waysInto(inner).map((way) => [name, ...way]))
}

const inList = (items: Schema) => waysInto(items).map((way) => ['0', ...way])

const withValue = (body: unknown, [first, ...rest]: readonly string[], value: unknown): unknown => {
  if (first === undefined) return value
  const holder: Record<string, unknown> =
    typeof body === 'object' && body !== null && !('$from' in body) ? { ...body } : {}
  holder[first] = withValue(holder[first], rest, value)
  return first === '0' ? Object.values(holder) : holder
}

export interface ExpensiveRequest {
  name: string
  request: GeneratedRequest
}

/** Everything expensive that can be asked of an operation: each value at each place, in bodies, queries and headers. */
const expensiveFor = (operation: Operation, seed: number): ExpensiveRequest[] => {
  const caller = fittingFor(operation.endpoint)[0]!
  const [request] = fc.sample(requestFor(operation, caller), { seed, numRuns: 1 })
  const about = (what: string, change: Partial<GeneratedRequest>): ExpensiveRequest => ({
    name: `${operation.name}: ${what}`,
    request: { ...request!, ...change },
  })
  const plain = request!.body !== null && 'value' in request!.body ? request!.body.value : {}
  const ways = operation.body ? waysInto(operation.body.schema).filter((way) => way.length > 0) : []
  const json = (value: unknown): BodyChoice => ({ as: 'json', value, spoilt: [] })

  return [
    ...ways.flatMap((way) =>
      Object.entries(EXPENSIVE).map(([name, value]) =>
        about(`${name} as ${way.join('.')}`, { body: json(withValue(plain, way, value)) }),
      ),
    ),
    ...Object.keys(operation.query).flatMap((field) =>
      Object.entries(TEXTS).map(([name, text]) =>
        about(`${name} as ?${field}`, { query: [[field, text.slice(0, 800).toWellFormed()]] }),
      ),
    ),
    ...(operation.body
      ? Object.entries(OTHER_BODIES).map(([name, [type, bytes]]) =>
          about(name, { body: { as: 'bytes', bytes, encoding: 'utf8' }, headers: { 'content-type': type } }),
        )
      : []),
    ...(operation.endpoint.method === 'GET' ? HEADERS : []).map((headers) =>
      about(`a long ${Object.keys(headers)[0]}`, { headers }),
    ),
    about('a query of many keys', { query: numbered(3_000, (n) => `a${n}`).map((name) => [name, '']) }),
  ]
}

/** All of them, in no order: any part of them is about everything. */
export const expensiveRequests = (seed: number): ExpensiveRequest[] =>
  shuffledBy(
    randomOf('expensive requests'),
    [...OPERATIONS, ...TOOL_OPERATIONS].flatMap((operation) => expensiveFor(operation, seed)),
  )
