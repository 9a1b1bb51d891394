import type pg from 'pg'

interface Column {
  relation: string
  isView: boolean
  name: string
  /** The type's name in pg_type; of an array, of its elements; of a domain, of what it is based on. */
  type: string
  isArray: boolean
  isNullable: boolean
  hasDefault: boolean
  isGeneratedAlways: boolean
  /** The labels of an enum type. */
  labels: string[] | null
  /** The definitions of the check constraints on this column alone. */
  checks: string[]
}

const COLUMNS = `
  select
    relation.relname as relation,
    relation.relkind in ('v', 'm') as "isView",
    attribute.attname as name,
    coalesce(element.typname, base.typname) as type,
    element.typname is not null as "isArray",
    not attribute.attnotnull as "isNullable",
    attribute.atthasdef or attribute.attidentity <> '' as "hasDefault",
    attribute.attidentity = 'a' or attribute.attgenerated <> '' as "isGeneratedAlways",
    (select json_agg(enumlabel order by enumsortorder) from pg_enum
     where enumtypid = coalesce(element.oid, base.oid)) as labels,
    array(select pg_get_constraintdef(oid) from pg_constraint
          where conrelid = relation.oid and contype = 'c' and conkey = array[attribute.attnum] order by conname) as checks
  from pg_class relation
  join pg_attribute attribute on attribute.attrelid = relation.oid and attribute.attnum > 0 and not attribute.attisdropped
  join pg_type declared on declared.oid = attribute.atttypid
  join pg_type base on base.oid = case declared.typtype when 'd' then declared.typbasetype else declared.oid end
  left join pg_type element on element.oid = base.typelem and base.typcategory = 'A'
  where relation.relnamespace = 'public'::regnamespace
    and relation.relkind in ('r', 'p', 'v', 'm')
    and not relation.relispartition
    and relation.relname <> 'schema_migrations'
  order by relation.relname, attribute.attnum`

/** How the parsers of database.ts read a value. */
const TYPES: Record<string, string> = {
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  numeric: 'string',
  text: 'string',
  varchar: 'string',
  bpchar: 'string',
  citext: 'string',
  uuid: 'string',
  inet: 'string',
  interval: 'string',
  date: 'string',
  bool: 'boolean',
  bytea: 'Buffer',
  timestamptz: 'Timestamp',
  json: 'Json',
  jsonb: 'Json',
}

const HEADING = `import type { ColumnType } from 'kysely'

// Written from the migrated schema by \`node test/kit/database/table-types.ts --write\`; a test fails when the two drift apart.

export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject
export type JsonObject = { [key: string]: JsonValue }

type Timestamp = ColumnType<Date, Date | string, Date | string>

// pg would send an array as a PostgreSQL array, so anything but an object is written as JSON text.
type Json = ColumnType<JsonValue, string | JsonObject, string | JsonObject>

type Generated<T> =
  T extends ColumnType<infer Read, infer Inserted, infer Updated>
    ? ColumnType<Read, Inserted | undefined, Updated>
    : ColumnType<T, T | undefined, T>

type GeneratedAlways<T> =
  T extends ColumnType<infer Read, infer _, infer _> ? ColumnType<Read, never, never> : ColumnType<T, never, never>
`

const PRINT_WIDTH = 120

/** The text of table-types.ts for a live schema. */
export const describeTables = async (client: Pick<pg.ClientBase, 'query'>): Promise<string> => {
  const { rows } = await client.query<Column>(COLUMNS)
  const relations = Map.groupBy(rows, (column) => column.relation)

  const interfaces = Array.from(
    relations,
    ([relation, columns]) =>
      `export interface ${pascalCase(relation)} {\n${columns.map(describeColumn).join('\n')}\n}\n`,
  )
  const tables = Array.from(relations.keys(), (relation) => `  ${relation}: ${pascalCase(relation)}\n`)

  return [HEADING, ...interfaces, `export interface Tables {\n${tables.join('')}}\n`].join('\n')
}

const describeColumn = (column: Column) => {
  const alternatives = column.labels ?? literalsOf(column)
  const types = alternatives ? alternatives.map(quote) : [typeOf(column)]
  const item = types.join(' | ')
  const whole = column.isArray ? [types.length > 1 ? `(${item})[]` : `${item}[]`] : types
  const members = column.isNullable ? [...whole, 'null'] : whole
  const wrapper = column.isGeneratedAlways || column.isView ? 'GeneratedAlways' : column.hasDefault ? 'Generated' : null

  const type = members.join(' | ')
  const line = `  ${column.name}: ${wrapper ? `${wrapper}<${type}>` : type}`
  if (line.length <= PRINT_WIDTH) return line
  if (wrapper) return `  ${column.name}: ${wrapper}<\n    ${type}\n  >`
  return [`  ${column.name}:`, ...members.map((member) => `    | ${member}`)].join('\n')
}

const typeOf = (column: Column) => {
  const type = TYPES[column.type]
  // The number of an extension's array type differs from database to database, so no parser can be registered for it.
  if (!type || (column.isArray && column.type === 'citext')) {
    throw new Error(
      `${column.relation}.${column.name} is of the type ${column.type}, for which no TypeScript type is known.`,
    )
  }
  return type
}

/** The values of \`check (column in ('a', 'b'))\`, as PostgreSQL writes that constraint back. */
export const literalsOf = ({
  name,
  type,
  isArray,
  checks,
}: Pick<Column, 'name' | 'type' | 'isArray' | 'checks'>): string[] | null => {
  if (type !== 'text' || isArray) return null

  for (const check of checks) {
    const list = new RegExp(`^CHECK \\(\\("?${name}"? = (?:ANY \\(ARRAY\\[(.+)\\]\\)|('.+'::text))\\)\\)$`).exec(check)
    const text = list?.[1] ?? list?.[2]
    if (text && /^'(?:[^']|'')*'::text(?:, '(?:[^']|'')*'::text)*$/.test(text)) {
      return Array.from(text.matchAll(/'((?:[^']|'')*)'::text/g), (match) => match[1]!.replaceAll("''", "'"))
    }
  }
  return null
}

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const pascalCase = (name: string) => name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
