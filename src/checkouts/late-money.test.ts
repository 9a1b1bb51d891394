import { afterAll, expect, test } from 'vitest'
import { findSaleFaults } from '../../test/kit/venue/sales/faults.ts'
import { openSales } from '../../test/kit/venue/sales/house.ts'
import { WEBHOOK_SECRET } from '../../test/kit/venue/payments.ts'

const sales = await openSales({ checkouts: 0 })
afterAll(() => sales.close())
const { stripe, tickets } = sales

const atShop = async (method: string, path: string, body?: object) => {
  const reply = await sales.askAt(sales.origin, method, path, { host: sales.shopHost, ...(body && { body }) })
  return reply!
}

/** A checkout whose payment was given up at Stripe's page, and the session of that payment. */
const pressBack = async (quantity: number) => {
  const items = [{ ticket_id: tickets['rest'], quantity }]
  const { token } = (await atShop('POST', '/checkouts', { checkout: { event_slug: 'winter-ball', items } })).body
  const customer = { customer_name: 'Berit Buyer', customer_email: 'berit@guest.example' }
  await atShop('PATCH', `/checkouts/${token}`, { checkout: customer })
  const paying = await atShop('POST', `/checkouts/${token}/payment`, { payment_method: 'stripe' })
  const session = [...stripe.sessions.values()].find(({ url }) => url === paying.body.payment.redirect_url)!
  const { pathname, search } = new URL(session.cancel_url)
  expect((await sales.askAt(sales.origin, 'GET', pathname + search))!.status).toBe(303)
  const see = async () => (await atShop('GET', `/checkouts/${token}`)).body
  expect(await see()).toMatchObject({ status: 'open' })
  /** Stripe says after all that it was paid. */
  const payLate = async () => {
    const message = stripe.message('checkout.session.completed', stripe.payLate(session.id), WEBHOOK_SECRET)
    expect((await sales.askAt(sales.origin, 'POST', sales.webhookPath, message))!.status).toBe(200)
    await sales.settle()
  }
  const change = (checkout: object) => atShop('PATCH', `/checkouts/${token}`, { checkout })
  const addVoucher = () => atShop('POST', `/checkouts/${token}/vouchers`, { code: sales.voucherCodes[2] })
  const pay = (method: string) => atShop('POST', `/checkouts/${token}/payment`, { payment_method: method })
  return { token, see, payLate, change, addVoucher, pay, session }
}

const givenBack = () => [...stripe.refunds.values()].reduce((sum, { amount }) => sum + amount, 0)

const rest = async () => {
  await sales.moveClock('30 minutes')
  for (let n = 0; n < 2; n++) await sales.settle()
  expect(await findSaleFaults(sales)).toEqual([])
}

test('late money for what is still wanted buys it', async () => {
  const buyer = await pressBack(2)
  await buyer.payLate()
  expect(await buyer.see()).toMatchObject({ status: 'paid', order: { status: 'paid' } })
  await rest()
})

test('late money beside a voucher that was set aside meanwhile goes back, and the buyer goes on', async () => {
  const before = givenBack()
  const buyer = await pressBack(2)
  expect((await buyer.addVoucher()).body.total).toBe('0.00')
  await buyer.payLate()
  expect(givenBack() - before).toBe(2_500)
  expect(await buyer.see()).toMatchObject({ status: 'open', voucher_total: '25.00' })
  expect((await buyer.pay('test')).body).toMatchObject({ status: 'paid' })
  await rest()
})

test('late money for more or less than is wanted by now goes back', async () => {
  for (const quantity of [1, 3]) {
    const before = givenBack()
    const buyer = await pressBack(2)
    await buyer.change({ items: [{ ticket_id: tickets['rest'], quantity }] })
    await buyer.payLate()
    expect(givenBack() - before).toBe(2_500)
    expect(await buyer.see()).toMatchObject({ status: 'open', items: [{ quantity }] })
  }
  await rest()
})

test('late money pays an order by transfer only where it is all that is left to pay', async () => {
  const whole = await pressBack(2)
  expect((await whole.pay('bank_transfer')).body.order.status).toBe('unpaid')
  await whole.payLate()
  expect(await whole.see()).toMatchObject({ status: 'paid', order: { status: 'paid' } })

  const before = givenBack()
  const part = await pressBack(2)
  const { order } = (await part.pay('bank_transfer')).body
  const counted = { body: { amount: '10.00', reference: 'Statement 1' }, token: sales.officeToken }
  await sales.askAt(sales.origin, 'POST', `/admin/orders/${order.public_id}/payments`, counted)
  await part.payLate()
  expect(givenBack() - before).toBe(2_500)
  expect(await part.see()).toMatchObject({ status: 'pending', order: { status: 'unpaid' } })
  await sales.moveClock('8 days')
  await rest()
})
