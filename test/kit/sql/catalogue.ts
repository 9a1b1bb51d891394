import type pg from 'pg'

export interface CalledFunction {
  name: string
  schema: string
  isStrict: boolean
}

/** What PostgreSQL knows about types, functions and columns, by their numbers. */
export interface Catalogue {
  functions: ReadonlyMap<number, CalledFunction>
  /** Operators that make a value of values, always. */
  totalOperators: ReadonlySet<number>
  /** Columns that are never null, as `relation.column`. */
  notNull: ReadonlySet<string>
  types: ReadonlyMap<string, { oid: number; name: string; itemOid: number; itemName: string | null }>
}

const TOTAL_OPERATORS = [
  '+',
  '-',
  '*',
  '/',
  '%',
  '||',
  '=',
  '<>',
  '<',
  '>',
  '<=',
  '>=',
  '~~',
  '!~~',
  '~',
  '!~',
  '@>',
  '<@',
  '&&',
  '^@',
]

/** Functions that never answer null where none of their arguments is: PostgreSQL itself does not keep that anywhere. */
const TOTAL_FUNCTIONS = new Set(
  `lower upper length char_length octet_length bit_length to_char extract date_part date_trunc timezone make_interval
  clock_timestamp now encode decode sha256 md5 left right substr replace btrim ltrim rtrim abs ceil ceiling floor round
  strpos position cardinality hashtextextended hashtext nextval gen_random_uuid random pg_backend_pid current_database
  pg_try_advisory_lock pg_try_advisory_lock_shared pg_try_advisory_xact_lock to_json to_jsonb row_to_json array_remove array_replace normalize
  starts_with reverse repeat lpad rpad initcap trunc mod sign power interval jsonb_set like notlike`.split(/\s+/),
)

/** Foyer's own, each with what makes it so. */
const OWN_TOTAL_FUNCTIONS: Record<string, string> = {
  foyer_now: 'a clock',
}

/** These skip nulls, but for as many of their first arguments. */
const SKIPPING_FUNCTIONS: Record<string, number> = {
  concat: 0,
  concat_ws: 1,
  json_build_object: 0,
  jsonb_build_object: 0,
  json_build_array: 0,
  jsonb_build_array: 0,
}

/** How many of its first arguments must have values for the function to have one; null where that is not known. */
export const neverNullOnValues = ({ name, schema }: CalledFunction, given: number): number | null => {
  if (schema !== 'pg_catalog') return name in OWN_TOTAL_FUNCTIONS ? Infinity : null
  // With a second argument it may be silent about what is not set.
  if (name === 'current_setting') return given === 1 ? 1 : null
  return SKIPPING_FUNCTIONS[name] ?? (TOTAL_FUNCTIONS.has(name) ? Infinity : null)
}

export const readSqlCatalogue = async (client: pg.ClientBase): Promise<Catalogue> => {
  const functions = await client.query<{ oid: string; name: string; schema: string; isStrict: boolean }>(`
    select oid::text, proname as name, pronamespace::regnamespace::text as schema, proisstrict as "isStrict" from pg_proc`)
  const operators = await client.query<{ oid: string }>({
    text: `select oid::text from pg_operator where oprnamespace = 'pg_catalog'::regnamespace and oprname = any ($1)`,
    values: [TOTAL_OPERATORS],
  })
  const columns = await client.query<{ column: string }>(
    `select attrelid || '.' || attnum as column from pg_attribute where attnotnull and attnum > 0`,
  )
  const types = await client.query<{
    type: string
    oid: number
    name: string
    itemOid: number
    itemName: string | null
  }>(`
    select t.oid::regtype::text as type, t.oid::int as oid, t.typname as name, coalesce(i.oid, 0)::int as "itemOid",
      i.typname as "itemName"
    from pg_type t left join pg_type i on i.oid = t.typelem and t.typcategory = 'A'`)
  return {
    functions: new Map(functions.rows.map(({ oid, ...rest }) => [Number(oid), rest])),
    totalOperators: new Set(operators.rows.map(({ oid }) => Number(oid))),
    notNull: new Set(columns.rows.map(({ column }) => column)),
    types: new Map(types.rows.map(({ type, ...rest }) => [type, rest])),
  }
}
