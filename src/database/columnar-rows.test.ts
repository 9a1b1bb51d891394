import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../../test/kit/database/database.ts'
import { type ColumnSet, type ColumnarRows, aggregateColumns, rowReader, selectColumns } from './columnar-rows.ts'
import { openDatabase } from './database.ts'

interface Row {
  n: number
  'a "name"\n': string | null
  at: Date | null
}

const ROWS: ColumnSet<Row> = {
  values: {
    n: sql`n`,
    'a "name"\n': sql`nullif('Zoë "' || n, 'Zoë "2"')`,
    // A hundred years in steps of 315,576 seconds and some odd microseconds; none for the third.
    at: sql`case when n <> 3 then timestamptz '1970-01-01' + n * interval '315576.123457 seconds' end`,
  },
  moments: ['at'],
}

const rowOf = rowReader(ROWS)

test('rows that travelled by columns are what they were, and a moment is cut off at its millisecond', async () => {
  const clone = await cloneDatabase()
  const database = openDatabase(clone.connection)
  const count = 10_000
  const { rows } = await sql<ColumnarRows<Row> & { milliseconds: (number | null)[] }>`
    select ${aggregateColumns(ROWS)}, json_agg(floor(extract(epoch from at) * 1000)) as milliseconds
    from (select ${selectColumns(ROWS)} from generate_series(1, ${count}::int) n) given`.execute(database.kysely)
  const { milliseconds, ...columns } = rows[0]!
  const read = Array.from({ length: count }, (_, index) => rowOf(columns, index))
  expect(read.map(({ at }) => at && at.getTime())).toEqual(milliseconds)
  expect(read[1]).toEqual({ n: 2, 'a "name"\n': 'Zoë "2', at: new Date(milliseconds[1]!) })
  expect(read[2]).toEqual({ n: 3, 'a "name"\n': 'Zoë "3', at: null })
  await database.close()
  await clone.drop()
})
