import type pg from 'pg'
import type { App } from '../access/app.ts'
import { appsOfShards } from '../access/shards.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { JobContext } from './context.ts'
import type { Job } from './job.ts'

interface Works {
  connection: pg.PoolConfig
  jobs: readonly Job<JobContext>[]
  mailer: Mailer
}

/** The jobs of each server, by workers of its own; what is done once for the installation is the first one's. */
export const worksOfServers = (app: App, { connection, jobs, mailer }: Works) =>
  appsOfShards(app).map((there, n) => ({
    connection: app.shards?.all[n]!.connection ?? connection,
    jobs: n === 0 ? [...jobs] : jobs.filter(({ isOfInstallation }) => !isOfInstallation),
    context: { app: there, mailer },
    log: app.log,
  }))
