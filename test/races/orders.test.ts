import { afterAll, expect, test } from 'vitest'
import { SEED, pickBy, randomOf, shuffledBy } from '../kit/seed.ts'
import { WEBHOOK_SECRET } from '../kit/venue/payments.ts'
import { findSaleFaults } from '../kit/venue/sales/faults.ts'
import { openSales } from '../kit/venue/sales/house.ts'

const ROUNDS = Number(process.env['FOYER_ORDER_ROUNDS'] ?? 12)
const repeat = `to repeat: FOYER_SEED=${SEED} FOYER_ORDER_ROUNDS=${ROUNDS}`

const sales = await openSales({ checkouts: ROUNDS * 40 })
afterAll(() => sales.close())
const { stripe, tickets, pool, accountId } = sales
const random = randomOf('races of orders')

const atShop = async (method: string, path: string, body?: object) =>
  (await sales.askAt(sales.origin, method, path, { host: sales.shopHost, ...(body && { body }) }))!
const atOffice = async (path: string, body: object = {}) =>
  (await sales.askAt(sales.origin, 'POST', path, { token: sales.officeToken, body }))!

const begin = async () => {
  const items = [
    { ticket_id: tickets['rest'], quantity: 4 },
    { ticket_id: tickets['ga'], quantity: 1 },
  ]
  const { token } = (await atShop('POST', '/checkouts', { checkout: { event_slug: 'winter-ball', items } })).body
  const customer = { customer_name: 'Berit Buyer', customer_email: 'berit@guest.example' }
  await atShop('PATCH', `/checkouts/${token}`, { checkout: customer })
  return token as string
}
const payBy = (token: string, method: string) =>
  atShop('POST', `/checkouts/${token}/payment`, { payment_method: method })

const paysAtStripe = async (token: string) => {
  const { payment } = (await payBy(token, 'stripe')).body
  return [...stripe.sessions.values()].find(({ url }) => url === payment.redirect_url)!
}
const tell = async (session: object) => {
  const message = stripe.message('checkout.session.completed', session, WEBHOOK_SECRET)
  return (await sales.askAt(sales.origin, 'POST', sales.webhookPath, message))!
}

interface Order {
  public_id: string
  admissions: { public_id: string }[]
}
const orderOf = async (token: string): Promise<Order> => (await atShop('GET', `/checkouts/${token}`)).body.order

const actsOn = ({ public_id: id, admissions }: Order) => {
  const at = `/admin/orders/${id}`
  const any = () => pickBy(random, admissions).public_id
  return {
    whole: () => atOffice(`${at}/refunds`),
    amount: () => atOffice(`${at}/refunds`, { amount: pickBy(random, ['5.00', '30.00', '75.00']) }),
    admission: () => atOffice(`${at}/refunds`, { admission_public_ids: [any()] }),
    cancellation: () => atOffice(`${at}/cancellation`),
    counted: (amount: string) => atOffice(`${at}/payments`, { amount, reference: 'Statement 1' }),
    redemption: async () =>
      (await sales.askAt(sales.origin, 'POST', `/scanner/tickets/${any()}/redemption`, { token: sales.doorToken }))!,
  }
}

/** All at once; nobody is told that something went wrong, and what is refused is refused politely. */
const meet = async (acts: (() => Promise<{ status: number; text: string }>)[]) => {
  const replies = await Promise.all(shuffledBy(random, acts).map((act) => act()))
  for (const { status, text } of replies) expect([200, 201, 422], text).toContain(status)
  return replies
}

const moneyOf = async ({ public_id: id }: Order) => {
  const { rows } = await pool.query(
    `select o.status, o.total_cents::int as total, o.refunded_cents::int as refunded, o.voucher_cents::int as voucher,
       (select coalesce(sum(p.amount_cents - p.refunded_cents), 0)::int from payments p
        where p.account_id = o.account_id and p.payable_id = o.checkout_id and p.status = 'paid') as kept,
       (select count(*)::int from admissions a where a.account_id = o.account_id and a.order_id = o.id
          and a.status <> 'active' and a.redeemed_at is not null) as used_and_given_back
     from orders o where o.account_id = $1 and o.public_id = $2`,
    [accountId, id],
  )
  return rows[0] as {
    status: string
    total: number
    refunded: number
    voucher: number
    kept: number
    used_and_given_back: number
  }
}

test(
  'refunds, cancellations, redemptions and messages of one order at once never give back more than was paid',
  { timeout: 60_000 + ROUNDS * 5_000 },
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const token = await begin()
      if (random() < 0.5)
        await atShop('POST', `/checkouts/${token}/vouchers`, { code: sales.voucherCodes[2 + (round % 6)] })
      const session = stripe.pay((await paysAtStripe(token)).id)
      await tell(session)
      const order = await orderOf(token)
      const { whole, amount, admission, cancellation, redemption } = actsOn(order)
      const again = () => tell(session)
      await meet([
        whole,
        whole,
        amount,
        amount,
        amount,
        admission,
        admission,
        cancellation,
        redemption,
        redemption,
        again,
      ])

      const money = await moneyOf(order)
      expect(money.refunded, repeat).toBeLessThanOrEqual(money.total)
      expect(money.used_and_given_back, repeat).toBe(0)
    }
    await sales.settle()
    expect(await findSaleFaults(sales), repeat).toEqual([])
  },
)

test(
  'parts counted by hand, late money, the end of its time and a cancellation of one unpaid order at once agree on one end',
  { timeout: 60_000 + ROUNDS * 5_000 },
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const token = await begin()
      const session = await paysAtStripe(token)
      const { pathname, search } = new URL(session.cancel_url)
      await sales.askAt(sales.origin, 'GET', pathname + search)
      await payBy(token, 'bank_transfer')
      const order = await orderOf(token)
      const { counted, cancellation, redemption, whole } = actsOn(order)
      const late = () => tell(stripe.payLate(session.id))
      const some = shuffledBy(random, [
        late,
        cancellation,
        cancellation,
        () => counted('75.00'),
        () => counted('75.00'),
      ])
      await meet([() => counted('40.00'), () => counted('35.00'), redemption, whole, ...some.slice(0, 3)])

      const { status, total, refunded, kept } = await moneyOf(order)
      if (status === 'paid') expect(kept, repeat).toBe(total - refunded)
      if (status === 'cancelled') expect(kept, repeat).toBe(0)
    }
    await sales.moveClock('8 days')
    for (let n = 0; n < 3; n++) await sales.settle()
    expect(await findSaleFaults(sales), repeat).toEqual([])
  },
)

test('control: without the lock, two who both saw nothing refunded give back twice, and the audit says so', async () => {
  for (const [table, guard] of [
    ['payments', 'never_more_is_refunded_than_was_paid'],
    ['orders', 'never_more_of_an_order_is_refunded_than_it_cost'],
  ]) {
    await pool.query(`alter table ${table} drop constraint ${guard}`)
  }
  const token = await begin()
  await tell(stripe.pay((await paysAtStripe(token)).id))
  const order = await orderOf(token)
  let [waiting, go] = [2, () => {}]
  const both = new Promise<void>((resolve) => (go = resolve))
  const refundCarelessly = async (key: string) => {
    const { total, refunded } = await moneyOf(order)
    if (--waiting === 0) go()
    await both
    await pool.query(
      `with mine as (
         update orders set refunded_cents = refunded_cents + $3 where account_id = $1 and public_id = $2 returning checkout_id
       )
       insert into payment_refunds (account_id, public_id, payment_id, key, amount_cents, status)
       select p.account_id, $4, p.id, $4, $3, 'by_hand' from mine join payments p on p.payable_id = mine.checkout_id
       where p.account_id = $1 and p.status = 'paid'`,
      [accountId, order.public_id, total - refunded, key],
    )
  }
  await Promise.all([refundCarelessly('one'), refundCarelessly('two')])
  const { total, refunded, kept } = await moneyOf(order)
  expect([refunded, kept]).toEqual([2 * total, -total])
  expect((await findSaleFaults(sales)).map(({ what }) => what)).toContain(
    'money that Stripe and Foyer count differently',
  )
})
