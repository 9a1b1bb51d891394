import { type Insertable, sql } from 'kysely'
import type { Tx } from '../access/scopes.ts'
import type { Tables } from '../database/table-types.ts'

type TenantTable = {
  [Name in keyof Tables]: Tables[Name] extends { account_id: unknown } ? Name : never
}[keyof Tables]

type NewRow<Table extends TenantTable> = Omit<Insertable<Tables[Table]>, 'account_id'>

/** Statements stay well below their time limit, and one text below what PostgreSQL takes. */
const ROWS_AT_ONCE = 10_000

/**
 * Inserts rows set by set: PostgreSQL reads them from one JSON text by the table's own column types.
 * All rows have the same columns; the account's ID is added.
 */
export const insertRows = async <Table extends TenantTable>(
  tx: Tx,
  table: Table,
  rows: readonly NewRow<Table>[],
): Promise<void> => {
  const columns = Object.keys(rows[0] ?? {})
  const targets = sql.join(['account_id', ...columns].map((column) => sql.ref(column)))
  const values = sql.join([sql`${tx.accountId}::bigint`, ...columns.map((column) => sql.ref(`given.${column}`))])

  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const text = JSON.stringify(rows.slice(start, start + ROWS_AT_ONCE))
    await sql`
      insert into ${sql.table(table)} (${targets})
      select ${values} from json_populate_recordset(null::${sql.table(table)}, ${text}::json) as given`.execute(tx.db)
  }
}

type IdentifiedTable = { [Name in TenantTable]: Tables[Name] extends { id: unknown } ? Name : never }[TenantTable]

/** IDs for rows about to be inserted, in ascending order, so that rows can name each other before they are there. */
export const allocateIds = async (tx: Tx, table: IdentifiedTable, count: number): Promise<number[]> => {
  if (count === 0) return []
  const { rows } = await sql<{ id: number }>`
    -- taken as not null: id (the IDs of these tables are drawn from sequences)
    select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${count})`.execute(tx.db)
  return rows.map(({ id }) => id)
}
