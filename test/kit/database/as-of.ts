import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import { migrate } from '../../../src/database/migrate.ts'
import { withClient } from './template.ts'

const MIGRATIONS = path.join(import.meta.dirname, '../../../migrations')

/** Brings an empty database to where it was after so many migrations. */
export const migrateUpTo = async (connection: pg.ClientConfig, last: number): Promise<void> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'foyer-as-of-'))
  try {
    for (const file of await readdir(MIGRATIONS)) {
      if (Number(file.slice(0, 4)) <= last) await copyFile(path.join(MIGRATIONS, file), path.join(folder, file))
    }
    await migrate(connection, { folder })
  } finally {
    await rm(folder, { recursive: true })
  }
}

interface Column {
  table: string
  name: string
  isSerial: boolean
}

const COLUMNS = `
  select c.table_name as table, c.column_name as name,
    pg_get_serial_sequence(quote_ident(c.table_name), c.column_name) is not null as "isSerial"
  from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
  where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'schema_migrations'
    and is_generated = 'NEVER'
  order by c.table_name, c.ordinal_position`

/**
 * Rows of one database in the tables of an older one, as far as those had the columns. Neither triggers nor foreign keys
 * look at them: what stands there stood in order where it was made.
 */
export const copyRowsBack = (from: pg.ClientConfig, to: pg.ClientConfig): Promise<number> =>
  withClient(from, (newer) =>
    withClient(to, async (older) => {
      const given = new Set((await newer.query<Column>(COLUMNS)).rows.map(({ table, name }) => `${table}.${name}`))
      const wanted = (await older.query<Column>(COLUMNS)).rows.filter(({ table, name }) =>
        given.has(`${table}.${name}`),
      )
      await older.query('set session_replication_role = replica')
      let count = 0
      for (const [table, columns] of Map.groupBy(wanted, (column) => column.table)) {
        const names = columns.map(({ name }) => `"${name}"`).join(', ')
        const { rows } = await newer.query<{ rows: string }>(
          `select coalesce(json_agg(t), '[]')::text as rows from (select ${names} from public."${table}") t`,
        )
        await older.query(`delete from public."${table}"`)
        const inserted = await older.query(
          `insert into public."${table}" (${names}) overriding system value
           select ${names} from json_populate_recordset(null::public."${table}", $1)`,
          [rows[0]!.rows],
        )
        count += inserted.rowCount ?? 0
        for (const { name } of columns.filter(({ isSerial }) => isSerial)) {
          await older.query(
            `select setval(pg_get_serial_sequence($1, $2), greatest(1, (select max("${name}") from public."${table}")))`,
            [`public."${table}"`, name],
          )
        }
      }
      return count
    }),
  )
