import { expect } from 'vitest'
import { makeJobsDue } from '../process/jobs.ts'
import { openClient } from './client.ts'
import { openShop } from './shop.ts'
import type { VenueFile } from './neue-halle.ts'
import type { OpenApp, Venue } from './venue.ts'

export const BUYER = { customer_name: 'Berit Buyer', customer_email: 'berit@guest.example' }

/** Lets buyers pay by bank transfer, within eight days. */
export const offerTransfers = async ({ office }: Pick<Venue, 'office'>): Promise<void> => {
  const { payment_methods: methods } = (await office.get('/admin/payment_methods')).body
  const { id } = methods.find((each: { name: string }) => each.name === 'bank_transfer')
  const payment_method = { enabled: true, instructions: 'IBAN DE02', expires_after_days: 8 }
  const reply = await office.patch(`/admin/payment_methods/${id}`, { payment_method })
  expect(reply.status, reply.text).toBe(200)
}

/** A shop with somebody in it who buys over JSON, in the installation of the test file or in another. */
export const openBuyer = async (change?: (file: VenueFile) => void, running?: OpenApp) => {
  const { venue, shop, url } = await openShop(change, running)
  const { tickets, standing_areas: areas } = venue.report.events['winter-ball']!
  const post = (path: string, body?: object) => shop.ask('POST', path, { body })

  const create = (items: object[], more: object = {}) =>
    post('/checkouts', { checkout: { event_slug: 'winter-ball', items, ...more } })

  /** A checkout that is there, by its token. */
  const begin = async (items: object[], more: object = {}): Promise<string> => {
    const reply = await create(items, more)
    expect(reply.status, reply.text).toBe(201)
    return reply.body.token
  }
  const see = async (token: string) => (await shop.get(`/checkouts/${token}`)).body
  const change_ = (token: string, checkout: object) => shop.ask('PATCH', `/checkouts/${token}`, { body: { checkout } })
  const pay = (token: string, method: string | null = 'test') =>
    post(`/checkouts/${token}/payment`, method === null ? {} : { payment_method: method })

  /** On the page of the test method, which is the console's. */
  const decide = (redirectUrl: string, outcome: 'paid' | 'declined' | 'late') =>
    openClient(venue.origin).ask('POST', new URL(redirectUrl).pathname, { body: { outcome } })

  /** From the hold to the paid order. */
  const buy = async (items: object[], more: object = {}) => {
    const token = await begin(items, more)
    expect((await change_(token, BUYER)).status).toBe(200)
    const paying = await pay(token)
    expect(paying.status, paying.text).toBe(200)
    if (paying.body.payment.redirect_url) await decide(paying.body.payment.redirect_url, 'paid')
    return { token, ...(await see(token)) }
  }

  /** Everything that is due happens now. */
  const settle = async () => {
    await makeJobsDue(venue.app.database.pool)
    await venue.workOffJobs()
  }

  return { venue, shop, url, tickets, areas, post, create, begin, see, change: change_, pay, decide, buy, settle }
}
