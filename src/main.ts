import { openBudgets } from './access/budgets.ts'
import { openDirectory } from './access/directory.ts'
import type { App } from './access/app.ts'
import { describedBy } from './api-reference/endpoints.ts'
import { assistantEndpoints } from './assistant/endpoints.ts'
import { cancellationMailJobs } from './cancellation-mails/jobs.ts'
import { openDatabase } from './database/database.ts'
import { openEmbedded } from './embedded-postgres/server.ts'
import { migrate } from './database/migrate.ts'
import { doorEndpoints } from './door/endpoints.ts'
import { accountEndpoints } from './accounts/endpoints.ts'
import { eventEndpoints } from './events/endpoints.ts'
import { eventWebhooks } from './events/announce.ts'
import { sweepEventImages } from './events/images/jobs.ts'
import { venueEndpoints } from './events/venues/endpoints.ts'
import { frontEndpoints } from './fronts/endpoints.ts'
import { ensureBuilt } from './fronts/ensure-built.ts'
import { guestListWebhooks } from './guest-list/announce.ts'
import { guestListEndpoints } from './guest-list/endpoints.ts'
import { feedEndpoints } from './feed/endpoints.ts'
import { fileEndpoints } from './files/endpoints.ts'
import { fileJobs } from './files/jobs.ts'
import { inSection } from './http/endpoint.ts'
import { healthEndpoints } from './http/endpoints.ts'
import { sweepBudgets, sweepIdempotencyKeys } from './http/jobs.ts'
import { openServer } from './http/server/server.ts'
import { sweepHolds } from './inventory/jobs.ts'
import type { JobContext } from './jobs/context.ts'
import { drainJobs } from './jobs/drain.ts'
import type { Job } from './jobs/job.ts'
import { startWorker } from './jobs/worker.ts'
import { systemClock } from './kernel/clock.ts'
import { describeError, openLog } from './kernel/log.ts'
import { openSecrets } from './kernel/secrets.ts'
import { Misconfigured, type Settings } from './kernel/settings.ts'
import { openMailer } from './mail/mailer.ts'
import { notificationEndpoints } from './notifications/endpoints.ts'
import { notificationJobs } from './notifications/jobs.ts'
import { paymentEndpoints } from './payments/endpoints.ts'
import { paymentJobs } from './payments/jobs.ts'
import { NO_HANDLERS, openPayments } from './payments/payments.ts'
import { taskWebhooks } from './tasks/webhooks.ts'
import { taskEndpoints } from './tasks/endpoints.ts'
import { sweepChanges } from './tasks/live/jobs.ts'
import { mailTickets } from './tickets-by-mail/jobs.ts'
import { seatExchangeWebhooks } from './seat-exchange/announce.ts'
import { seatExchangeEndpoints } from './seat-exchange/endpoints.ts'
import { signInEndpoints } from './sign-in/endpoints.ts'
import { mailSignInLink, sweepSessions, sweepSignInLinks } from './sign-in/jobs.ts'
import { teamEndpoints } from './team/endpoints.ts'
import { mailInvitation } from './team/invitations/jobs.ts'
import { voucherEndpoints } from './vouchers/endpoints.ts'
import { voucherJobs } from './vouchers/jobs.ts'
import { voucherWebhooks } from './vouchers/webhooks.ts'
import { webhookEndpoints } from './webhooks/endpoints.ts'
import { webhookJobs } from './webhooks/jobs.ts'
import type { Webhook } from './webhooks/webhook.ts'
import { signupEndpoints } from './signup/endpoints.ts'
import { mailOwnPage } from './signup/pages/jobs.ts'
import { signupWebhooks } from './signup/requests/announce.ts'
import { venueFileEndpoints } from './venue-file/endpoints.ts'
import { type Demo, loadDemoWhenEmpty } from './venue-file/load-demo.ts'

/** Every kind of message that webhooks are told, with what is in it. */
export const WEBHOOKS: readonly Webhook[] = [
  ...voucherWebhooks,
  ...eventWebhooks,
  ...guestListWebhooks,
  ...seatExchangeWebhooks,
  ...signupWebhooks,
  ...taskWebhooks,
]

/** The ways to pay. Whoever sells something says here what a payment that is settled means for it. */
const PAYMENTS = openPayments(NO_HANDLERS)

/**
 * Every endpoint of Foyer, in the order in which a newcomer needs them; the API description, the access matrix and
 * the router all read this list.
 */
export const ENDPOINTS = describedBy(
  [
    ...inSection('Events', 'What is on, and everything that is needed to put it on.', eventEndpoints),
    ...inSection('Account', 'The account itself, and the venues where its events take place.', [
      ...accountEndpoints,
      ...venueEndpoints,
    ]),
    ...inSection(
      'Guest list',
      'Complimentary parties: they take real inventory and get tickets by mail.',
      guestListEndpoints,
    ),
    ...inSection(
      'Signup links',
      'Addresses where guests put themselves on the list, and the requests that wait for a decision.',
      signupEndpoints,
    ),
    ...inSection('Seat moves', 'Another place for somebody who has one.', seatExchangeEndpoints),
    ...inSection('Door', 'Snapshots, search, redemption and what was scanned without a network.', doorEndpoints),
    ...inSection(
      'Public feed',
      'The programme at a shop’s own address, as cacheable JSON that any site may read.',
      feedEndpoints,
    ),
    ...inSection('Vouchers', 'Gift vouchers with their ledger, products, imports and deliveries.', voucherEndpoints),
    ...inSection('Payments', 'The ways to pay that a shop offers.', paymentEndpoints(PAYMENTS)),
    ...inSection('Tasks', 'The board: tasks, comments, history, files and a live stream.', taskEndpoints),
    ...inSection('Notifications', 'The inbox of a person, and push messages to their browsers.', notificationEndpoints),
    ...inSection('Team', 'Members, roles, invitations, tokens, devices, sessions and the audit log.', teamEndpoints),
    ...inSection('Export', 'The whole account as one file, to keep or to move it.', venueFileEndpoints),
    ...inSection('Webhooks', 'Addresses that are told what happens.', webhookEndpoints),
    ...inSection('Files', 'Uploads straight to the store, and public images.', fileEndpoints),
    ...signInEndpoints,
    ...frontEndpoints,
    ...assistantEndpoints,
    ...inSection('Service', 'Whether Foyer is there.', healthEndpoints),
  ],
  WEBHOOKS,
)

export const JOBS: Job<JobContext>[] = [
  ...voucherJobs,
  ...paymentJobs(PAYMENTS),
  ...webhookJobs,
  ...fileJobs,
  sweepEventImages,
  ...notificationJobs,
  sweepChanges,
  mailInvitation,
  mailSignInLink,
  sweepSignInLinks,
  sweepSessions,
  mailTickets,
  ...cancellationMailJobs,
  mailOwnPage,
  sweepHolds,
  sweepIdempotencyKeys,
  sweepBudgets,
]

const DRAIN_MS = 3_000

export interface OpenApp {
  app: App
  connection: ConnectionConfig
  close(): Promise<void>
}

type ConnectionConfig = Parameters<typeof openDatabase>[0]

/** An installation with its database up to date, for the server and for every command beside it. */
export const openApp = async (settings: Settings, role: 'serve' | 'command', name: string): Promise<OpenApp> => {
  const log = openLog(settings.logLevel)
  const secrets = openSecrets(settings)
  const embedded = settings.databaseUrl
    ? null
    : await openEmbedded(settings.dataFolder, { role, name, onTrouble: (message) => log.warn({}, message) })
  const connection: ConnectionConfig = embedded?.connection ?? { connectionString: settings.databaseUrl! }

  try {
    await migrateOrExplain(connection, settings)
  } catch (error) {
    await embedded?.close()
    throw error
  }

  const database = openDatabase(connection, {
    onTrouble: (error) => log.warn(describeError(error), 'an idle connection to the database was lost'),
  })
  const app: App = {
    settings,
    secrets,
    clock: systemClock,
    log,
    budgets: openBudgets({
      isEnabled: settings.rateLimits,
      clock: systemClock,
      database,
      onTrouble: (error) => log.warn(describeError(error), 'what was spent of a budget could not be given back'),
    }),
    database,
    directory: openDirectory(database, {
      onTrouble: (error) => log.warn(describeError(error), 'the last uses of credentials could not be written down'),
    }),
  }

  return {
    app,
    connection,
    close: async () => {
      await recordLastUses(app)
      await database.close()
      await embedded?.close()
    },
  }
}

/** A database that is gone already is no reason not to stop. */
const recordLastUses = async ({ directory, log }: App) => {
  try {
    await directory.recordUses()
  } catch (error) {
    log.warn(describeError(error), 'the last uses of credentials could not be written down')
  }
}

const migrateOrExplain = async (connection: ConnectionConfig, settings: Settings) => {
  try {
    await migrate(connection)
  } catch (error) {
    if (error instanceof Misconfigured || !settings.databaseUrl) throw error
    const { code, message } = error as { code?: string; message: string }
    throw new Misconfigured(`The database of DATABASE_URL does not answer: ${message || code}.`)
  }
}

export interface Serving {
  demo: Demo | null
  stop(): Promise<void>
}

export const serve = async (settings: Settings, roles: { http: boolean; jobs: boolean }): Promise<Serving> => {
  const { app, connection, close } = await openApp(settings, 'serve', 'serve')

  try {
    const [demo] = await Promise.all([loadDemoWhenEmpty(app), roles.http && ensureBuilt(app.log)])
    const server = roles.http ? openServer(app, ENDPOINTS) : null
    await server?.listen({ port: settings.port, host: settings.host }).catch((error: NodeJS.ErrnoException) => {
      throw explainListening(error, settings)
    })
    const mailer = openMailer(settings)
    const worker = roles.jobs
      ? await startWorker({ connection, jobs: JOBS, context: { app, mailer }, log: app.log })
      : null

    return {
      demo,
      stop: async () => {
        // Requests in flight finish; whoever is still talking after that is cut off.
        const cutOff = setTimeout(() => server?.server.closeAllConnections(), DRAIN_MS)
        await Promise.all([server?.close(), worker?.stop()])
        clearTimeout(cutOff)
        mailer.close()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

const explainListening = (error: NodeJS.ErrnoException, { host, port }: Settings) => {
  if (error.code === 'EADDRINUSE') {
    return new Misconfigured(`Port ${port} on ${host} is already taken by another program; set PORT to a free one.`)
  }
  if (error.code === 'EACCES') return new Misconfigured(`Port ${port} on ${host} may not be opened by this user.`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new Misconfigured(`HOST ${host} is no address of this machine.`)
  }
  return error
}

/** Works off every job that is due now, and tells how many. */
export const workOffJobs = async (settings: Settings): Promise<number> => {
  const { app, connection, close } = await openApp(settings, 'command', 'jobs')
  const mailer = openMailer(settings)
  try {
    return await drainJobs({ connection, jobs: JOBS, context: { app, mailer }, log: app.log })
  } finally {
    mailer.close()
    await close()
  }
}
