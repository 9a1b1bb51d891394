import type pg from 'pg'
import type { Catalogue } from './catalogue.ts'
import { type JsonShape, jsonShapeOf } from './json-shape.ts'
import { type Field, type Node, isNode, parseNodeTree, wordOf } from './node-tree.ts'
import { columnsOf, isNeverNull, levelOf } from './nullability.ts'
import type { Statement } from './statements.ts'

export interface Column {
  name: string
  /** As PostgreSQL writes it. */
  type: string
  isNullable: boolean
  json: JsonShape | null
  /** The table and the column that it is, where it is one as it stands. */
  origin: string | null
}

/** What PostgreSQL says a statement answers with; it is parsed and not run. */
export const describeStatement = async (
  client: pg.ClientBase,
  catalogue: Catalogue,
  { text, parameters }: Pick<Statement, 'text' | 'parameters'>,
): Promise<Column[]> => {
  await client.query(`prepare described as ${text}`)
  const { rows } = await client.query<{ given: string[]; answered: string[] | null }>(`
    select parameter_types::text[] as given, result_types::text[] as answered
    from pg_prepared_statements where name = 'described'`)
  await client.query('deallocate described')
  const { given, answered } = rows[0]!
  if (!answered || answered.length === 0) return []

  const query = await parse(client, text, given)
  return columnsOf(query).map(({ fields }, n) => ({
    name: unescape(wordOf(fields.resname)),
    type: answered[n]!,
    json:
      /^jsonb?$/.test(answered[n]!) && isNode(fields.expr)
        ? jsonShapeOf(fields.expr, levelOf(query, { catalogue, parameters }, null))
        : null,
    isNullable: !isNeverNull(query, n + 1, { catalogue, parameters }),
    origin: fields.resorigtbl === '0' ? null : `${wordOf(fields.resorigtbl)}.${wordOf(fields.resorigcol)}`,
  }))
}

/** PostgreSQL keeps the body of a function parsed; a statement that is one can be read back with all its meanings. */
const parse = async (client: pg.ClientBase, text: string, given: string[]): Promise<Node> => {
  await client.query(`
    create function pg_temp.described(${given.join(', ')}) returns setof record begin atomic ${text}
    ; end`)
  const { rows } = await client.query<{ body: string }>(`
    select prosqlbody::text as body from pg_proc where proname = 'described' and pronamespace = pg_my_temp_schema()`)
  await client.query(`drop function pg_temp.described(${given.join(', ')})`)
  const query = firstNode(parseNodeTree(rows[0]!.body))
  if (!query) throw new Error('PostgreSQL kept no parsed statement.')
  return query
}

const firstNode = (field: Field | undefined): Node | null =>
  isNode(field) ? field : Array.isArray(field) ? firstNode(field[0]) : null

const unescape = (name: string) => name.replaceAll(/\\(.)/g, '$1')
