import { afterAll, expect, test } from 'vitest'
import { checkAll } from '../../../test/kit/database/consistency.ts'
import { openSales } from '../../../test/kit/venue/sales/house.ts'

const sales = await openSales({ checkouts: 0 })
afterAll(() => sales.close())
const { pool, accountId, tickets } = sales

const atShop = async (method: string, path: string, body?: object) =>
  (await sales.askAt(sales.origin, method, path, { host: sales.shopHost, ...(body && { body }) }))!.body

const begin = async (checkout: object) => {
  const { token } = await atShop('POST', '/checkouts', { checkout })
  const customer = { customer_name: 'Berit Buyer', customer_email: 'berit@guest.example' }
  await atShop('PATCH', `/checkouts/${token}`, { checkout: customer })
  return token as string
}
const buy = async (checkout: object, voucher?: string) => {
  const token = await begin(checkout)
  if (voucher) await atShop('POST', `/checkouts/${token}/vouchers`, { code: voucher })
  const { payment } = await atShop('POST', `/checkouts/${token}/payment`, { payment_method: 'test' })
  await sales.askAt(sales.origin, 'POST', new URL(payment.redirect_url).pathname, { body: { outcome: 'paid' } })
}
const ball = (ticket: string, quantity: number) => ({
  event_slug: 'winter-ball',
  items: [{ ticket_id: tickets[ticket], quantity }],
})

// One sale of tickets, one that a voucher has paid a part of, one of vouchers, and one that is still open.
await buy(ball('ga', 2))
await buy(ball('four', 1), sales.voucherCodes[2])
await buy({ voucher_items: [{ voucher_product_id: sales.product.id, quantity: 2 }] })
await begin(ball('rest', 1))

/** As somebody who can write into the database and is stopped by nothing; what was planted is taken out again. */
const plant = async (statements: string[]) => {
  const client = await pool.connect()
  try {
    await client.query(`set session_replication_role = replica`)
    for (const statement of statements) {
      expect((await client.query(statement)).rowCount, statement).toBeGreaterThan(0)
    }
  } finally {
    await client.query(`set session_replication_role = default`)
    client.release()
  }
}

const first = `account_id = ${accountId} and id = (select min(id) from orders where account_id = ${accountId} and checkout_id is not null)`
const payment = `account_id = ${accountId} and id = (select min(id) from payments where account_id = ${accountId})`
const lastReceipt = `account_id = ${accountId} and number = (select max(number) from receipts where account_id = ${accountId})`
const sold = `account_id = ${accountId} and id = (select min(id) from voucher_purchases where account_id = ${accountId})`
const oneAdmission = `account_id = ${accountId} and id = (select min(id) from admissions where account_id = ${accountId})`
const spent = `account_id = ${accountId} and kind = 'redemption'`

/** What is planted, how it is taken out, and what must be found; other checks may notice it too. */
const FAULTS: [string, string[], string[]][] = [
  [
    'payments less refunds are not what an order says',
    [`update orders set total_cents = total_cents + 1 where ${first}`],
    [`update orders set total_cents = total_cents - 1 where ${first}`],
  ],
  [
    'vouchers have not paid what an order says',
    [`update voucher_entries set order_id = null where ${spent}`],
    [
      `update voucher_entries set order_id = (select max(id) from orders where account_id = ${accountId}) where ${spent}`,
    ],
  ],
  [
    'a checkout that has ended still holds something',
    [`update checkouts set status = 'expired' where account_id = ${accountId} and status = 'open'`],
    [`update checkouts set status = 'open' where account_id = ${accountId} and status = 'expired'`],
  ],
  [
    'a payment has bought nothing and was not given back',
    [`update payments set is_surplus = true where ${payment}`],
    [`update payments set is_surplus = false where ${payment}`],
  ],
  [
    'payments less refunds are not what vouchers were sold for',
    [`update voucher_purchases set paid_cents = paid_cents + 1 where ${sold}`],
    [`update voucher_purchases set paid_cents = paid_cents - 1 where ${sold}`],
  ],
  [
    'an order has other tickets than were bought',
    [`update checkout_items set quantity = quantity + 1 where account_id = ${accountId} and quantity = 2`],
    [`update checkout_items set quantity = quantity - 1 where account_id = ${accountId} and quantity = 3`],
  ],
  [
    'an order that is over still has tickets',
    [`update orders set status = 'refunded' where ${first}`],
    [`update orders set status = 'paid' where ${first}`],
  ],
  [
    'a paid order has no receipt',
    [`update receipts set checkout_id = -checkout_id where account_id = ${accountId} and number = 1`],
    [`update receipts set checkout_id = -checkout_id where account_id = ${accountId} and number = 1`],
  ],
  [
    'receipts have a gap',
    [`update receipts set number = number + 1 where ${lastReceipt}`],
    [`update receipts set number = number - 1 where ${lastReceipt}`],
  ],
]

test.each(FAULTS)('the audit finds that %s', async (fault, planted, takenOut) => {
  expect(await checkAll(sales.app)).toEqual([])
  await plant(planted)
  const found = await checkAll(sales.app)
  await plant(takenOut)
  expect(found).toContainEqual({ accountId, what: 'orders', fault, count: 1 })
  expect(await checkAll(sales.app)).toEqual([])
})

test('the audit finds a ticket that is counted otherwise than it was sold, and a refund that is not', async () => {
  await plant([`update admissions set status = 'refunded' where ${oneAdmission}`])
  expect((await checkAll(sales.app)).map(({ what }) => what)).toEqual(expect.arrayContaining(['event', 'ticket']))
  await plant([`update admissions set status = 'active' where ${oneAdmission}`])

  await plant([`update payments set refunded_cents = 1 where ${payment}`])
  expect((await checkAll(sales.app)).map(({ what }) => what)).toEqual(expect.arrayContaining(['payment', 'orders']))
  await plant([`update payments set refunded_cents = 0 where ${payment}`])
  expect(await checkAll(sales.app)).toEqual([])
})
