import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { addPeriodicJobs } from '../../src/jobs/records.ts'
import { periodicJobs } from '../../src/jobs/tasks.ts'
import { JOBS } from '../../src/main.ts'
import { startCluster } from '../kit/database/cluster.ts'
import { databaseFolder } from '../kit/database/folders.ts'
import { prepareDatabase, withClient } from '../kit/database/template.ts'
import { openMailServer } from '../kit/network/mail-server.ts'
import { openStripeListener } from '../kit/network/stripe-listener.ts'
import { openTcpProxy } from '../kit/network/tcp-proxy.ts'
import { type FoyerProcess, startFoyer } from '../kit/process/foyer-process.ts'
import { freePort } from '../kit/process/free-port.ts'
import { makeJobsDue } from '../kit/process/jobs.ts'
import { openPretendedDisk } from '../kit/process/small-disk.ts'

const CLOCK = pathToFileURL(path.join(import.meta.dirname, '../kit/process/moved-clock-preload.ts')).href
const DATABASE = 'season'
const LOOKS_MOST = 2_400

const UNITS: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }

/** Like "4 minutes". */
const msOf = (interval: string): number => {
  const [, count, unit] = /^(\d+) (minute|hour|day)s?$/.exec(interval) ?? []
  return Number(count) * UNITS[unit!]!
}

/**
 * Foyer as it runs for real: a process of its own, a database server of its own, a mail server, somebody who acts as
 * Stripe, and a disk. Each of them can be taken away.
 */
export const openInstallation = async () => {
  const cluster = await startCluster()
  const connection = { host: cluster.host, user: cluster.user, database: DATABASE }
  await withClient({ ...connection, database: 'postgres' }, async (admin) => {
    await admin.query(`create database ${DATABASE}`)
    // What was acknowledged must outlive a crash here.
    await admin.query(`alter database ${DATABASE} set synchronous_commit = on`)
  })
  await prepareDatabase(connection)
  const pool = new pg.Pool({ ...connection, max: 4 })
  pool.on('error', () => {})
  const wire = await openTcpProxy({ path: `${cluster.host}/.s.PGSQL.5432` })
  const mail = await openMailServer()
  const mailWire = await openTcpProxy({ port: mail.port, host: '127.0.0.1' })
  const stripe = await openStripeListener()
  const disk = openPretendedDisk()
  await disk.reach(pool)
  const folder = await databaseFolder('season')
  const clockFile = path.join(folder, 'clock')
  await writeFile(clockFile, '0')
  const environment: Record<string, string> = {
    FOYER_DATA: disk.folder,
    FOYER_TEST_CLOCK: clockFile,
    NODE_OPTIONS: `${disk.environment['NODE_OPTIONS']} --import=${CLOCK}`,
    DATABASE_URL: `postgres://${cluster.user}@127.0.0.1:${wire.port}/${DATABASE}`,
    FOYER_RATE_LIMITS: 'off',
    FOYER_TEST_PAYMENTS: 'on',
    STRIPE_API_BASE: stripe.address,
    SMTP_URL: `smtp://127.0.0.1:${mailWire.port}`,
    BASE_URL: 'http://localhost:3000',
    SHOP_DOMAIN: 'localhost:3000',
    PORT: String(await freePort()),
  }
  let foyer: FoyerProcess = await startFoyer(environment)
  /** What the processes that were killed had said. */
  const said: string[] = []
  let offsetMs = 0

  /** Our own statements are said again until there is a database to hear them; each may be said twice. */
  const untilHeard = async <T>(statement: () => Promise<T>): Promise<T> => {
    for (let tries = 0; ; tries++) {
      try {
        return await statement()
      } catch (error) {
        if (tries === 400) throw error
        await delay(25)
      }
    }
  }

  /** What is due and not done. */
  const findDueJobs = async () => {
    const { rows } = await pool.query(
      `select name, state, locked_by, attempts, last_error from lane_jobs where state in ('ready', 'running')
       union all
       select task_identifier, 'due', locked_by, attempts, last_error from graphile_worker.jobs
       where run_at <= now() and attempts < max_attempts`,
    )
    return rows
  }

  const startDueJobs = () =>
    untilHeard(async () => {
      await addPeriodicJobs(pool, periodicJobs(JOBS))
      await makeJobsDue(pool)
    })

  return {
    environment,
    origin: foyer.origin,
    pool,
    cluster,
    wire,
    mail,
    mailWire,
    stripe,
    disk,
    now: () => Date.now() + offsetMs,
    moveClock: async (interval: string) => {
      offsetMs += msOf(interval)
      await writeFile(clockFile, String(offsetMs))
      await untilHeard(() =>
        pool.query(`update test_kit.test_clock set "offset" = make_interval(secs => $1)`, [offsetMs / 1000]),
      )
    },
    startDueJobs,
    /** Everything that is due happens now, and what it brings about. */
    settle: async () => {
      await startDueJobs()
      for (let looks = 0; ; looks++) {
        const due = await untilHeard(findDueJobs)
        if (due.length === 0) return
        if (looks === LOOKS_MOST) {
          const { rows: workers } = await pool.query('select *, now() from workers')
          throw new Error(
            `These jobs never come to an end: ${JSON.stringify([due, workers])}\n${foyer.said().stderr.slice(-4_000)}`,
          )
        }
        await delay(50)
      }
    },
    killServer: async () => {
      await foyer.end('SIGKILL')
      said.push(foyer.said().stdout, foyer.said().stderr)
      // What it had begun would be taken over after half a minute.
      await untilHeard(() => pool.query(`update workers set beat_at = beat_at - interval '31 seconds'`))
      foyer = await startFoyer(environment)
    },
    log: () => [...said, foyer.said().stdout, foyer.said().stderr].join('\n'),
    close: async () => {
      await foyer.end()
      await pool.end()
      await wire.close()
      await mailWire.close()
      await mail.close()
      await stripe.close()
      disk.close()
      await rm(folder, { recursive: true, force: true })
      await cluster.stop()
    },
  }
}

export type Installation = Awaited<ReturnType<typeof openInstallation>>
