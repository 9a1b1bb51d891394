import { randomInt } from 'node:crypto'
import { expect } from 'vitest'
import type { Payments } from '../../../../src/payments/payments.ts'
import { loadVenue } from '../../../../src/venue-file/load-venue.ts'
import { openStripeListener } from '../../network/stripe-listener.ts'
import { makeJobsDue, passTimeForJobs } from '../../process/jobs.ts'
import { type AskOptions, type Reply, openClient } from '../client.ts'
import { type VenueFile, neueHalle } from '../neue-halle.ts'
import { SECRET_KEY, WEBHOOK_SECRET } from '../payments.ts'
import { openTestApp } from '../venue.ts'

const VOUCHERS = 8

/** Few of what everybody wants, and more than enough of one ticket, so that nobody has nothing to buy. */
const saleOf = (file: VenueFile, checkouts: number) => {
  const ball = file['events'][0]
  delete ball.questions
  delete ball.capacity
  Object.assign(ball, partsOnSale(checkouts))
  file['voucher_products'] = [{ key: 'fifty', name: 'Fifty', pricing_type: 'fixed', fixed_amount: '50.00' }]
  file['vouchers'] = Array.from({ length: VOUCHERS }, (_, n) => ({
    key: `v${n}`,
    amount: n < 2 ? '9000.00' : '60.00',
  }))
}

/** What there is to buy of an event, for so many buyers. */
export const partsOnSale = (checkouts: number) => ({
  tickets: [
    { key: 'ga', title: 'General admission', price: '25.00', stock: 10 + Math.floor(checkouts / 10) },
    { key: 'floor', title: 'Standing', price: '30.00', inventory_kind: 'standing' },
    { key: 'seat', title: 'Balcony seat', price: '45.00', inventory_kind: 'places', tax_rate: '19.00' },
    { key: 'four', title: 'Table of four', kind: 'GroupTicket', price: '90.01', group_size: 4, stock: 5 },
    { key: 'rest', title: 'Late entry', price: '12.50', tax_rate: '7.00' },
  ],
  standing_areas: [
    { key: 'front', name: 'Front', capacity: 10, tickets: ['floor'] },
    { key: 'back', name: 'Back', capacity: 10 + Math.floor(checkouts / 20), tickets: ['floor'] },
  ],
  places: Array.from({ length: 16 }, (_, n) => ({
    key: `A-${n}`,
    label: `Row A Seat ${n}`,
    section: 'Balcony',
    row: 'A',
    seat: String(n),
    ticket: 'seat',
  })),
})

/** What a buyer reaches: an origin, or nothing while the process behind it is dead. */
export type AskShop = (method: string, path: string, body?: object) => Promise<Reply | null>

export interface SalesOptions {
  checkouts: number
  payments?: Payments
}

const TRIES_MAX = 10
const isTryAgain = ({ status, headers }: Reply) => status === 503 && headers.get('retry-after') !== null

/** A shop that takes money in every way there is, with somebody at the far end who acts as Stripe. */
export const openSales = async ({ checkouts, payments }: SalesOptions) => {
  const stripe = await openStripeListener()
  const running = await openTestApp({
    environment: { STRIPE_API_BASE: stripe.address, SHOP_DOMAIN: 'localhost:3000', LOG_LEVEL: 'silent' },
    ...(payments && { payments }),
  })
  const { pool } = running.app.database
  const file = neueHalle(`sales-${randomInt(2 ** 40)}`)
  saleOf(file, checkouts)
  const report = await loadVenue(running.app, JSON.stringify(file))
  const office = openClient(running.origin, { token: report.api_tokens['office write'] })
  const { payment_methods: methods } = (await office.get('/admin/payment_methods')).body
  const configure = async (name: string, changes: object) => {
    const { id } = methods.find((each: { name: string }) => each.name === name)
    const reply = await office.patch(`/admin/payment_methods/${id}`, { payment_method: { enabled: true, ...changes } })
    expect(reply.status, reply.text).toBe(200)
    return reply.body
  }
  const { webhook_url: webhookUrl } = await configure('stripe', {
    secret_key: SECRET_KEY,
    webhook_secret: WEBHOOK_SECRET,
  })
  await configure('bank_transfer', { instructions: 'IBAN DE02', expires_after_days: 7 })
  await configure('at_the_door', {})
  const [product] = (await office.get('/admin/voucher_products')).body.voucher_products
  const { tickets, standing_areas: areas } = report.events['winter-ball']!

  /** Answers that Foyer must never give; looked at in the end. */
  const faults: string[] = []
  /** Where Foyer is reached now. A process that was killed is not among them. */
  const origins = [running.origin]

  /** Null where the process was killed meanwhile: whether anything was done, only asking again can tell. */
  const askAt = async (
    origin: string,
    method: string,
    path: string,
    options: AskOptions & { token?: string; host?: string } = {},
  ): Promise<Reply | null> => {
    const { token, host, ...rest } = options
    try {
      const client = openClient(origin, { token, ...(host && { host }) })
      let reply = await client.ask(method, path, rest)
      // A deadlock was rolled back whole and says when to come again, and whoever is told so does.
      for (let tries = 1; isTryAgain(reply) && tries < TRIES_MAX; tries++) reply = await client.ask(method, path, rest)
      if (reply.status >= 500) faults.push(`${method} ${path} answered ${reply.status}: ${reply.text.slice(0, 300)}`)
      return reply
    } catch (error) {
      if (!isCutOff(error)) throw error
      if (origin === running.origin) faults.push(`${method} ${path} was cut off by a process that was not killed`)
      return null
    }
  }

  return {
    ...running,
    pool,
    stripe,
    report,
    tickets,
    areas,
    product,
    accountId: report.account.id,
    slug: 'winter-ball',
    shopHost: new URL(report.account.shop_url).host,
    webhookPath: new URL(webhookUrl).pathname,
    voucherCodes: Object.values(report.vouchers).map(({ code }) => code),
    officeToken: report.api_tokens['office write']!,
    doorToken: report.devices['Door 1']!,
    faults,
    origins,
    askAt,
    /** Everything that is due happens now. */
    settle: async () => {
      await makeJobsDue(pool)
      await running.workOffJobs()
    },
    /** So much time goes by, and everything that is due then happens. */
    letPass: async (interval: string) => {
      await running.moveClock(interval)
      await passTimeForJobs(pool, interval)
      await running.workOffJobs()
    },
    close: async () => {
      await running.close()
      await stripe.close()
    },
  }
}

export type Sales = Awaited<ReturnType<typeof openSales>>

/** What buyers meet of a shop, wherever it runs. */
export type SalesFloor = Pick<
  Sales,
  | 'stripe'
  | 'slug'
  | 'tickets'
  | 'areas'
  | 'product'
  | 'shopHost'
  | 'webhookPath'
  | 'voucherCodes'
  | 'officeToken'
  | 'doorToken'
  | 'faults'
  | 'origins'
  | 'askAt'
>

const isCutOff = (error: unknown): boolean => {
  const { code, cause } = error as { code?: string; cause?: unknown }
  if (code && ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'UND_ERR_SOCKET'].includes(code)) return true
  return cause instanceof Error && isCutOff(cause)
}
