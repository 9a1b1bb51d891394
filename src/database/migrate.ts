import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { Logger, runMigrations } from 'graphile-worker'
import pg from 'pg'
import packageFile from '../../package.json' with { type: 'json' }
import { Misconfigured } from '../kernel/settings.ts'
import { longConnection, openLongClient } from './long-connection.ts'
import { assumeStatistics } from './statistics.ts'

const MIGRATIONS_FOLDER = path.join(import.meta.dirname, '../../migrations')
const OLDEST_SERVER = 15
const UNDEFINED_TABLE = '42P01'
const CONNECTION_NAME = 'foyer migrate'

/** Any number would do, as long as all of Foyer agrees on it. */
export const MIGRATION_LOCK = 4_027_311_905

/** The version stands as a comment on graphile-worker's schema, so that it leaves together with the schema. */
const WORKER_MARK = `graphile-worker ${packageFile.dependencies['graphile-worker']}`

export interface MigrateOptions {
  log?: (message: string) => void
  /** Runs after the migrations while no other process migrates. With it the lock is taken at every call. */
  alsoUnderLock?: (client: pg.Client) => Promise<void>
  /** The migrations of another database: this one is brought exactly there, and no further. */
  upTo?: readonly AppliedMigration[]
  /** Where the numbered files are. */
  folder?: string
}

interface Migration {
  number: number
  name: string
  checksum: string
  text: string
}

export type AppliedMigration = Pick<Migration, 'number' | 'name' | 'checksum'>

interface ServerVersion {
  version_number: number
  version: string
}

interface Standing {
  applied: AppliedMigration[]
  workerMark: string | null
}

/** Brings the database up to date and says how many migrations that took. Several processes may call it at once. */
export const migrate = async (connection: pg.ClientConfig | pg.Pool, options: MigrateOptions = {}): Promise<number> => {
  const known = await readMigrations(options.folder ?? MIGRATIONS_FOLDER)
  if (options.upTo) refuseStrangeHistory(options.upTo, known)
  const migrations = known.slice(0, options.upTo?.length)
  const client = await openLongClient(connection, CONNECTION_NAME)

  try {
    const standing = await readStanding(client)
    if (!options.alsoUnderLock && isUpToDate(standing, migrations)) return 0

    // The server may have timeouts of its own, and another process's migration may take long.
    await client.query('set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0')
    // Closing the connection releases the lock, whatever happens.
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    const count = await applyMissing(client, migrations, options)
    if (count > 0) await assumeStatistics(client)
    await migrateWorker(client, longConnection(connection, CONNECTION_NAME))
    await options.alsoUnderLock?.(client)
    return count
  } finally {
    await client.end()
  }
}

const readMigrations = async (folder: string): Promise<Migration[]> => {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()

  return Promise.all(
    files.map(async (file, index) => {
      const match = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(file)
      if (!match) throw new Misconfigured(`The migration ${file} must be named like 0001-foundation.sql.`)
      const number = Number(match[1])
      if (number !== index + 1) {
        throw new Misconfigured(`The migration ${file} stands where number ${index + 1} was expected.`)
      }

      const text = await readFile(path.join(folder, file), 'utf8')
      const checksum = createHash('sha256').update(text).digest('hex')
      return { number, name: file.slice(0, -'.sql'.length), checksum, text }
    }),
  )
}

const VERSION = `current_setting('server_version_num')::int as version_number, current_setting('server_version') as version`

const STANDING = `
  select ${VERSION},
    (select coalesce(json_agg(json_build_object('number', number, 'name', name, 'checksum', checksum) order by number), '[]')
     from public.schema_migrations) as applied,
    obj_description(to_regnamespace('graphile_worker'), 'pg_namespace') as "workerMark"`

const readStanding = async (client: pg.Client): Promise<Standing> => {
  const rows = await client.query<Standing & ServerVersion>(STANDING).then(
    (answer) => answer.rows,
    async (error: unknown) => {
      if (!(error instanceof pg.DatabaseError) || error.code !== UNDEFINED_TABLE) throw error
      const { rows: versions } = await client.query<ServerVersion>(`select ${VERSION}`)
      return versions.map((version) => ({ ...version, applied: [], workerMark: null }))
    },
  )

  const standing = rows[0]!
  refuseOldServer(standing)
  return standing
}

export const refuseOldServer = ({ version_number, version }: ServerVersion) => {
  if (version_number < OLDEST_SERVER * 10_000) {
    throw new Misconfigured(`Foyer needs PostgreSQL ${OLDEST_SERVER} or newer; the database server is ${version}.`)
  }
}

const isUpToDate = (standing: Standing, migrations: Migration[]) => {
  refuseStrangeHistory(standing.applied, migrations)
  return standing.applied.length === migrations.length && standing.workerMark === WORKER_MARK
}

const refuseStrangeHistory = (applied: readonly AppliedMigration[], migrations: Migration[]) => {
  for (const [index, { number, name, checksum }] of applied.entries()) {
    const migration = migrations[number - 1]
    if (!migration) {
      throw new Misconfigured(
        `The database has the migration ${name}, which this version of Foyer does not know; start the version that made it, or a newer one.`,
      )
    }
    if (number !== index + 1) {
      throw new Misconfigured(`The database has the migration ${name} but not number ${index + 1} before it.`)
    }
    if (checksum !== migration.checksum && name !== migration.name) {
      throw new Misconfigured(
        `The database has the migration ${name} where this version of Foyer has ${migration.name}: it was made by other migrations and cannot be brought up to date. Start with an empty database or another FOYER_DATA, or start the version that made this one.`,
      )
    }
    if (checksum !== migration.checksum) {
      throw new Misconfigured(
        `The migration ${migration.name}.sql is not the one that was applied to the database as ${name}; applied migrations never change.`,
      )
    }
  }
}

const applyMissing = async (client: pg.Client, migrations: Migration[], { log }: MigrateOptions) => {
  await client.query(`
    create table if not exists public.schema_migrations (
      number int primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default clock_timestamp()
    )`)

  const { applied } = await readStanding(client)
  refuseStrangeHistory(applied, migrations)

  const missing = migrations.slice(applied.length)
  for (const migration of missing) await apply(client, migration, log)
  return missing.length
}

const apply = async (client: pg.Client, { number, name, checksum, text }: Migration, log: MigrateOptions['log']) => {
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into public.schema_migrations (number, name, checksum) values ($1, $2, $3)', [
      number,
      name,
      checksum,
    ])
    await client.query('commit')
  } catch (error) {
    // A rollback can only fail because the connection is gone, and then the server has rolled back by itself.
    await client.query('rollback').catch(() => {})
    throw new Error(`The migration ${name} failed: ${placeOf(error, text)}${(error as Error).message}`, {
      cause: error,
    })
  }
  log?.(`Applied the migration ${name}.`)
}

const placeOf = (error: unknown, text: string) => {
  const position = error instanceof pg.DatabaseError ? Number(error.position) : NaN
  return position > 0 ? `line ${text.slice(0, position).split('\n').length}: ` : ''
}

const migrateWorker = async (client: pg.Client, config: pg.ClientConfig) => {
  const { workerMark } = await readStanding(client)
  if (workerMark === WORKER_MARK) return

  const pool = new pg.Pool({ ...config, max: 1 })
  // graphile-worker wants both listeners to be there; a lost connection is reported by the query that needed it.
  pool.on('error', () => {})
  pool.on('connect', (worker) => worker.on('error', () => {}))
  try {
    await runMigrations({ pgPool: pool, logger: silentLogger, concurrency: 1 })
  } finally {
    await pool.end()
  }
  await client.query(`comment on schema graphile_worker is ${pg.escapeLiteral(WORKER_MARK)}`)
}

const silentLogger = new Logger(() => () => {})
