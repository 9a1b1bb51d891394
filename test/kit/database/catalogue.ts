import type pg from 'pg'

export interface Table {
  name: string
  columns: string[]
}

export interface Index {
  table: string
  name: string
  isUnique: boolean
  /** Key columns in order; an expression is null. */
  columns: (string | null)[]
  /** The condition of a partial index, as PostgreSQL writes it. */
  condition: string | null
}

export interface ForeignKey {
  table: string
  name: string
  columns: string[]
  target: string
  targetColumns: string[]
}

export interface Constraint {
  table: string
  name: string
}

export interface Catalogue {
  tables: Table[]
  indexes: Index[]
  foreignKeys: ForeignKey[]
  constraints: Constraint[]
}

/** What the schema public consists of, as the database itself tells it. */
export const readCatalogue = async (client: pg.Client): Promise<Catalogue> => {
  const list = async <Row extends object>(text: string) => (await client.query<Row>(text)).rows
  return {
    tables: await list<Table>(TABLES),
    indexes: await list<Index>(INDEXES),
    foreignKeys: await list<ForeignKey>(FOREIGN_KEYS),
    constraints: await list<Constraint>(CONSTRAINTS),
  }
}

const OURS = `connamespace = 'public'::regnamespace and conrelid <> 0`

const namesOf = (table: string, numbers: string) => `array(
  select attname::text from unnest(${numbers}) with ordinality as keys (number, place)
  left join pg_attribute on attrelid = ${table} and attnum = keys.number order by place)`

const TABLES = `
  select relname as name,
    array(select attname::text from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped) as columns
  from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`

const INDEXES = `
  select relation.relname as table, pg_class.relname as name, indisunique as "isUnique",
    ${namesOf('indrelid', '(indkey::int2[])[0:indnkeyatts - 1]')} as columns,
    pg_get_expr(indpred, indrelid) as condition
  from pg_index
  join pg_class on pg_class.oid = indexrelid
  join pg_class relation on relation.oid = indrelid
  where relation.relnamespace = 'public'::regnamespace and indisvalid
  order by 1, 2`

const FOREIGN_KEYS = `
  select conrelid::regclass::text as table, conname as name, ${namesOf('conrelid', 'conkey')} as columns,
    confrelid::regclass::text as target, ${namesOf('confrelid', 'confkey')} as "targetColumns"
  from pg_constraint where ${OURS} and contype = 'f' order by 1, 2`

/** Without "not null", which PostgreSQL 18 counts among the constraints and names by itself. */
const CONSTRAINTS = `
  select conrelid::regclass::text as table, conname as name
  from pg_constraint where ${OURS} and contype <> 'n' order by 1, 2`
