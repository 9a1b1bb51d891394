import { afterAll, expect } from 'vitest'
import { openStripeListener } from '../network/stripe-listener.ts'
import { BUYER, openBuyer } from './checkouts.ts'
import type { VenueFile } from './neue-halle.ts'
import { SECRET_KEY, WEBHOOK_SECRET } from './payments.ts'
import { openTestApp } from './venue.ts'

/** An installation for the whole test file, with somebody at the far end who acts as Stripe. */
export const openStripeInstallation = async () => {
  const stripe = await openStripeListener()
  const running = await openTestApp({ environment: { STRIPE_API_BASE: stripe.address } })
  afterAll(async () => {
    await running.close()
    await stripe.close()
  })

  /** A shop of its own for one test, where Berit pays by card. */
  const openStripeBuyer = async (change?: (file: VenueFile) => void) => {
    const buyer = await openBuyer(change, running)
    const { office, stranger } = buyer.venue
    const { payment_methods: methods } = (await office.get('/admin/payment_methods')).body
    const { id } = methods.find((each: { name: string }) => each.name === 'stripe')
    const settings = { enabled: true, secret_key: SECRET_KEY, webhook_secret: WEBHOOK_SECRET }
    const reply = await office.patch(`/admin/payment_methods/${id}`, { payment_method: settings })
    expect(reply.status, reply.text).toBe(200)
    const webhookPath = new URL(reply.body.webhook_url).pathname

    /** What somebody buys, or a checkout that has begun, is paid at Stripe's own page; the order's ID. */
    const payByCard = async (items: object[] | string): Promise<string> => {
      const token = typeof items === 'string' ? items : await buyer.begin(items)
      await buyer.change(token, BUYER)
      const { redirect_url: url } = (await buyer.pay(token, 'stripe')).body.payment
      const session = stripe.pay([...stripe.sessions.values()].find((each) => each.url === url)!.id)
      const message = stripe.message('checkout.session.completed', session, WEBHOOK_SECRET)
      expect((await stranger.ask('POST', webhookPath, message)).status).toBe(200)
      return (await buyer.see(token)).order.public_id
    }

    /** Money that goes back by Stripe, which fails; the refund's ID. */
    const failRefund = async (orderId: string, body: object = {}): Promise<string> => {
      stripe.refundsEndAs = 'failed'
      const given = await office.post(`/admin/orders/${orderId}/refunds`, body)
      expect(given.status, given.text).toBe(201)
      await buyer.settle()
      const { payments } = (await office.get(`/admin/orders/${orderId}`)).body
      return payments[0].refunds.at(-1).id
    }
    return { ...buyer, payByCard, failRefund }
  }

  return { ...running, stripe, openStripeBuyer }
}
