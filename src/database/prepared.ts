import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type RawBuilder,
  sql,
} from 'kysely'
import type pg from 'pg'
import type { Tables } from './table-types.ts'

/**
 * Runs a statement that each connection plans once and keeps under its name. Planning a statement of many steps takes
 * longer than running it. Its text must always be the same: whatever varies is a parameter.
 */
export const runPrepared = <Row>(db: Kysely<Tables>, name: string, statement: RawBuilder<Row>): Promise<Row[]> => {
  const { sql: text, parameters } = statement.compile(db)
  return runNamed<Row>(db, { name, text }, parameters)
}

/** The same for a statement that is put together once: whatever varies stands in it as $1, $2 and so on. */
export const prepareStatement = <Row>(name: string, statement: RawBuilder<Row>) => {
  let text: string | null = null
  return (db: Kysely<Tables>, values: readonly unknown[]): Promise<Row[]> => {
    text ??= statement.compile(db).sql
    return runNamed<Row>(db, { name, text }, values)
  }
}

const runNamed = async <Row>(
  db: Kysely<Tables>,
  statement: { name: string; text: string },
  values: readonly unknown[],
): Promise<Row[]> => {
  // Kysely hands its text to pg as it is, and pg takes a name along with the text.
  const text = statement as unknown as string
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))
  return rows
}

/**
 * For statements that find a few rows by their keys. Planning one anew for its values costs more than running it. A plan
 * that is kept may be from a time when the tables were small, so it always looks rows up and never reads a table whole.
 */
const GENERIC_PLAN_SETTINGS = [
  ['plan_cache_mode', 'force_generic_plan'],
  ['enable_seqscan', 'off'],
  ['enable_hashjoin', 'off'],
  ['enable_mergejoin', 'off'],
  ['enable_material', 'off'],
] as const

/** The same for all that a connection is asked, as it is told when it is opened. */
export const GENERIC_PLAN_OPTIONS = GENERIC_PLAN_SETTINGS.map(([name, value]) => `-c ${name}=${value}`).join(' ')

/** Its transactions begin with that for all their statements, and send no word more often than others do. */
export class KeyedTransactionsDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig

  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): Driver {
    return new KeyedTransactionsDriver(this.#config)
  }
}

class KeyedTransactionsDriver extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(BEGIN_WITH_GENERIC_PLANS))
  }
}

const BEGIN_WITH_GENERIC_PLANS = [
  'begin',
  ...GENERIC_PLAN_SETTINGS.map(([name, value]) => `set local ${name} = ${value}`),
].join('; ')

/** Columns that a statement selects so that what is left of its transaction is planned in that way. */
export const genericPlanColumns = () =>
  sql.join(GENERIC_PLAN_SETTINGS.map(([name, value]) => sql`set_config(${name}, ${value}, true)`))

/** The same as a statement of its own, for a transaction that began without. */
export const useGenericPlans = async (tx: Kysely<Tables>): Promise<void> => {
  await runPrepared(tx, 'plan-once', sql`select ${genericPlanColumns()}`)
}

/**
 * For a transaction that writes thousands of rows at once. Triggers look up a row for each of them by plans that the
 * connection may have kept from a time when the tables were small, when reading one whole was as good as its index.
 */
export const planForManyRows = async (tx: Kysely<Tables>): Promise<void> => {
  await sql`discard plans`.execute(tx)
  await sql`select set_config('enable_seqscan', 'off', true)`.execute(tx)
}

const PLANS_MS = 10_000

/**
 * Among a few rows every index is as good as the other, so a plan from then may read all that an account has for each row
 * it looks for. The server plans anew once it has counted a table again, which takes it a minute; a doors-open does not
 * wait for that.
 */
export const discardOldPlans = (pool: pg.Pool, ms = PLANS_MS): void => {
  const plannedAt = new WeakMap<pg.PoolClient, number>()
  pool.on('acquire', (client) => {
    const now = performance.now()
    const before = plannedAt.get(client)
    if (before !== undefined && now - before < ms) return
    plannedAt.set(client, now)
    // Goes ahead of what the connection was taken for. Should it be lost, that fails as well, and is told.
    if (before !== undefined) client.query('discard plans', () => {})
  })
}
