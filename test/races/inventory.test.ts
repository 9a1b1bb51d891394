import { expect, test } from 'vitest'
import { openRowsForJob } from '../../src/access/job-scope.ts'
import { hold } from '../../src/inventory/claim.ts'
import type { Tx } from '../../src/access/scopes.ts'
import { race } from '../kit/race.ts'
import { SEED, pickBy, randomOf } from '../kit/seed.ts'
import { type WinterBall, openWinterBall } from '../kit/venue/winter-ball.ts'

/** The full run takes many more. */
const ATTEMPTS = Number(process.env['FOYER_RACE_ATTEMPTS'] ?? 300)
const AT_ONCE = 20
const KINDS = [...Array<string>(16).fill('add'), ...Array<string>(8).fill('cancel'), 'hold']

const activeCount = async ({ app, accountId }: WinterBall) => {
  const { rows } = await app.database.pool.query<{ count: number }>(
    `select count(*)::int as count from admissions where account_id = $1 and status = 'active'`,
    [accountId],
  )
  return rows[0]!.count
}

test(
  'however many ask for the last places, they are given away once',
  async () => {
    const ball = await openWinterBall((event) => {
      event['capacity'] = 25
      event['tickets'][0].stock = 12
      event['tickets'].push({ key: 'free', title: 'Free' })
      event['standing_areas'][0].capacity = 7
      event['holds'] = [{ ticket: 'ga', quantity: 5, expires_at: '-PT1M' }]
    })
    const { tickets, areas, places, eventId } = ball
    const rows = openRowsForJob(ball.app, ball.accountId) as Tx
    const wishes = [
      { ticket_id: tickets['ga'], party_size: 1 },
      { ticket_id: tickets['ga'], party_size: 3 },
      { ticket_id: tickets['free'], party_size: 2 },
      { ticket_id: tickets['floor'], party_size: 2, event_capacity_pool_id: areas['front'] },
      { ticket_id: tickets['seat'], event_place_ids: [places['A-1'], places['A-2']] },
      { ticket_id: tickets['seat'], event_place_ids: [places['A-2'], places['A-1']] },
    ]
    const random = randomOf('inventory')
    const acts = Array.from({ length: ATTEMPTS }, () => ({
      kind: pickBy(random, KINDS),
      wanted: pickBy(random, wishes),
      isWhole: random() < 0.5,
      which: random(),
    }))
    const parties: { public_id: string; admissions: { public_id: string }[] }[] = []
    const tally = new Map<string, number>()
    const count = (what: string) => tally.set(what, (tally.get(what) ?? 0) + 1)
    let most = 0

    await race(ATTEMPTS, async (n) => {
      const { kind, wanted, isWhole, which } = acts[n]!
      const leaving = kind === 'cancel' ? parties.splice(Math.floor(which * parties.length), 1)[0] : undefined
      if (kind === 'hold') {
        const until = new Date(Date.now() - Math.round(which))
        await hold(rows, { eventId, ticketId: tickets['ga']!, quantity: 1, until })
      } else if (leaving) {
        const one = isWhole ? '' : `/admissions/${leaving.admissions[0]!.public_id}`
        count(`cancel ${(await ball.office.post(ball.partyPath(leaving, `${one}/cancellation`))).status}`)
        const staying = isWhole ? [] : leaving.admissions.slice(1)
        if (staying.length > 0) parties.push({ ...leaving, admissions: staying })
      } else {
        const reply = await ball.post({ customer_name: `Guest ${n}`, ...wanted })
        count(`add ${reply.status}`)
        if (reply.status === 201) parties.push(reply.body)
        most = Math.max(most, await activeCount(ball))
      }
    })

    expect([...tally.keys()].toSorted(), `FOYER_SEED=${SEED}`).toEqual(['add 201', 'add 422', 'cancel 200'])
    expect(most, `FOYER_SEED=${SEED}`).toBeLessThanOrEqual(25)

    while ((await ball.post({ customer_name: 'Last', ticket_id: tickets['free'] })).status === 201);
    expect(await activeCount(ball)).toBe(25)
  },
  60_000 + ATTEMPTS * 100,
)

test('the last one of a ticket goes to one of many', async () => {
  const ball = await openWinterBall((event) => {
    event['tickets'][0].stock = 1
  })
  const replies = await Promise.all(
    Array.from({ length: AT_ONCE }, () => ball.post({ customer_name: 'Ada', ticket_id: ball.tickets['ga'] })),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([
    201,
    ...Array.from({ length: AT_ONCE - 1 }, () => 422),
  ])
})

test('one Idempotency-Key makes one party, however often it is sent at once', async () => {
  const ball = await openWinterBall()
  const replies = await Promise.all(
    Array.from({ length: 10 }, () =>
      ball.post({ customer_name: 'Ada', ticket_id: ball.tickets['ga'] }, { headers: { 'idempotency-key': 'once' } }),
    ),
  )
  const made = replies.filter(({ status }) => status === 201)
  expect(made.length + replies.filter(({ status }) => status === 409).length).toBe(10)
  expect(new Set(made.map(({ body }) => body.public_id)).size).toBe(1)
  expect(await activeCount(ball)).toBe(1)
})

test('of a redemption and a cancellation at once, one wins', async () => {
  const ball = await openWinterBall()
  const { pool } = ball.app.database
  for (let round = 0; round < 25; round++) {
    const party = await ball.party({ party_size: 2 })
    const [cancelled, redeemed] = await Promise.all([
      ball.office.post(ball.partyPath(party, '/cancellation')),
      pool.query(
        `update admissions set redeemed_at = foyer_now()
         where account_id = $1 and public_id = $2 and status = 'active' and redeemed_at is null`,
        [ball.accountId, party.admissions[1].public_id],
      ),
    ])
    expect([cancelled.status, redeemed.rowCount]).toEqual(redeemed.rowCount === 1 ? [422, 1] : [200, 0])
  }
})
