import { setTimeout as delay } from 'node:timers/promises'
import { withDescriptionEndpoints } from './api-reference/endpoints.ts'
import { assistantEndpoints } from './assistant/endpoints.ts'
import { makeDailyBackup } from './backup/jobs.ts'
import { cancellationMailJobs } from './cancellation-mails/jobs.ts'
import { changeEndpoints } from './changes/endpoints.ts'
import { sweepAccountChanges } from './changes/jobs.ts'
import { checkoutEndpoints } from './checkouts/endpoints.ts'
import { sweepCheckouts } from './checkouts/jobs.ts'
import { checkoutPaymentHandlers } from './checkouts/payment-handlers.ts'
import { doorEndpoints } from './door/endpoints.ts'
import { accountEndpoints } from './accounts/endpoints.ts'
import { eventSummaryEndpoints } from './event-summaries/endpoints.ts'
import { eventEndpoints } from './events/endpoints.ts'
import { eventWebhookKinds } from './events/announce.ts'
import { sweepEventImages } from './events/images/jobs.ts'
import { venueEndpoints } from './events/venues/endpoints.ts'
import { frontEndpoints } from './fronts/endpoints.ts'
import { ensureBuilt } from './fronts/ensure-built.ts'
import { guestListWebhookKinds } from './guest-list/announce.ts'
import { guestImportJobs } from './guest-list/imports/jobs.ts'
import { guestListEndpoints } from './guest-list/endpoints.ts'
import { feedEndpoints } from './feed/endpoints.ts'
import { fileEndpoints } from './files/endpoints.ts'
import { fileJobs } from './files/jobs.ts'
import { withApiSection } from './http/endpoint.ts'
import { healthEndpoints } from './http/endpoints.ts'
import { sweepBudgets, sweepIdempotencyKeys } from './http/jobs.ts'
import { explainPort } from './http/server/explain-port.ts'
import { openServer } from './http/server/server.ts'
import { type StartingListener, listenWhileStarting } from './http/server/starting-listener.ts'
import { sweepHolds } from './inventory/jobs.ts'
import { openApp } from './installation/open-app.ts'
import type { JobContext } from './jobs/context.ts'
import { drainJobs } from './jobs/drain.ts'
import type { Job } from './jobs/job.ts'
import { startWorker } from './jobs/worker.ts'
import { worksOfServers } from './jobs/works-of-servers.ts'
import type { Settings } from './kernel/settings.ts'
import { openMailer } from './mail/mailer.ts'
import { openMonitoring } from './monitoring/open-monitoring.ts'
import { notificationEndpoints } from './notifications/endpoints.ts'
import { notificationJobs } from './notifications/jobs.ts'
import { orderWebhooks } from './orders/announce.ts'
import { orderEndpoints, receiptEndpoints } from './orders/endpoints.ts'
import { orderJobs } from './orders/mails/jobs.ts'
import { paymentEndpoints } from './payments/endpoints.ts'
import { paymentJobs } from './payments/jobs.ts'
import { type Payments, openPayments } from './payments/payments.ts'
import { shardJobs } from './shards/jobs.ts'
import { taskWebhooks } from './tasks/webhooks.ts'
import { taskEndpoints } from './tasks/endpoints.ts'
import { sweepChanges } from './tasks/live/jobs.ts'
import { sweepTaskViewers } from './tasks/viewers/jobs.ts'
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
import { sweepWaitingRooms } from './waiting-room/jobs.ts'
import { walletEndpoints, walletPageEndpoints } from './wallet/endpoints.ts'
import { walletJobs } from './wallet/jobs.ts'
import { saleEndpoints } from './waiting-room/sale/endpoints.ts'
import type { WebhookDescription } from './webhooks/webhook.ts'
import { signupEndpoints } from './signup/endpoints.ts'
import { mailGuestPageLink } from './signup/pages/jobs.ts'
import { signupWebhooks } from './signup/requests/announce.ts'
import { venueFileEndpoints } from './venue-file/endpoints.ts'
import { type Demo, loadDemoWhenEmpty } from './venue-file/load-demo.ts'

/** Every kind of message that webhooks are told, with what is in it. */
export const WEBHOOKS: readonly WebhookDescription[] = [
  ...voucherWebhooks,
  ...eventWebhookKinds,
  ...guestListWebhookKinds,
  ...seatExchangeWebhooks,
  ...orderWebhooks,
  ...signupWebhooks,
  ...taskWebhooks,
]

/** The ways to pay. Whoever sells something says here what a payment that is settled means for it. */
const PAYMENTS: Payments = openPayments(checkoutPaymentHandlers(() => PAYMENTS))

const ORDER_ENDPOINTS = orderEndpoints(PAYMENTS)

/**
 * Every endpoint of Foyer, in the order in which a newcomer needs them; the API description, the access matrix and
 * the router all read this list.
 */
export const ENDPOINTS = withDescriptionEndpoints(
  [
    ...withApiSection('Events', 'What is on, and everything that is needed to put it on.', [
      ...eventEndpoints,
      ...eventSummaryEndpoints,
    ]),
    ...withApiSection('Account', 'The account itself, and the venues where its events take place.', [
      ...accountEndpoints,
      ...venueEndpoints,
    ]),
    ...withApiSection(
      'Guest list',
      'Complimentary parties: they take real inventory and get tickets by mail.',
      guestListEndpoints,
    ),
    ...withApiSection(
      'Signup links',
      'Addresses where guests put themselves on the list, and the requests that wait for a decision.',
      signupEndpoints,
    ),
    ...withApiSection('Seat moves', 'Another place for somebody who has one.', seatExchangeEndpoints),
    ...withApiSection('Door', 'Snapshots, search, redemption and what was scanned without a network.', doorEndpoints),
    ...withApiSection(
      'Public feed',
      'The programme at a shop’s own address, as cacheable JSON that any site may read.',
      feedEndpoints,
    ),
    ...withApiSection(
      'Vouchers',
      'Gift vouchers with their ledger, products, imports and deliveries.',
      voucherEndpoints,
    ),
    ...withApiSection('Shop', 'Buying at a shop’s own address: what is held, who buys, and how it is paid.', [
      ...checkoutEndpoints(PAYMENTS),
      ...saleEndpoints,
      ...receiptEndpoints,
    ]),
    ...withApiSection(
      'Orders',
      'What a shop has sold: orders, money counted by hand, refunds, receipts and the books.',
      ORDER_ENDPOINTS,
    ),
    ...withApiSection('Wallet', 'Tickets in the wallets of phones: how they look, and who signs them.', [
      ...walletEndpoints,
    ]),
    ...withApiSection('Payments', 'The ways to pay that a shop offers.', paymentEndpoints(PAYMENTS)),
    ...withApiSection('Tasks', 'The board: tasks, comments, history, files and a live stream.', taskEndpoints),
    ...withApiSection('Changes', 'Which things should be read anew, told within a second.', changeEndpoints),
    ...withApiSection(
      'Notifications',
      'The inbox of a person, and push messages to their browsers.',
      notificationEndpoints,
    ),
    ...withApiSection(
      'Team',
      'Members, roles, invitations, tokens, devices, sessions and the audit log.',
      teamEndpoints,
    ),
    ...withApiSection('Export', 'The whole account as one file, to keep or to move it.', venueFileEndpoints),
    ...withApiSection('Webhooks', 'Addresses that are told what happens.', webhookEndpoints),
    ...withApiSection('Files', 'Uploads straight to the store, and public images.', fileEndpoints),
    ...walletPageEndpoints,
    ...signInEndpoints,
    ...frontEndpoints,
    ...assistantEndpoints(ORDER_ENDPOINTS),
    ...withApiSection('Service', 'Whether Foyer is there.', healthEndpoints),
  ],
  WEBHOOKS,
)

export const JOBS: Job<JobContext>[] = [
  ...voucherJobs,
  ...guestImportJobs,
  ...paymentJobs(PAYMENTS),
  sweepCheckouts,
  ...orderJobs,
  ...webhookJobs,
  ...walletJobs,
  ...fileJobs,
  makeDailyBackup,
  sweepEventImages,
  ...notificationJobs,
  sweepChanges,
  sweepAccountChanges,
  sweepTaskViewers,
  mailInvitation,
  mailSignInLink,
  sweepSignInLinks,
  sweepSessions,
  mailTickets,
  ...cancellationMailJobs,
  mailGuestPageLink,
  sweepHolds,
  sweepWaitingRooms,
  sweepIdempotencyKeys,
  sweepBudgets,
  ...shardJobs,
]

const DRAIN_MS = 3_000

export interface RunningServer {
  demo: Demo | null
  stop(): Promise<void>
}

export const serve = async (settings: Settings, roles: { http: boolean; jobs: boolean }): Promise<RunningServer> => {
  const { host, port } = settings
  const monitoring = await openMonitoring(settings)
  let starting = null as StartingListener | null
  const openStarting = async () => {
    if (roles.http) starting = await explainPort(listenWhileStarting({ host, port }), { host, port, name: 'PORT' })
  }
  const toUndo: (() => Promise<void>)[] = [async () => starting?.close()]
  const undo = async () => {
    for (const each of toUndo.toReversed()) await each()
  }

  try {
    const options = { monitoring, beforeMigrating: openStarting }
    const { app, connection, markStopping, close } = await openApp(settings, 'serve', 'serve', options)
    toUndo.push(close)
    const [demo] = await Promise.all([loadDemoWhenEmpty(app), roles.http && ensureBuilt(app.log)])
    toUndo.push(monitoring.stop)
    await explainPort(monitoring.start(app), { host, port: settings.metricsPort, name: 'FOYER_METRICS_PORT' })
    const server = roles.http ? openServer(app, [...ENDPOINTS, ...monitoring.endpoints]) : null
    if (server) monitoring.addHooks(server)
    await server?.ready()
    await starting?.close()
    starting = null
    if (server) await explainPort(server.listen({ host, port }), { host, port, name: 'PORT' })
    const mailer = monitoring.watchMailer(openMailer(settings))
    const jobs = monitoring.watchJobs(JOBS)
    const works = roles.jobs ? worksOfServers(app, { connection, jobs, mailer }) : []
    const workers = await Promise.all(works.map((work) => startWorker(work)))

    return {
      demo,
      stop: async () => {
        markStopping()
        if (server) await delay(settings.stopDelayMs)
        // Requests in flight finish; whoever is still talking after that is cut off.
        const cutOff = setTimeout(() => server?.server.closeAllConnections(), DRAIN_MS)
        await Promise.all([server?.close(), ...workers.map((worker) => worker.stop())])
        clearTimeout(cutOff)
        mailer.close()
        await monitoring.stop()
        await close()
      },
    }
  } catch (error) {
    await undo()
    throw error
  }
}

/** Works off every job that is due now, and tells how many. */
export const runDueJobs = async (settings: Settings): Promise<number> => {
  const { app, connection, close } = await openApp(settings, 'command', 'jobs')
  const mailer = openMailer(settings)
  try {
    let count = 0
    for (const work of worksOfServers(app, { connection, jobs: JOBS, mailer })) count += await drainJobs(work)
    return count
  } finally {
    mailer.close()
    await close()
  }
}
