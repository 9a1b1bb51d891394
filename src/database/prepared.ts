import type { Kysely, RawBuilder } from 'kysely'
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
