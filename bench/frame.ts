import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { openEmbeddedServer } from '../src/embedded-postgres/server.ts'
import { migrate } from '../src/database/migrate.ts'
import { databaseFolder } from '../test/kit/database/folders.ts'
import { removeWithProcess, sweepLeftBehind } from '../test/kit/database/left-behind.ts'
import { type FoyerProcess, startFoyer } from '../test/kit/process/foyer-process.ts'
import { withClient } from '../test/kit/database/template.ts'
import { openPooler, type ServerAddress } from './pooler.ts'

export { withClient }

/** One line of the table. */
export interface Figure {
  id: string
  what: string
  figure: number
  unit: string
  /** The same measure of something bare, taken in the same run. */
  baseline?: number
  ratio?: number
  target: string
  isMet: boolean
}

export interface Bench {
  small: boolean
  /** Whatever works here ends with the bench. */
  folder: string
  /** A migrated database of its own on the bench's server, which forgets nothing: fsync and synchronous_commit are on. */
  makeDatabase(purpose: string): Promise<BenchDatabase>
  /** Work in a process of its own, so that measuring does not disturb what is measured. */
  work<Result>(file: string, task: object): Promise<Result>
  close(): Promise<void>
}

export interface BenchDatabase {
  connection: ServerAddress & { database: string }
  url: string
  /** Of the installation that `startFoyer` starts. */
  dataFolder: string
  startFoyer(environment?: Record<string, string>, switches?: string[]): Promise<FoyerProcess>
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** Does at once what the server would do a minute later, while something else is measured. */
  tidyUp(): Promise<void>
  drop(): Promise<void>
}

/** FOYER_METRICS_TOKEN, as the bench itself was given it: what it costs to be watched. */
const { FOYER_METRICS_TOKEN } = process.env
const watched: Record<string, string> = FOYER_METRICS_TOKEN ? { FOYER_METRICS_TOKEN } : {}

export const openBench = async ({ small }: { small: boolean }): Promise<Bench> => {
  sweepLeftBehind()
  const folder = await databaseFolder(`bench-${process.pid}`)
  const letBe = removeWithProcess(folder)
  const server = await openEmbeddedServer(path.join(folder, 'data'), { role: 'serve', name: 'bench' })
  // What a pooler before the database costs: Foyer goes through it, what is bare does not.
  const pooler = process.env['FOYER_BENCH_POOLER']
    ? await openPooler(path.join(folder, 'pooler'), server.connection)
    : null
  const running = new Set<FoyerProcess>()
  const working = new Set<ChildProcess>()

  let made = 0
  const makeDatabase = async (purpose: string): Promise<BenchDatabase> => {
    // Another one in each round.
    const name = `${purpose}_${++made}`
    await withClient(server.connection, (client) => client.query(`create database ${name}`))
    const connection = { ...server.connection, database: name }
    await migrate(connection)
    const dataFolder = path.join(folder, `foyer-${name}`)
    const address = new URL(`postgres://localhost/${name}`)
    address.username = server.connection.user
    address.password = server.connection.password
    address.searchParams.set('host', server.connection.host)
    const url = pooler?.addressOf(address.href) ?? address.href

    const query: BenchDatabase['query'] = (text, values) =>
      withClient(connection, async (client) => (await client.query(text, values)).rows)

    return {
      connection,
      url,
      dataFolder,
      query,
      tidyUp: async () => {
        await query('vacuum analyze')
      },
      drop: () =>
        withClient(server.connection, async (client) => {
          await client.query(`drop database ${name} with (force)`)
        }),
      startFoyer: async (environment = {}, switches = []) => {
        const foyer = await startFoyer(
          {
            DATABASE_URL: url,
            FOYER_DATA: dataFolder,
            FOYER_RATE_LIMITS: 'off',
            LOG_LEVEL: 'warn',
            ...watched,
            ...environment,
          },
          switches,
        )
        running.add(foyer)
        return foyer
      },
    }
  }

  return {
    small,
    folder,
    makeDatabase,
    work: async <Result>(file: string, task: object) => {
      const child = fork(path.join(import.meta.dirname, file), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
      working.add(child)
      try {
        child.send(task)
        const ended = once(child, 'exit').then(([code]) => {
          throw new Error(`${file} ended with ${code} before it was done`)
        })
        const [result] = (await Promise.race([once(child, 'message'), ended])) as [Result]
        ended.catch(() => {})
        return result
      } finally {
        working.delete(child)
        child.kill()
      }
    },
    close: async () => {
      for (const child of working) child.kill()
      for (const foyer of running) await foyer.end()
      pooler?.close()
      await server.close()
      letBe()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Does the same so many times over clients that are connected beforehand, and tells how long it took. */
export const timeClients = async (
  { connection, clients, count }: { connection: pg.ClientConfig; clients: number; count: number },
  work: (client: pg.Client, n: number) => Promise<void>,
): Promise<{ seconds: number }> => {
  const all = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new pg.Client(connection)
      await client.connect()
      return client
    }),
  )
  let next = 0
  const started = performance.now()
  await Promise.all(
    all.map(async (client) => {
      while (next < count) await work(client, next++)
    }),
  )
  const seconds = (performance.now() - started) / 1000
  await Promise.all(all.map((client) => client.end()))
  return { seconds }
}

/** For a file that works in a process of its own: does the task it is sent, and sends back what came of it. */
export const takeTask = async (work: (task: never) => Promise<unknown>) => {
  const [task] = (await once(process, 'message')) as [never]
  process.send!(await work(task))
}

export const percentile = (times: readonly number[], share: number) => {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** The median of one of several measures. */
export const middleOf = <Key extends string>(rows: readonly Record<Key, number>[], key: Key) =>
  percentile(
    rows.map((row) => row[key]),
    0.5,
  )

export const round = (number: number, digits = 0) => Number(number.toFixed(digits))
