import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, expect, onTestFinished } from 'vitest'
import { openAccountForJob } from '../../../src/access/job-scope.ts'
import { type PaymentHandlers, openPayments } from '../../../src/payments/payments.ts'
import { listPayments } from '../../../src/payments/list-payments.ts'
import { type PaymentRequest, createPayment, startPayment } from '../../../src/payments/start-payment.ts'
import { loadVenue } from '../../../src/venue-file/load-venue.ts'
import { openStripeListener } from '../network/stripe-listener.ts'
import { makeJobsDue } from '../process/jobs.ts'
import { openClient } from './client.ts'
import { neueHalle } from './neue-halle.ts'
import { openTestApp } from './venue.ts'

export const SECRET_KEY = 'sk_test_secret'
export const WEBHOOK_SECRET = 'whsec_onlyfortests'

/** What a shop would do, as little of it as can be: it writes down what it was told, in the transaction it was told in. */
const handlersOf = (faults: { next: Error | null }): PaymentHandlers => ({
  lock: async () => {},
  isStillDue: async () => true,
  settled: (scope, { id, status, previousStatus }) =>
    scope.transaction(async (tx) => {
      await sql`insert into told (payment_id, news) values (${id}, ${`${previousStatus} to ${status}`})`.execute(tx.db)
      const fault = faults.next
      faults.next = null
      if (fault) throw fault
    }),
  prepareSettlement: async (scope, waitedFor) => ({
    ready: new Set(waitedFor.map(({ id }) => id)),
    settle: () =>
      scope.transaction(async (tx) => {
        const ids = waitedFor.map(({ id }) => id)
        await sql`insert into told (payment_id, news) select id, 'pending to paid' from unnest(${ids}::bigint[]) as id`.execute(
          tx.db,
        )
        const fault = faults.next
        faults.next = null
        if (fault) throw fault
      }),
  }),
  refunded: (scope, { paymentId, status }) =>
    scope.transaction(async (tx) => {
      await sql`insert into told (payment_id, news) values (${paymentId}, ${`refund ${status}`})`.execute(tx.db)
    }),
})

/** An installation for the whole test file in which payments are sold to nobody, with somebody at the far end who acts as Stripe. */
export const openPaymentHouse = async (environment: Record<string, string> = {}) => {
  const stripe = await openStripeListener()
  /** Thrown once by whoever is told next that a payment is settled. */
  const faults: { next: Error | null } = { next: null }
  const payments = openPayments(handlersOf(faults))
  const running = await openTestApp({
    environment: { STRIPE_API_BASE: stripe.address, ...environment },
    payments,
  })
  const { pool } = running.app.database
  // Nobody sells anything here, so nothing is there that these payments would be for.
  await pool.query('alter table payments drop constraint a_payment_is_for_a_checkout')
  await pool.query('create table told (n bigint generated always as identity, payment_id bigint, news text)')
  afterAll(async () => {
    await running.close()
    await stripe.close()
  })

  /** Everything that is due happens now. */
  const settle = async () => {
    await makeJobsDue(pool)
    await running.workOffJobs()
  }

  const openVenue = async () => {
    const report = await loadVenue(running.app, JSON.stringify(neueHalle(`halle-${randomInt(2 ** 40)}`)))
    const scope = (await openAccountForJob(running.app, report.account.id))!
    const office = openClient(running.origin, { token: report.api_tokens['office write'] })
    const stranger = openClient(running.origin)
    const { payment_methods: methods } = (await office.get('/admin/payment_methods')).body
    const methodOf = (name: string) => methods.find((each: { name: string }) => each.name === name)
    const configure = async (name: string, changes: object) => {
      const reply = await office.patch(`/admin/payment_methods/${methodOf(name).id}`, { payment_method: changes })
      expect(reply.status, reply.text).toBe(200)
      return reply.body
    }
    const wanted = (change: Partial<PaymentRequest> = {}): PaymentRequest => ({
      payableId: randomInt(2 ** 40),
      method: 'test',
      amountCents: 2500,
      description: 'Two tickets for the Winter Ball',
      returnUrl: 'http://shop.example/checkouts/token',
      expiresAt: new Date(running.app.clock.now().getTime() + 15 * 60_000),
      ...change,
    })
    const start = async (change: Partial<PaymentRequest> = {}) =>
      startPayment(payments, scope, await createPayment(scope, wanted(change)))
    return {
      report,
      scope,
      office,
      stranger,
      methodOf,
      configure,
      withStripe: () => configure('stripe', { enabled: true, secret_key: SECRET_KEY, webhook_secret: WEBHOOK_SECRET }),
      wanted,
      start,
      find: async ({ payableId, publicId }: { payableId: number; publicId: string }) =>
        (await listPayments(scope.rows, payableId)).find((each) => each.publicId === publicId)!,
      /** What the shop was told of a payment, in order. */
      told: async ({ id }: { id: number }): Promise<string[]> => {
        const { rows } = await pool.query('select news from told where payment_id = $1 order by n', [id])
        return rows.map(({ news }) => news)
      },
      choose: (payment: { redirectUrl: string | null }, outcome: string) =>
        stranger.post(new URL(payment.redirectUrl!).pathname, { outcome }),
      tell: (message: { raw: string; headers: Record<string, string> }, path?: string) =>
        stranger.ask('POST', path ?? new URL(methodOf('stripe').webhook_url).pathname, message),
    }
  }

  return { ...running, payments, stripe, faults, settle, openVenue }
}

/** The methods that an account of an installation with these settings is shown. */
export const methodsWith = async (environment: Record<string, string>, subdomain: string) => {
  const running = await openTestApp({ environment })
  onTestFinished(() => running.close())
  const report = await loadVenue(running.app, JSON.stringify(neueHalle(subdomain)))
  const office = openClient(running.origin, { token: report.api_tokens['office write'] })
  const { payment_methods: methods } = (await office.get('/admin/payment_methods')).body
  return { running, report, office, names: methods.map(({ name }: { name: string }) => name) }
}
