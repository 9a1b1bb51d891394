import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from './table-types.ts'

/**
 * Runs a statement that each connection plans once and keeps under its name. Planning a statement of many steps takes
 * longer than running it. Its text must always be the same: whatever varies is a parameter.
 */
export const runPrepared = async <Row>(
  db: Kysely<Tables>,
  name: string,
  statement: RawBuilder<Row>,
): Promise<Row[]> => {
  const compiled = statement.compile(db)
  // Kysely hands its text to pg as it is, and pg takes a name along with the text.
  const text = { name, text: compiled.sql } as unknown as string
  const { rows } = await db.executeQuery<Row>({ ...compiled, sql: text })
  return rows
}

/**
 * For statements that find a few rows by their keys. Planning one anew for its values costs more than running it. A plan
 * that is kept may be from a time when the tables were small, so it always looks rows up and never reads a table whole.
 */
export const PLANNED_ONCE = [
  ['plan_cache_mode', 'force_generic_plan'],
  ['enable_seqscan', 'off'],
  ['enable_hashjoin', 'off'],
  ['enable_mergejoin', 'off'],
  ['enable_material', 'off'],
] as const

/** The same for what is left of a transaction. */
export const planOnce = async (tx: Kysely<Tables>): Promise<void> => {
  const settings = PLANNED_ONCE.map(([name, value]) => sql`set_config(${name}, ${value}, true)`)
  await runPrepared(tx, 'plan-once', sql`select ${sql.join(settings)}`)
}
