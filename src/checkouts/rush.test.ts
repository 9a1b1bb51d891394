import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSecondApp } from '../../test/kit/venue/second-app.ts'
import { type Reply, openClient } from '../../test/kit/venue/client.ts'
import { moveByHand } from '../../test/kit/venue/sale.ts'
import { eventOf } from '../../test/kit/venue/shop.ts'
import { openVenueIn } from '../../test/kit/venue/venue-in.ts'
import { type OpenApp, openTestApp } from '../../test/kit/venue/venue.ts'
import { compareCounters } from '../inventory/consistency/records.ts'

let running: OpenApp
let moveClock: OpenApp['moveClock']

/** With limits, behind a proxy that says who asks. */
beforeAll(async () => {
  running = await openTestApp({ environment: { FOYER_RATE_LIMITS: 'on', FOYER_TRUST_PROXY: '1' } })
  moveClock = await moveByHand(running)
})
afterAll(() => running.close())

let buyers = 0
const newAddress = () => `198.18.${(++buyers >> 8) & 255}.${buyers & 255}`

const openSale = async (stock: number, startsIn: string | null = null) => {
  const { report } = await openVenueIn(running, (file) => {
    const ball = eventOf(file)
    ball['tickets'] = [{ key: 'ga', title: 'General admission', price: '25.00', stock }]
    for (const part of ['standing_areas', 'places', 'questions']) delete ball[part]
    if (startsIn !== null) ball['sales_starts_at'] = startsIn
  })
  const host = new URL(report.account.shop_url).host
  const ticketId = report.events['winter-ball']!.tickets['ga']
  const ask = (more: object = {}, { ip = newAddress(), origin = running.origin, userAgent = 'Firefox' } = {}) =>
    openClient(origin).ask('POST', '/checkouts', {
      headers: { host, 'x-forwarded-for': ip, 'user-agent': userAgent },
      body: { checkout: { event_slug: 'winter-ball', items: [{ ticket_id: ticketId, quantity: 1 }], ...more } },
    })
  const askTogether = (count: number, origin = running.origin) =>
    Promise.all(Array.from({ length: count }, () => ask({}, { origin })))
  const sound = async () => expect(await compareCounters(running.app.database.kysely, report.account.id)).toEqual([])
  return { ask, askTogether, sound, accountId: report.account.id }
}

const count = (replies: readonly Reply[], status: number) => replies.filter((reply) => reply.status === status).length

test('in a rush buyers are told their place, ask again, and buy when it is their turn', async () => {
  const sale = await openSale(200)
  const replies = await sale.askTogether(150)
  expect(count(replies, 201) + count(replies, 202)).toBe(150)
  const waiting = replies.filter(({ status }) => status === 202)
  expect(waiting.length).toBeGreaterThan(50)
  for (const { body, headers } of waiting) {
    expect(body.queue).toEqual({
      token: expect.stringMatching(/^[\w-]{22}$/),
      position: expect.any(Number),
      retry_after: expect.any(Number),
    })
    expect(headers.get('retry-after')).toBe(String(body.queue.retry_after))
  }
  const inOrder = waiting.map(({ body }) => body.queue).toSorted((a, b) => a.position - b.position)
  await moveClock('1 second')
  const first = await sale.ask({ queue_token: inOrder[0].token })
  expect(first).toMatchObject({ status: 201, body: { status: 'open' } })
  expect(await sale.ask({ queue_token: inOrder[0].token })).toRefuse(422)
  expect(await sale.ask()).toMatchObject({ status: 202 })
  await sale.sound()
})

test('nobody claims without a place in line, in whichever of two processes, and nothing is sold twice', async () => {
  const sale = await openSale(150)
  const second = await openSecondApp(running)
  try {
    const origins = [running.origin, second.origin]
    const replies = (await Promise.all(origins.map((origin) => sale.askTogether(150, origin)))).flat()
    let bought = count(replies, 201)
    let waiting: string[] = replies.filter(({ status }) => status === 202).map(({ body }) => body.queue.token)
    expect(waiting.length).toBeGreaterThan(100)
    let soldOut = count(replies, 422)
    for (let round = 0; round < 60 && waiting.length > 0; round++) {
      await moveClock('1 second')
      const answers = await Promise.all(
        waiting.map((token, n) => sale.ask({ queue_token: token }, { origin: origins[n % 2]! })),
      )
      bought += count(answers, 201)
      soldOut += count(answers, 422)
      waiting = answers.filter(({ status }) => status === 202).map(({ body }) => body.queue.token)
    }
    expect(waiting).toEqual([])
    expect(bought).toBe(150)
    expect(bought + soldOut).toBe(300)
    await sale.sound()
  } finally {
    await second.close()
  }
})

test('before the sale buyers may stand in line a quarter of an hour, and earlier are told when it has not started', async () => {
  const sale = await openSale(100, '+PT10M')
  const early = await sale.ask()
  expect(early).toMatchObject({ status: 202, body: { queue: { position: null, retry_after: 60 } } })
  const ask = () => sale.ask({ queue_token: early.body.queue.token })
  expect(await ask()).toMatchObject({ status: 202 })
  await moveClock('10 minutes')
  expect(await ask()).toMatchObject({ status: 201 })

  const late = await openSale(100, '+PT1H')
  expect(await late.ask()).toRefuse(422)
})

test('a place of another shop, of nobody, one that is no text, and a long one are refused, and take nothing', async () => {
  const [sale, other] = [await openSale(100, '+PT10M'), await openSale(100)]
  const { queue } = (await sale.ask()).body
  for (const token of [queue.token, 'x'.repeat(22), 'x'.repeat(10_240), "'; drop table", 7, ['a'], { a: 1 }, true]) {
    expect(await other.ask({ queue_token: token })).toRefuse(422)
  }
  await other.sound()
})

test('a browser holds ten checkouts at once and no more', async () => {
  const sale = await openSale(100)
  const ip = newAddress()
  const replies = await Promise.all(Array.from({ length: 14 }, () => sale.ask({}, { ip })))
  expect([count(replies, 201), count(replies, 429)]).toEqual([10, 4])
  const refused = replies.find(({ status }) => status === 429)!
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused.text).toContain('Too many purchases are under way from here')
  expect(await sale.ask({}, { ip, userAgent: 'Safari' })).toMatchObject({ status: 201 })
  await sale.sound()
})
