import { expect, test } from 'vitest'
import { race } from '../kit/race.ts'
import { SEED, pickBy, randomOf, shuffledBy } from '../kit/seed.ts'
import { type WinterBall, openWinterBall } from '../kit/venue/winter-ball.ts'

/** The full run takes many more. */
const ATTEMPTS = Number(process.env['FOYER_RACE_ATTEMPTS'] ?? 240)
const KEYS = ['A-1', 'A-2', 'A-4', 'A-5', 'A-6']

const seatedAt = async (ball: WinterBall, key: string) =>
  (await ball.party({ ticket_id: ball.tickets['seat'], event_place_ids: [ball.places[key]] })).admissions[0]

const move = (ball: WinterBall, item: { public_id: string }, key: string) =>
  ball.office.post(`/admin/order_items/${item.public_id}/seat_exchange`, {
    seat_exchange: { event_place_id: ball.places[key] },
  })

/** From wherever it is to two seats, and back to general admission. */
const wander = async (ball: WinterBall, { public_id: id }: { public_id: string }, keys: readonly string[]) => {
  const path = `${ball.path}/guest_parties/ticket_changes`
  const event_place_ids_by_party = { [id]: keys.slice(0, 2).map((key) => ball.places[key]) }
  const seat = { public_ids: [id], ticket_id: ball.tickets['seat'], event_place_ids_by_party }
  expect((await ball.office.post(path, seat)).status).toBe(200)
  expect((await ball.office.post(path, { public_ids: [id], ticket_id: ball.tickets['ga'] })).status).toBe(200)
}

const doubledSeats = async (ball: WinterBall) => {
  const { rows } = await ball.app.database.pool.query(
    `select place_id from admissions where account_id = $1 and status = 'active' and place_id is not null
     group by place_id having count(*) > 1`,
    [ball.accountId],
  )
  return rows
}

test('one seat goes to one of many takers, by party or by move', async () => {
  const ball = await openWinterBall()
  const movers = await Promise.all(['A-1', 'A-2', 'A-4'].map((key) => seatedAt(ball, key)))
  const replies = await Promise.all([
    ...movers.map((item) => move(ball, item, 'A-6')),
    ...Array.from({ length: 9 }, () =>
      ball.post({ customer_name: 'Ada', ticket_id: ball.tickets['seat'], event_place_ids: [ball.places['A-6']] }),
    ),
    ...['A-1', 'A-2', 'A-4'].map((key) =>
      ball.post({
        customer_name: 'Ada',
        ticket_id: ball.tickets['seat'],
        event_place_ids: [ball.places['A-6'], ball.places[key]],
      }),
    ),
  ])
  expect(replies.filter(({ status }) => status < 300)).toHaveLength(1)
  expect(replies.filter(({ status }) => status === 422)).toHaveLength(replies.length - 1)
  expect(await doubledSeats(ball)).toEqual([])
})

test('a seat that many want goes to one, also when whole parties move to it from another ticket', async () => {
  const ball = await openWinterBall()
  const seated = await seatedAt(ball, 'A-1')
  const parties = await Promise.all(
    Array.from({ length: 6 }, (_, n) => ball.party({ customer_name: `Ada ${n}`, party_size: 2 })),
  )
  const changeTicket = (ids: string[], keysOf: (n: number) => string[]) =>
    ball.office.post(`${ball.path}/guest_parties/ticket_changes`, {
      public_ids: ids,
      ticket_id: ball.tickets['seat'],
      event_place_ids_by_party: Object.fromEntries(ids.map((id, n) => [id, keysOf(n).map((key) => ball.places[key])])),
    })
  const ids = parties.map(({ public_id }) => public_id as string)
  const [moved, created, exchanged] = await Promise.all([
    Promise.all([
      // Several in one call, and in different orders of the places.
      changeTicket(ids.slice(0, 3), (n) => (n % 2 ? ['A-6', 'A-5'] : ['A-5', 'A-6'])),
      ...ids.slice(3).map((id, n) => changeTicket([id], () => (n % 2 ? ['A-4', 'A-6'] : ['A-6', 'A-2']))),
    ]),
    Promise.all(
      Array.from({ length: 6 }, () =>
        ball.post({ customer_name: 'Bo', ticket_id: ball.tickets['seat'], event_place_ids: [ball.places['A-6']] }),
      ),
    ),
    move(ball, seated, 'A-6'),
  ])
  expect(moved.map(({ status }) => status)).toEqual(moved.map(() => 200))
  const takers =
    moved.reduce((sum, { body }) => sum + body.done_count, 0) +
    created.filter(({ status }) => status === 201).length +
    (exchanged.status === 200 ? 1 : 0)
  expect(takers).toBe(1)
  expect(await doubledSeats(ball)).toEqual([])
})

test(
  'people who change seats at once neither double a seat nor wait for each other for ever',
  async () => {
    const ball = await openWinterBall()
    const people = await Promise.all(['A-1', 'A-2', 'A-4'].map((key) => seatedAt(ball, key)))
    const random = randomOf('seats')
    const acts = Array.from({ length: ATTEMPTS }, () => ({
      person: random() < 1 / 8 ? null : pickBy(random, people),
      keys: shuffledBy(random, KEYS),
    }))
    const tally = new Map<number, number>()
    const wanderer = await ball.party({ customer_name: 'Wanderer', party_size: 2 })

    await race(ATTEMPTS, async (n) => {
      const { person, keys } = acts[n]!
      const party = {
        customer_name: 'Passing',
        ticket_id: ball.tickets['seat'],
        event_place_ids: keys.slice(0, 2).map((key) => ball.places[key]),
      }
      const reply = person ? await move(ball, person, keys[0]!) : await ball.post(party)
      tally.set(reply.status, (tally.get(reply.status) ?? 0) + 1)
      if (reply.status === 201) await ball.office.post(ball.partyPath(reply.body, '/cancellation'))
      if (n % 8 === 0) await wander(ball, wanderer, keys)
    })

    expect(
      [...tally.keys()].filter((status) => ![200, 201, 422].includes(status)),
      `FOYER_SEED=${SEED}`,
    ).toEqual([])
    expect(tally.get(200)).toBeGreaterThan(0)
    expect(await doubledSeats(ball), `FOYER_SEED=${SEED}`).toEqual([])
  },
  60_000 + ATTEMPTS * 100,
)
