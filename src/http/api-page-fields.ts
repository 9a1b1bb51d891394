import { Html, html } from '../kernel/html.ts'

/** JSON Schema as the API description uses it; `true`, `false` and `{}` stand for anything, nothing and anything. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema | boolean
  prefixItems?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  example?: unknown
  examples?: unknown[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minItems?: number
  maxItems?: number
}

export type Schemas = Readonly<Record<string, Schema>>

const REF = '#/components/schemas/'

export const nameOf = (schema: Schema) => (schema.$ref?.startsWith(REF) ? schema.$ref.slice(REF.length) : undefined)

/** An anchor out of any name: what is no letter or digit becomes a hyphen. */
export const anchorOf = (kind: 'tag' | 'operation' | 'resource', name: string) =>
  `${kind}-${name.replace(/[^A-Za-z0-9_-]+/g, '-')}`

/** Backticks become code, everything else is text. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((part, index, parts) => {
    const isCode = index % 2 === 1 && index < parts.length - 1
    if (isCode) return html`<code>${part}</code>`
    return index % 2 === 1 ? `\`${part}` : part
  })}`

const isNull = (schema: Schema) => schema.type === 'null'
const variantsOf = (schema: Schema) => schema.anyOf ?? schema.oneOf ?? []
const itemsOf = (schema: Schema) => (typeof schema.items === 'object' ? schema.items : undefined)
const valuesOf = (schema: Schema) =>
  typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined

const joined = (parts: readonly (Html | string)[], separator: string) =>
  html`${parts.map((part, index) => html`${index > 0 && separator}${part}`)}`

/** What a value is, in words; a named schema is a link to its own description. */
export const typeOf = (schema: Schema): Html => {
  const name = nameOf(schema)
  if (name) return html`<a href="#${anchorOf('resource', name)}">${name}</a>`

  const variants = variantsOf(schema)
  if (variants.length > 0) return joined(uniqueTypes(variants), ' or ')
  if (schema.allOf) return joined(uniqueTypes(schema.allOf), ' and ')
  if (Array.isArray(schema.type))
    return joined(
      schema.type.map((type) => typeOf({ ...schema, type })),
      ' or ',
    )
  if (schema.type === 'array') return typeOfArray(schema)
  if (schema.type === 'object') {
    const values = valuesOf(schema)
    return values ? html`map of ${grouped(values)}` : html`object`
  }
  if (schema.type === 'string' && schema.format) return html`string (${schema.format})`
  return html`${schema.type ?? 'anything'}`
}

const typeOfArray = (schema: Schema): Html => {
  const items = itemsOf(schema)
  if (schema.prefixItems) return html`array of [${joined(schema.prefixItems.map(typeOf), ', ')}]`
  return items ? html`array of ${grouped(items)}` : html`array`
}

/** "array of (string or null)" is not "array of string or null". */
const grouped = (schema: Schema) => {
  const type = typeOf(schema)
  const isUnion = Array.isArray(schema.type) || new Set(variantsOf(schema).map((each) => typeOf(each).markup)).size > 1
  return isUnion ? html`(${type})` : type
}

const uniqueTypes = (schemas: readonly Schema[]) =>
  Array.from(new Map(schemas.map((schema) => [typeOf(schema).markup, typeOf(schema)])).values())

const CHARACTERS = ['character', 'characters'] as const
const ENTRIES = ['entry', 'entries'] as const

const range = (
  least: number | undefined,
  most: number | undefined,
  [one, many]: readonly [string, string] = ['', ''],
) => {
  const things = (count: number) => `${count} ${count === 1 ? one : many}`.trimEnd()
  if (least !== undefined && most !== undefined) return least === most ? things(least) : `${least} to ${things(most)}`
  if (least !== undefined) return `at least ${things(least)}`
  return most !== undefined && `at most ${things(most)}`
}

/** The bounds every JSON number has say nothing. */
const telling = (bound: number | undefined) =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined

const literal = (value: unknown) => html`<code>${JSON.stringify(value)}</code>`

/** What a value must keep to, and what it means. */
export const notesOf = (schema: Schema): Html => {
  const items = itemsOf(schema)
  const eachItem = items && !nameOf(items) && notesOf({ ...items, properties: undefined })
  // A value that may be null is bound by its other half.
  const others = variantsOf(schema).filter((each) => !isNull(each))

  const notes = [
    schema.const !== undefined && html`always ${literal(schema.const)}`,
    schema.enum && html`one of ${joined(schema.enum.map(literal), ', ')}`,
    range(schema.minLength, schema.maxLength, CHARACTERS),
    range(telling(schema.minimum), telling(schema.maximum)),
    schema.exclusiveMinimum !== undefined && `more than ${schema.exclusiveMinimum}`,
    schema.exclusiveMaximum !== undefined && `less than ${schema.exclusiveMaximum}`,
    range(schema.minItems, schema.maxItems, ENTRIES),
    eachItem && eachItem.markup !== '' && html`each ${eachItem}`,
    schema.pattern && html`matches <code>${schema.pattern}</code>`,
    schema.default !== undefined && html`default ${literal(schema.default)}`,
    others.length === 1 && notesOf(others[0]!),
  ].filter((note): note is Html | string => Boolean(note instanceof Html ? note.markup : note))

  const bounds = joined(notes, '; ')
  if (!schema.description) return bounds
  return html`${prose(schema.description)}${notes.length > 0 && html`<br />${bounds}`}`
}

interface FieldRow {
  /** Where it stands: `guests[].email`, split before its own name so that the name can stand out. */
  within: string
  name: string
  schema: Schema
  isRequired: boolean
}

/** One of several shapes a value may have; the rows after it belong to it. */
interface VariantRow {
  variant: string
}

/** Every field of a schema, nested ones after the field that holds them. Named schemas are described on their own. */
export const rowsOf = (schema: Schema, path = ''): (FieldRow | VariantRow)[] => {
  if (nameOf(schema)) return []
  const items = itemsOf(schema)
  const values = valuesOf(schema)
  const shapes = variantsOf(schema).filter((each) => rowsOf(each, path).length > 0)

  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) => [
      { within: path && `${path}.`, name, schema: each, isRequired: schema.required?.includes(name) ?? false },
      ...rowsOf(each, path ? `${path}.${name}` : name),
    ]),
    ...(items ? rowsOf(items, `${path}[]`) : []),
    ...(values ? rowsOf(values, path ? `${path}.*` : '*') : []),
    ...(schema.allOf ?? []).flatMap((each) => rowsOf(each, path)),
    ...shapes.flatMap((shape, index) => [
      ...(shapes.length > 1 ? [{ variant: variantLabel(shape, path, index, shapes.length) }] : []),
      ...rowsOf(shape, path),
    ]),
  ]
}

/** A constant tells variants apart better than a number. */
const variantLabel = (shape: Schema, path: string, index: number, count: number) => {
  const subject = path || 'the body'
  const mark = Object.entries(shape.properties ?? {}).find(([, each]) => each.const !== undefined)
  return mark
    ? `When \`${path ? `${path}.` : ''}${mark[0]}\` is \`${JSON.stringify(mark[1].const)}\``
    : `Shape ${index + 1} of ${count} of ${path ? `\`${subject}\`` : subject}`
}

const SAMPLE_TEXTS: Record<string, string> = {
  'date-time': '2026-12-31T21:00:00.000Z',
  date: '2026-12-31',
  email: 'ada@example.com',
  uri: 'https://example.com',
}

/** A value that fits a schema: its own example where it has one, else made up from its type. */
export const sampleOf = (schema: Schema, schemas: Schemas, within: readonly string[] = []): unknown => {
  const name = nameOf(schema)
  if (name) {
    const target = schemas[name]
    return target && !within.includes(name) ? sampleOf(target, schemas, [...within, name]) : null
  }

  const ready = [schema.example, schema.examples?.[0], schema.const, schema.default ?? undefined, schema.enum?.[0]]
  const known = ready.find((each) => each !== undefined)
  if (known !== undefined) return known

  const variant = variantsOf(schema).find((each) => !isNull(each))
  if (variant) return sampleOf(variant, schemas, within)
  return sampleOfType(schema, schemas, within)
}

const sampleOfType = (schema: Schema, schemas: Schemas, within: readonly string[]): unknown => {
  const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== 'null') : schema.type
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, each]) => [key, sampleOf(each, schemas, within)]),
      )
    case 'array':
      return (schema.prefixItems ?? [itemsOf(schema)])
        .filter((each) => each !== undefined)
        .map((each) => sampleOf(each, schemas, within))
        .filter((each) => each !== null)
    case 'string':
      return SAMPLE_TEXTS[schema.format ?? ''] ?? 'text'
    case 'integer':
    case 'number':
      return telling(schema.minimum) ?? 1
    case 'boolean':
      return true
    default:
      return null
  }
}
