import type { Reply } from '../client.ts'
import { pickBy } from '../../seed.ts'
import type { SalesFloor } from './house.ts'
import type { Provider } from './provider.ts'

type Way = 'stripe' | 'test' | 'bank_transfer' | 'at_the_door' | 'leave' | 'cancel'

const WAYS: readonly Way[] = [
  ...Array.from({ length: 10 }, () => 'stripe' as const),
  ...Array.from({ length: 5 }, () => 'test' as const),
  'bank_transfer',
  'bank_transfer',
  'at_the_door',
  'leave',
  'leave',
  'cancel',
]

/** Somebody who buys as people do: changes their mind, pays twice, goes away, comes back. Tells what they had begun. */
export const openBuyers = (
  sales: SalesFloor,
  provider: Provider,
  random: () => number,
  ways: readonly Way[] = WAYS,
) => {
  const { stripe, tickets, areas } = sales
  const anywhere = () => pickBy(random, sales.origins)
  const atShop = (method: string, path: string, body?: object) =>
    sales.askAt(anywhere(), method, path, { host: sales.shopHost, ...(body && { body }) })
  const atOffice = (path: string, body: object = {}) =>
    sales.askAt(anywhere(), 'POST', path, { token: sales.officeToken, body })
  const chance = (share: number) => random() < share
  const allOf = (...acts: (() => Promise<unknown>)[]) => Promise.all(acts.map((act) => act()))

  const anyItem = () => {
    const seats = () => [...new Set([1, 2].map(() => `A-${Math.floor(random() * 16)}`))]
    return pickBy(random, [
      { ticket_id: tickets['ga'], quantity: 1 + Math.floor(random() * 3) },
      { ticket_id: tickets['floor'], quantity: 2, standing_area_id: areas[chance(0.5) ? 'front' : 'back'] },
      { ticket_id: tickets['seat'], place_keys: seats() },
      { ticket_id: tickets['four'], quantity: 1 },
      { ticket_id: tickets['rest'], quantity: 2 },
    ])
  }
  const begin = async (): Promise<string> => {
    for (;;) {
      const isGift = chance(0.06)
      const items = chance(0.3) ? [anyItem(), { ticket_id: tickets['rest'], quantity: 1 }] : [anyItem()]
      const gifts = [{ voucher_product_id: sales.product.id, quantity: 1 + Math.floor(random() * 2) }]
      const checkout = isGift ? { voucher_items: gifts } : { event_slug: sales.slug, items }
      const reply = await atShop('POST', '/checkouts', { checkout })
      if (reply?.status === 201) return reply.body.token
    }
  }

  const change = (token: string, checkout: object) => atShop('PATCH', `/checkouts/${token}`, { checkout })
  const pay = (token: string, method: string | null) =>
    atShop('POST', `/checkouts/${token}/payment`, method === null ? {} : { payment_method: method })
  const giveUp = (token: string) => atShop('DELETE', `/checkouts/${token}`)
  const addVoucher = (token: string) =>
    atShop('POST', `/checkouts/${token}/vouchers`, { code: pickBy(random, sales.voucherCodes) })
  const comeBack = (address: string) => {
    const { pathname, search } = new URL(address)
    return sales.askAt(anywhere(), 'GET', pathname + search)
  }

  const atStripe = async (token: string, redirectUrl: string) => {
    const session = [...stripe.sessions.values()].find(({ url }) => url === redirectUrl)!
    const { success_url: back, cancel_url: pressedBack } = session
    const isOpen = () => session.status === 'open'
    const paid = () => (isOpen() ? stripe.pay(session.id) : session)
    const act = random()
    if (act < 0.45) {
      await provider.forge(session)
      await allOf(
        () => provider.announce(paid()),
        () => (chance(0.5) ? comeBack(back) : pay(token, 'stripe')),
        async () => chance(0.2) && giveUp(token),
      )
    } else if (act < 0.55) {
      // Away; the clock finds out what has become of it.
      if (chance(0.5)) paid()
    } else if (act < 0.65) {
      if (isOpen()) stripe.payLater(session.id, chance(0.7) ? 'processing' : 'requires_payment_method')
      await comeBack(back)
    } else if (act < 0.8) {
      await allOf(
        () => comeBack(pressedBack),
        async () => chance(0.5) && giveUp(token),
      )
      // The provider has ended the session, and says later that it was paid all the same.
      if (session.status === 'expired' && chance(0.6)) await provider.announce(stripe.payLate(session.id))
      if (chance(0.6)) await changeOfMind(token)
    } else {
      await provider.forge({ ...session })
      await provider.announce({ ...session, status: 'expired' }, 'checkout.session.expired')
      if (chance(0.6)) await provider.announce(paid())
    }
  }

  const atTestPage = async (token: string, redirectUrl: string) => {
    const { pathname } = new URL(redirectUrl)
    const outcome = pickBy(random, ['paid', 'paid', 'declined', 'late', 'late'] as const)
    const decide = () => sales.askAt(anywhere(), 'POST', pathname, { body: { outcome } })
    await allOf(decide, decide, async () => chance(0.2) && giveUp(token))
    if (outcome === 'late') await giveUp(token)
    if (outcome !== 'paid' && chance(0.7)) await changeOfMind(token)
  }

  /** After a payment that came to nothing: something else, other money, or the same once more. */
  const changeOfMind = async (token: string) => {
    await allOf(
      async () => chance(0.4) && addVoucher(token),
      async () => chance(0.4) && change(token, { items: [anyItem()] }),
    )
    const method = pickBy(random, ['test', 'bank_transfer', 'at_the_door', null] as const)
    const reply = await pay(token, method)
    const redirectUrl = reply?.status === 200 && reply.body.payment.redirect_url
    if (redirectUrl && redirectUrl.includes('/payments/test/')) {
      await sales.askAt(anywhere(), 'POST', new URL(redirectUrl).pathname, { body: { outcome: 'paid' } })
    }
  }

  const payBy = async (token: string, way: Way) => {
    if (way === 'leave') return
    if (way === 'cancel') {
      await giveUp(token)
      return
    }
    let [reply] = await Promise.all([pay(token, way), ...(chance(0.2) ? [pay(token, way)] : [])])
    // Whom the provider keeps waiting tries once more, and is afraid of paying twice.
    for (let again = 0; again < 2 && reply?.status === 422 && reply.body.errors?.payment_method; again++) {
      reply = await pay(token, way)
    }
    const redirectUrl: string | null = reply?.status === 200 ? reply.body.payment.redirect_url : null
    if (!redirectUrl || reply!.body.status !== 'pending') return
    await (way === 'stripe' ? atStripe(token, redirectUrl) : atTestPage(token, redirectUrl))
  }

  const sold = (reply: Reply | null): { public_id: string; admissions: { public_id: string }[] } | null =>
    reply?.status === 200 ? reply.body.order : null

  /** What the house does with an order, several of them at once. */
  const afterwards = async (token: string) => {
    const order = sold(await atShop('GET', `/checkouts/${token}`))
    if (!order) return
    const at = `/admin/orders/${order.public_id}`
    const [first] = order.admissions
    const acts = [
      () => atOffice(`${at}/refunds`, {}),
      () => atOffice(`${at}/refunds`, { amount: '5.00', reason: 'Ill' }),
      () => atOffice(`${at}/refunds`, { admission_public_ids: [first?.public_id ?? 'nobody'] }),
      () => atOffice(`${at}/payments`, { amount: '12.50', reference: 'Statement 1' }),
      () => atOffice(`${at}/cancellation`),
      () =>
        sales.askAt(anywhere(), 'POST', `/scanner/tickets/${first?.public_id ?? 'nobody'}/redemption`, {
          token: sales.doorToken,
        }),
    ]
    const count = pickBy(random, [0, 0, 0, 1, 2, 3])
    await allOf(...Array.from({ length: count }, () => pickBy(random, acts)))
  }

  return async (n: number): Promise<void> => {
    const token = await begin()
    const customer = { customer_name: `Buyer ${n}`, customer_email: `buyer-${n}@guest.example` }
    await change(token, customer)
    if (chance(0.25)) await allOf(...Array.from({ length: pickBy(random, [1, 1, 2]) }, () => () => addVoucher(token)))
    if (chance(0.15)) await change(token, { items: [anyItem()] })
    if (chance(0.2)) await provider.deliverSome(3)
    await payBy(token, pickBy(random, ways))
    await afterwards(token)
  }
}
