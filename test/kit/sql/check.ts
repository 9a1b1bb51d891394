import pg from 'pg'
import { openDatabase } from '../../../src/database/database.ts'
import { literalsOf } from '../database/generate-table-types.ts'
import { withClient } from '../database/template.ts'
import { readSqlCatalogue } from './catalogue.ts'
import { type Comparison, type Fault, type Parse, compareRow } from './compare.ts'
import { isCommand } from './commands.ts'
import { describeStatement } from './describe.ts'
import type { Project } from './project.ts'
import { type Statement, findStatements } from './statements.ts'

export interface Findings {
  statements: Statement[]
  faults: Fault[]
  /** Statements whose text cannot be told without running their feature. */
  untold: { place: string; code: string; reason: string }[]
}

/** Has PostgreSQL describe every statement of the source, and holds the answers against the declared rows. */
export const checkStatements = async (project: Project, connection: pg.ClientConfig): Promise<Findings> => {
  const { found, faults: untold } = findStatements(project)
  const faults = await withClient(connection, async (client) => {
    const comparison: Comparison = {
      project,
      catalogue: await readSqlCatalogue(client),
      parsers: await readParsers(connection),
      words: await readWords(client),
    }
    const all: Fault[] = []
    for (const statement of found) all.push(...(await checkStatement(client, comparison, statement)))
    return [...new Map(all.map((fault) => [fault.message, fault])).values()]
  })
  return { statements: found, faults, untold }
}

const checkStatement = async (client: pg.Client, comparison: Comparison, statement: Statement): Promise<Fault[]> => {
  const { place, text, row } = statement
  if (isCommand(text) && !row) return []
  try {
    return compareRow(comparison, statement, await describeStatement(client, comparison.catalogue, statement))
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
    const message = `${place}: PostgreSQL refuses the statement: ${error.message}.`
    return [{ place, message }]
  }
}

const readParsers = async (connection: pg.ClientConfig): Promise<Comparison['parsers']> => {
  const database = openDatabase(connection)
  const { types } = database.pool.options
  await database.close()
  const through =
    (getTypeParser: typeof pg.types.getTypeParser): Parse =>
    (type, text) =>
      (getTypeParser(type, 'text') as (text: string) => unknown)(text)
  return { ofPool: through(types!.getTypeParser), ofOthers: through(pg.types.getTypeParser) }
}

const readWords = async (client: pg.Client): Promise<Comparison['words']> => {
  const { rows } = await client.query<{ column: string; name: string; checks: string[] }>(`
    select attrelid || '.' || attnum as column, attname as name, array_agg(pg_get_constraintdef(c.oid)) as checks
    from pg_attribute a join pg_constraint c on c.conrelid = a.attrelid and c.contype = 'c' and c.conkey = array[a.attnum]
    group by attrelid, attnum, attname`)
  return new Map(
    rows.flatMap(({ column, name, checks }) => {
      const words = literalsOf({ name, type: 'text', isArray: false, checks })
      return words ? [[column, words] as const] : []
    }),
  )
}
