import { type RawBuilder, sql } from 'kysely'

/** Which columns make a row of this shape; moments are named apart, since JSON has no dates: they travel as numbers. */
export interface ColumnSet<Row> {
  values: { [Name in keyof Row]: RawBuilder<unknown> }
  moments: readonly (keyof Row)[]
}

/** Rows by columns: the values of each, in the order of the rows. */
export type ColumnarRows<Row> = { [Name in keyof Row]: readonly unknown[] }

/** The columns as a statement selects them. */
export const selectColumns = <Row>({ values }: ColumnSet<Row>): RawBuilder<unknown> =>
  sql.join(Object.entries<RawBuilder<unknown>>(values).map(([name, value]) => sql`${value} as ${sql.ref(name)}`))

/**
 * The selected rows gathered into one, column by column. Hundreds of rows that arrive as a few lists are read several
 * times faster than each for itself. Without an order they stay as they are: those of a subquery, as that has sorted them.
 */
export const aggregateColumns = <Row>(
  { values, moments }: ColumnSet<Row>,
  { order, prefix = '' }: { order?: RawBuilder<unknown>; prefix?: string } = {},
): RawBuilder<unknown> =>
  sql.join(
    Object.keys(values).map((name) => {
      const column = sql.ref(name)
      const isMoment = moments.includes(name as keyof Row)
      const value = isMoment ? wholeMilliseconds(column) : column
      return sql`coalesce(json_agg(${value} ${order ? sql`order by ${order}` : sql``}), '[]') as ${sql.ref(prefix + name)}`
    }),
  )

/**
 * As JavaScript's own times do, what is less than a millisecond is cut off. A float holds a moment to a quarter of a
 * microsecond, so half a one keeps whole milliseconds whole; exact numbers would take five times as long.
 */
const wholeMilliseconds = (moment: RawBuilder<unknown>) => sql`floor(date_part('epoch', ${moment}) * 1000 + 0.0005)`

/**
 * Compiled once, as the validators and serializers are: an object that is written as one takes a sixth of the time and a
 * part of the memory of one that grows name by name, and tens of thousands are read for one answer.
 */
export const rowReader = <Row>({
  values,
  moments,
}: ColumnSet<Row>): ((rows: ColumnarRows<Row>, index: number) => Row) => {
  const fields = (Object.keys(values) as (keyof Row & string)[]).map((name) => {
    const value = `rows[${JSON.stringify(name)}][index]`
    return `${JSON.stringify(name)}: ${moments.includes(name) ? `${value} === null ? null : new Date(${value})` : value}`
  })
  // oxlint-disable-next-line typescript/no-implied-eval -- of names that stand in our own code
  return new Function('rows', 'index', `return { ${fields.join(', ')} }`) as (
    rows: ColumnarRows<Row>,
    index: number,
  ) => Row
}
