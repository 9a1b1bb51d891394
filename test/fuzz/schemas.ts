import fc from 'fast-check'
import { WORDS, from, junk } from './values.ts'

/** As much of JSON Schema as the API description speaks. */
export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
}

/** Values the schema accepts; fields that name something of the venue are given names from there. */
export const accepted = (schema: Schema, name = ''): fc.Arbitrary<unknown> => {
  const usual = name === 'code' && schema.type === 'array' ? undefined : usualFor(name, schema)
  return usual
    ? fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: bySchema(schema, name) })
    : bySchema(schema, name)
}

const usualFor = (name: string, schema: Schema) => {
  if (schema.enum) return undefined
  if (name === 'code') return fc.oneof(fc.constant(null), from('voucher code'))
  return WORDS[name]
}

const bySchema = (schema: Schema, name: string): fc.Arbitrary<unknown> => {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => accepted(each, name)))
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['object'])
  return fc.oneof(...types.map((type) => byType(type, schema)))
}

const byType = (type: string, schema: Schema): fc.Arbitrary<unknown> => {
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return integers(schema)
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'array':
      return fc.array(accepted(schema.items ?? {}, ''), { maxLength: Math.min(4, schema.maxItems ?? 4) })
    case 'string':
      return strings(schema)
    default:
      return objects(schema)
  }
}

const integers = ({ minimum = -5, maximum = 100 }: Schema) =>
  fc.oneof(
    fc.integer({ min: minimum, max: Math.max(minimum, Math.min(maximum, minimum + 5)) }),
    fc.constantFrom(minimum, maximum),
  )

const strings = ({ format, minLength = 0, maxLength = 255 }: Schema): fc.Arbitrary<string> => {
  if (format === 'email') return fc.emailAddress({ size: 'small' })
  if (format === 'date') return fc.constantFrom('2031-01-31', '2028-02-29', '1999-12-31')
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom(...PLAIN.filter(({ length }) => length >= minLength && length <= maxLength)),
    },
    { weight: 2, arbitrary: fc.string({ unit: GRAPHEMES, minLength, maxLength: Math.min(maxLength, 30) }) },
    { weight: 1, arbitrary: fc.constant('y'.repeat(Math.min(maxLength, 100_000))) },
  )
}

const PLAIN = ['Zoë Lindqvist', 'Łukasz 王小明', 'عمر', 'x', 'AB', 'A & B <c>']
const GRAPHEMES = fc.constantFrom(
  ...Array.from('aZ09 -_.,:;!?äßøłŁ’“王小明عمرשלוםไทย한글'),
  'e\u0301',
  '👩‍👩‍👧‍👦',
  '🇩🇪',
  '😀',
)

const objects = ({ properties = {}, required = [] }: Schema): fc.Arbitrary<Record<string, unknown>> => {
  const model = Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, accepted(each, key)]))
  if (Object.keys(model).length === 0) return fc.dictionary(fc.constantFrom('a', '1', 'x y'), junk, { maxKeys: 2 })
  const optional = Object.keys(model).filter((key) => !required.includes(key))
  return fc.tuple(fc.record(model), fc.subarray(optional), fc.subarray(optional)).map(([whole, some, others]) => {
    // Of the optional fields about a quarter: the more there are, the more likely two contradict each other.
    const kept = new Set([...required, ...some.filter((key) => others.includes(key))])
    return Object.fromEntries(Object.entries(whole).filter(([key]) => kept.has(key)))
  })
}

/** The example of the description, with the IDs in it replaced by such as exist. */
export const likeExample = (example: unknown, name = ''): fc.Arbitrary<unknown> => {
  if (Array.isArray(example)) {
    return example.length === 0
      ? fc.constant([])
      : fc.array(likeExample(example[0], name), { minLength: 1, maxLength: 3 })
  }
  if (typeof example === 'object' && example !== null) {
    return fc.record(Object.fromEntries(Object.entries(example).map(([key, value]) => [key, likeExample(value, key)])))
  }
  const id = NAMED.has(name) ? WORDS[name] : name === 'code' ? from('voucher code') : undefined
  return id ?? fc.constant(example)
}

const NAMED = new Set([
  'ticket_id',
  'event_place_id',
  'assignee_id',
  'before_id',
  'event_slug',
  'public_id',
  'client_id',
  'pairing_secret',
  'lock_version',
  'endpoint',
  'csv',
  'email',
  'event_ids',
])

/** A change that spoils a value somewhere inside. */
export interface Spoiling {
  at: number
  how: 'replace' | 'remove' | 'add' | 'wrap'
  value: unknown
  key: string
}

export const spoiling: fc.Arbitrary<Spoiling> = fc.record({
  at: fc.nat({ max: 60 }),
  how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'wrap'),
  value: junk,
  key: fc.constantFrom(
    'id',
    'account_id',
    'role',
    '__proto__',
    'constructor',
    'toString',
    '',
    'a'.repeat(300),
    '\0',
    '😀',
  ),
})

interface Spot {
  value: unknown
  set(value: unknown): void
  remove(): void
}

const isEntry = (inside: unknown, key: string): inside is unknown[] => Array.isArray(inside) && /^\d+$/.test(key)

/** Whatever else was written on the list: `splice` would ask it for its constructor. */
const takeOut = (list: unknown[], at: number) => {
  for (let n = at; n < list.length - 1; n++) list[n] = list[n + 1]
  list.length -= 1
}

const spotsIn = (holder: { root: unknown }): Spot[] => {
  const spots: Spot[] = [
    { value: holder.root, set: (value) => void (holder.root = value), remove: () => void (holder.root = undefined) },
  ]
  const walk = (value: unknown) => {
    if (typeof value !== 'object' || value === null || '$from' in value) return
    const inside = value as Record<string, unknown>
    for (const key of Object.keys(inside)) {
      spots.push({
        value: inside[key],
        set: (given) => void (inside[key] = given),
        remove: () => void (isEntry(inside, key) ? takeOut(inside, Number(key)) : delete inside[key]),
      })
      walk(inside[key])
    }
  }
  walk(holder.root)
  return spots
}

export const spoil = (value: unknown, { at, how, value: given, key }: Spoiling): unknown => {
  const holder = { root: structuredClone(value) }
  const spots = spotsIn(holder)
  // Spoiling the whole is rarer than spoiling a part.
  const spot = spots[at % spots.length]!
  if (how === 'replace') spot.set(given)
  else if (how === 'remove') spot.remove()
  else if (how === 'wrap') spot.set([spot.value])
  else if (typeof spot.value === 'object' && spot.value !== null)
    Object.defineProperty(spot.value, key, { value: given, enumerable: true, configurable: true, writable: true })
  return holder.root
}
