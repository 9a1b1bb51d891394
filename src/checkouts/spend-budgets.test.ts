import { expect, onTestFinished, test } from 'vitest'
import { form } from '../../test/kit/venue/sessions.ts'
import { openShop } from '../../test/kit/venue/shop.ts'
import { openTestApp } from '../../test/kit/venue/venue.ts'

test('by the form of a shop, and by its page for those in line, no more is begun than over the API', async () => {
  const now = new Date()
  const running = await openTestApp({ environment: { FOYER_RATE_LIMITS: 'on' }, clock: { now: () => now } })
  onTestFinished(() => running.close())
  const { shop } = await openShop(undefined, running)
  const begin = () => shop.ask('POST', '/checkouts', form({ 'checkout[event_slug]': 'winter-ball' }))
  const statuses: number[] = []
  for (let n = 0; n < 13; n++) {
    const replies = await Promise.all(Array.from({ length: 10 }, begin))
    statuses.push(...replies.map(({ status }) => status))
  }
  expect(statuses.filter((status) => status === 422)).toHaveLength(120)
  expect(statuses.filter((status) => status === 429)).toHaveLength(10)

  const line = '/events/winter-ball/line?checkout[event_slug]=winter-ball'
  expect((await shop.get(line, { headers: { accept: 'text/html' } })).status).toBe(429)
  const checkout = { event_slug: 'winter-ball', items: [] }
  expect((await shop.ask('POST', '/checkouts', { body: { checkout } })).status).toBe(429)
})
