import { expect } from 'vitest'
import { BUYER, offerTransfers } from './checkouts.ts'
import { type Client, openClient } from './client.ts'

interface ShopAt {
  origin: string
  shopUrl: string
  office: Client
}

/** Somebody who buys tickets of the Winter Ball in a shop of any installation. */
export const openFarBuyer = ({ origin, shopUrl, office }: ShopAt) => {
  const shop = openClient(origin, { host: new URL(shopUrl).host })
  const begin = async (items: object[]): Promise<string> => {
    const { status, text, body } = await shop.post('/checkouts', { checkout: { event_slug: 'winter-ball', items } })
    expect(status, text).toBe(201)
    expect((await shop.patch(`/checkouts/${body.token}`, { checkout: BUYER })).status).toBe(200)
    return body.token
  }
  const pay = (token: string, payment_method: string) => shop.post(`/checkouts/${token}/payment`, { payment_method })

  return {
    buy: async (items: object[]): Promise<{ id: string; token: string; redirectUrl: string }> => {
      const token = await begin(items)
      const redirectUrl: string = (await pay(token, 'test')).body.payment.redirect_url
      await openClient(origin).post(new URL(redirectUrl).pathname, { outcome: 'paid' })
      return { id: (await shop.get(`/checkouts/${token}`)).body.order.public_id, token, redirectUrl }
    },
    /** Ordered, and to be paid by bank transfer. */
    order: async (items: object[]): Promise<{ id: string; token: string }> => {
      await offerTransfers({ office })
      const token = await begin(items)
      return { id: (await pay(token, 'bank_transfer')).body.order.public_id, token }
    },
  }
}
