import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type WinterBall, openWinterBall } from '../../test/kit/venue/winter-ball.ts'
import { openRowsForJob } from '../access/job-scope.ts'
import type { Tx } from '../access/scopes.ts'
import { findAvailability } from './availability.ts'
import { claim, hold, holdEach } from './claim.ts'
import { checkInventories } from './consistency/check-inventories.ts'
import { compareCounters } from './consistency/records.ts'
import type { ClaimRequest, HoldRequest } from './rules.ts'

const rowsOf = ({ app, accountId }: WinterBall) => openRowsForJob(app, accountId) as Tx

const inFive = () => new Date(Date.now() + 300_000)

const held = async ({ app, accountId }: WinterBall) => {
  const { rows } = await app.database.pool.query<{ count: number }>(
    'select count(*)::int as count from holds where account_id = $1',
    [accountId],
  )
  return rows[0]!.count
}

test('a claim is refused by the first bound in the order of the locks, and takes nothing', async () => {
  const ball = await openWinterBall((event) => {
    event['capacity'] = 60
    event['tickets'][1].stock = 55
  })
  const { eventId, tickets, areas, places } = ball
  const before = await ball.standing()
  const refusedBy = (change: Partial<Omit<ClaimRequest, 'until'>>) =>
    hold(rowsOf(ball), { eventId, ticketId: tickets['ga']!, quantity: 1, until: inFive(), ...change })
  const floor = { ticketId: tickets['floor']!, standingAreaId: areas['front']! }
  const seat = { ticketId: tickets['seat']! }

  expect(await refusedBy({ quantity: 61 })).toBe('event')
  expect(await refusedBy({ ...floor, quantity: 56 })).toBe('ticket')
  expect(await refusedBy({ ...floor, quantity: 51 })).toBe('area')
  expect(await refusedBy({ ...seat, quantity: 2, placeIds: [places['A-1']!, places['A-3']!] })).toBe('places')
  expect(await refusedBy({ ...seat, placeIds: [places['W-1']!] })).toBe('places')
  expect(await refusedBy({ ticketId: 99_999_999 })).toBe('ticket')
  expect(await refusedBy({ eventId: 99_999_999 })).toBe('event')
  expect(await ball.standing()).toEqual(before)
  expect(await held(ball)).toBe(0)
})

const heldBy = async ({ app, accountId }: WinterBall, ids: readonly number[]) => {
  const { rows } = await app.database.pool.query<{ ticketId: number; quantity: number; stock: number }>(
    `select ticket_id as "ticketId", quantity, stock_quantity as stock
     from unnest($2::bigint[]) with ordinality as given (id, n)
     join holds h on h.account_id = $1 and h.id = given.id order by n`,
    [accountId, ids],
  )
  return rows
}

/** Holds in a transaction of its own, and how often the event's row was written for it. */
const holdTogether = ({ app, accountId, eventId }: WinterBall, requests: HoldRequest[]) =>
  app.database.kysely.transaction().execute(async (db) => {
    const countWrites = async () => {
      const { rows } = await sql<{ count: number }>`
        select pg_stat_get_xact_tuples_updated('events'::regclass)::int as count`.execute(db)
      return rows[0]!.count
    }
    const before = await countWrites()
    const outcomes = await holdEach({ accountId, db } as unknown as Tx, eventId, requests, inFive())
    return { outcomes, written: (await countWrites()) - before }
  })

test('buyers who come together are counted once, and each has what it asked for, item by item', async () => {
  const ball = await openWinterBall()
  const { ga, four } = ball.tickets as { ga: number; four: number }
  const { outcomes, written } = await holdTogether(ball, [
    [{ ticketId: ga, quantity: 2 }],
    [
      { ticketId: four, quantity: 4, stockQuantity: 1 },
      { ticketId: ga, quantity: 1 },
    ],
    [{ ticketId: ga, quantity: 3 }],
  ])
  expect(written).toBe(2)
  expect(outcomes.map(({ refused, refusedItem }) => [refused, refusedItem])).toEqual(outcomes.map(() => [null, null]))
  expect(await Promise.all(outcomes.map(({ holdIds }) => heldBy(ball, holdIds)))).toEqual([
    [{ ticketId: ga, quantity: 2, stock: 2 }],
    [
      { ticketId: four, quantity: 4, stock: 1 },
      { ticketId: ga, quantity: 1, stock: 1 },
    ],
    [{ ticketId: ga, quantity: 3, stock: 3 }],
  ])
  expect((await ball.option('ga')).available_stock).toBe(194)
})

test('where together they want more than is left each is served by itself, the first ones first', async () => {
  const ball = await openWinterBall((event) => {
    event['tickets'][0].stock = 5
  })
  const { ga, crew } = ball.tickets as { ga: number; crew: number }
  const { outcomes } = await holdTogether(ball, [
    [{ ticketId: ga, quantity: 3 }],
    [
      { ticketId: crew, quantity: 1 },
      { ticketId: ga, quantity: 3 },
    ],
    [{ ticketId: ga, quantity: 2 }],
    [{ ticketId: ga, quantity: 1 }],
  ])
  expect(outcomes.map(({ refused, refusedItem, holdIds }) => [refused, refusedItem, holdIds.length])).toEqual([
    [null, null, 1],
    ['ticket', 1, 0],
    [null, null, 1],
    ['ticket', 0, 0],
  ])
  expect(await held(ball)).toBe(2)
  expect((await ball.option('ga')).available_stock).toBe(0)
})

test('who wants a place or an area is served together with those who do not', async () => {
  const ball = await openWinterBall()
  const { tickets, areas, places } = ball
  const { outcomes } = await holdTogether(ball, [
    [{ ticketId: tickets['ga']!, quantity: 1 }],
    [{ ticketId: tickets['floor']!, quantity: 2, standingAreaId: areas['back']! }],
    [{ ticketId: tickets['seat']!, quantity: 1, placeIds: [places['A-1']!] }],
    [{ ticketId: tickets['seat']!, quantity: 1, placeIds: [places['A-1']!] }],
  ])
  expect(outcomes.map(({ refused }) => refused)).toEqual([null, null, null, 'places'])
  expect(await held(ball)).toBe(3)
})

test('a hold counts until its time is over, then it refuses nobody', async () => {
  const ball = await openWinterBall((event) => {
    event['tickets'][0].stock = 4
  })
  const { eventId, tickets, places } = ball
  await hold(rowsOf(ball), { eventId, ticketId: tickets['ga']!, quantity: 3, until: inFive() })
  await hold(rowsOf(ball), {
    eventId,
    ticketId: tickets['seat']!,
    quantity: 1,
    placeIds: [places['A-1']!],
    until: inFive(),
  })
  expect((await ball.option('ga')).available_stock).toBe(1)
  expect(await ball.post({ customer_name: 'Ada', ticket_id: tickets['ga'], party_size: 2 })).toRefuse(422, {
    base: ['Not enough places available'],
  })
  expect(
    await ball.post({ customer_name: 'Ada', ticket_id: tickets['seat'], event_place_ids: [places['A-1']] }),
  ).toRefuse(422)

  await ball.moveClock('6 minutes')
  expect((await ball.option('ga')).available_stock).toBe(4)
  expect((await ball.option('seat')).available_places[0].key).toBe('A-1')
  expect(await held(ball)).toBe(2)
  await ball.party({ party_size: 4 })
  expect(await held(ball)).toBe(0)
  await ball.party({ ticket_id: tickets['seat'], event_place_ids: [places['A-1']] })
  expect((await ball.option('ga')).available_stock).toBe(0)
  await ball.moveClock('-6 minutes')
})

test('the sweep ends what is over, of every event, and leaves the rest', async () => {
  const ball = await openWinterBall((event, file) => {
    event['holds'] = [
      { ticket: 'ga', quantity: 2, expires_at: '-PT1M' },
      { ticket: 'floor', quantity: 2, standing_area: 'back', expires_at: '-PT1M' },
      { ticket: 'seat', places: ['A-1', 'A-2'], expires_at: '-PT1M' },
      { ticket: 'ga', quantity: 1, expires_at: '+PT15M' },
    ]
    file['events'][1].holds = [{ ticket: 'ga', quantity: 5, expires_at: '-PT1M' }]
  })
  expect(await held(ball)).toBe(5)
  await ball.workOffJobs()
  expect(await held(ball)).toBe(1)
  const { rows } = await ball.app.database.pool.query<{ count: number }>(
    'select claimed_count as count from events where account_id = $1 order by id',
    [ball.accountId],
  )
  expect(rows.map(({ count }) => count)).toEqual([1, 0, 0, 0])
})

test('availability tells a ticket apart from what it shares', async () => {
  const ball = await openWinterBall()
  await claimFor(ball, 1)
  const [ga, floor, seat] = await findAvailability(rowsOf(ball), ball.eventId)
  expect(ga).toMatchObject({ available: 199, hidden: false, kind: 'StandardTicket' })
  expect(floor!.standingAreas.map((area) => area.available)).toEqual([50, 90])
  expect([seat!.available, seat!.places]).toEqual([7, []])
  await unclaimFor(ball, 1)
})

test('the audit finds every counter that does not fit its rows', async () => {
  const ball = await openWinterBall()
  await ball.party({ party_size: 2 })
  await ball.party({ ticket_id: ball.tickets['seat'], event_place_ids: [ball.places['A-1']] })
  expect(await compareCounters(rowsOf(ball).db, ball.accountId)).toEqual([])

  await claimFor(ball, 3)
  await ball.app.database.pool.query('update places set claimed_until = null where account_id = $1', [ball.accountId])
  expect(await compareCounters(rowsOf(ball).db, ball.accountId)).toEqual([
    { accountId: ball.accountId, eventId: ball.eventId, what: 'event', id: ball.eventId, counted: '3', kept: '6' },
    {
      accountId: ball.accountId,
      eventId: ball.eventId,
      what: 'places',
      id: ball.places['A-1'],
      counted: 'infinity',
      kept: 'free',
    },
    {
      accountId: ball.accountId,
      eventId: ball.eventId,
      what: 'ticket',
      id: ball.tickets['ga'],
      counted: '2',
      kept: '5',
    },
  ])
  expect(await checkInventories(ball.app.database)).toHaveLength(3)
  await unclaimFor(ball, 3)
  await ball.app.database.pool.query(`update places set claimed_until = 'infinity' where account_id = $1 and id = $2`, [
    ball.accountId,
    ball.places['A-1'],
  ])
})

const claimFor = async (ball: WinterBall, quantity: number) => {
  expect(await claim(rowsOf(ball), { eventId: ball.eventId, ticketId: ball.tickets['ga']!, quantity })).toBeNull()
}

/** A claim without a row behind it exists only in tests. */
const unclaimFor = async ({ app, eventId, tickets }: WinterBall, quantity: number) => {
  await app.database.pool.query('update events set claimed_count = claimed_count - $2 where id = $1', [
    eventId,
    quantity,
  ])
  await app.database.pool.query('update tickets set claimed_count = claimed_count - $2 where id = $1', [
    tickets['ga'],
    quantity,
  ])
}
