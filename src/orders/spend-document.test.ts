import { expect, onTestFinished, test } from 'vitest'
import { openBuyer } from '../../test/kit/venue/checkouts.ts'
import { openTestApp } from '../../test/kit/venue/venue.ts'

test('the papers of an order are drawn only so often, and those of others all the same', async () => {
  const now = new Date()
  const running = await openTestApp({ environment: { FOYER_RATE_LIMITS: 'on' }, clock: { now: () => now } })
  onTestFinished(() => running.close())
  const { buy, shop, tickets } = await openBuyer(undefined, running)
  const items = [{ ticket_id: tickets['ga'], quantity: 1 }]
  const [first, second] = [await buy(items), await buy(items)]

  const ticketsOf = async (token: string) => (await shop.get(`/orders/${token}/tickets.pdf`)).status
  const statuses = []
  for (let n = 0; n < 12; n++) statuses.push(await ticketsOf(first.token))
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
  const receipt = await shop.get(new URL(first.order.receipt.url).pathname)
  expect(receipt).toRefuse(429)
  expect(receipt.headers.get('retry-after')).toBeTruthy()
  expect(await ticketsOf(second.token)).toBe(200)
})
