import { afterEach, expect, test } from 'vitest'
import { openRowsForJob } from '../../src/access/job-scope.ts'
import type { Tx } from '../../src/access/scopes.ts'
import { checkConsistency } from '../../src/consistency/check-consistency.ts'
import { hold } from '../../src/inventory/claim.ts'
import { openSecondServer } from '../kit/database/second-server.ts'
import { race } from '../kit/race.ts'
import { SEED, pickBy, randomOf } from '../kit/seed.ts'
import { type Client, openClient } from '../kit/venue/client.ts'
import { type WinterBall, openWinterBall } from '../kit/venue/winter-ball.ts'

/** The full run takes many more. */
const ATTEMPTS = Number(process.env['FOYER_EDITING_ATTEMPTS'] ?? 2_000)

let closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers) await close()
  closers = []
})

/** Guests and editors at servers of their own: within one process much of it would line up by itself. */
const openOffice = async (ball: WinterBall): Promise<Client> => {
  const { origin, close } = await openSecondServer(ball.app)
  closers.push(close)
  return openClient(origin, { token: ball.report.api_tokens['office write'] })
}

const KINDS = [
  ...Array<'add'>(8).fill('add'),
  ...Array<'cancel'>(5).fill('cancel'),
  ...Array<'edit'>(10).fill('edit'),
  'hold',
  'move',
] as const

// oxlint-disable-next-line typescript/no-explicit-any
type Shown = any

const SEATS = ['A-1', 'A-2', 'A-4', 'A-5', 'A-6']

test(
  'whatever is edited while guests come and go, nobody loses a place and no counter is wrong',
  async () => {
    const ball = await openWinterBall((event) => {
      event['tickets'][0].stock = 20
      event['standing_areas'][0].capacity = 12
    })
    const { tickets, areas, places, path, eventId } = ball
    const editor = await openOffice(ball)
    const rows = openRowsForJob(ball.app, ball.accountId) as Tx
    const random = randomOf('editing')
    const seat = () => places[pickBy(random, SEATS)]!
    const front = `${path}/standing_areas/${areas['front']}`

    const wishes = [
      () => ({ ticket_id: tickets['ga'], party_size: 1 + Math.floor(random() * 3) }),
      () => ({ ticket_id: tickets['floor'], party_size: 2, event_capacity_pool_id: areas['front'] }),
      () => ({ ticket_id: tickets['seat'], event_place_ids: [seat()] }),
      () => ({ ticket_id: tickets['seat'], event_place_ids: [places['W-1'], places['W-1C']] }),
    ]
    const edits: (() => Promise<{ status: number; text: string }>)[] = [
      () => editor.patch(`${path}/tickets/${tickets['ga']}`, { ticket: { stock: Math.floor(random() * 25) } }),
      () =>
        editor.patch(`${path}/tickets/${tickets['ga']}`, {
          ticket: { inventory_kind: pickBy(random, ['ga', 'standing']) },
        }),
      () => editor.patch(front, { standing_area: { capacity: Math.floor(random() * 20), blocked: 0 } }),
      () => editor.patch(front, { standing_area: { blocked: Math.floor(random() * 10) } }),
      () => editor.patch(front, { standing_area: { ticket_ids: random() < 0.5 ? [] : [tickets['floor']] } }),
      () => editor.patch(`${path}/places`, { place_ids: [seat(), seat()], place: { blocked: random() < 0.5 } }),
      () =>
        editor.patch(`${path}/places`, {
          place_ids: [places['W-1C']],
          place: { pair: 'W-1', accessibility: 'companion' },
        }),
      () => editor.patch(`${path}/places`, { place_ids: [places['W-1C']], place: { pair: null, accessibility: null } }),
      () => editor.patch(`${path}/tickets/${tickets['ga']}/position`, { position: 1 + Math.floor(random() * 5) }),
      async () => {
        const label = `Extra ${Math.floor(random() * 5)}`
        const made = await editor.post(`${path}/places`, { places: [{ label, ticket_id: tickets['seat'] }] })
        if (made.status === 201) extra.push(made.body.places[0].id)
        return made
      },
      () => editor.delete(`${path}/places`, { body: { place_ids: [extra.shift() ?? seat()] } }),
    ]
    const extra: number[] = []
    const parties: { public_id: string; admissions: Shown[] }[] = []
    const tally = new Map<string, number>()
    const faults: string[] = []
    const count = (what: string, reply: { status: number; text: string }) => {
      tally.set(`${what} ${reply.status}`, (tally.get(`${what} ${reply.status}`) ?? 0) + 1)
      if (reply.status >= 500) faults.push(`${what}: ${reply.text}`)
    }

    await race(ATTEMPTS, async (n) => {
      const kind = pickBy(random, KINDS)
      if (kind === 'edit') return count('edit', await pickBy(random, edits)())
      if (kind === 'hold') {
        const until = new Date(Date.now() + Math.round((random() - 0.5) * 100))
        return hold(rows, { eventId, ticketId: tickets['seat']!, quantity: 1, placeIds: [seat()], until })
      }
      const leaving = kind === 'cancel' ? parties.splice(Math.floor(random() * parties.length), 1)[0] : undefined
      if (leaving) return count('cancel', await ball.office.post(ball.partyPath(leaving, '/cancellation')))
      const seated = kind === 'move' ? parties.find(({ admissions }) => admissions[0].place_label) : undefined
      if (seated) {
        const address = `/admin/order_items/${seated.admissions[0].public_id}/seat_exchange`
        return count('move', await ball.office.post(address, { seat_exchange: { event_place_id: seat() } }))
      }
      const wanted = pickBy(random, [
        ...wishes,
        () => ({ ticket_id: tickets['seat'], event_place_ids: [extra[0] ?? seat()] }),
      ])
      const reply = await ball.post({ customer_name: `Guest ${n}`, ...wanted() })
      count('add', reply)
      if (reply.status === 201) parties.push(reply.body)
    })

    expect(faults, `FOYER_SEED=${SEED}`).toEqual([])
    const kinds = ['add 201', 'add 422', 'cancel 200', 'edit 200', 'edit 201', 'edit 204', 'edit 422']
    expect([...tally.keys()].filter((each) => !each.startsWith('move')).toSorted(), `FOYER_SEED=${SEED}`).toEqual(kinds)
    expect(await findBroken(ball), `FOYER_SEED=${SEED}`).toEqual([])
    expect(await checkConsistency(ball.app), `FOYER_SEED=${SEED}`).toEqual([])
  },
  60_000 + ATTEMPTS * 100,
)

/** What the guards are there to prevent, in rows. */
const findBroken = async ({ app, accountId }: WinterBall) => {
  const { rows } = await app.database.pool.query(
    `select 'oversold' as what, id from tickets where account_id = $1 and claimed_count > stock
    union all
    select 'overfilled', id from standing_areas where account_id = $1 and claimed_count + blocked_count > capacity
    union all
    select 'blocked and claimed', id from places
    where account_id = $1 and blocked_at is not null and claimed_until is not null
    union all
    select 'unseated', a.id from admissions a
    where a.account_id = $1 and a.status = 'active' and a.place_snapshot ->> 'key' is not null and a.place_id is null
    union all
    select 'elsewhere', a.id from admissions a join places p on p.account_id = a.account_id and p.id = a.place_id
    where a.account_id = $1 and a.status = 'active' and (p.label <> a.place_label or p.ticket_id <> a.ticket_id)
    union all
    select 'half a pair', p.id from places p left join places o on o.account_id = p.account_id and o.id = p.pair_place_id
    where p.account_id = $1 and (p.pair_place_id is not null and o.pair_place_id is distinct from p.id
      or p.accessibility = 'companion' and p.pair_place_id is null)`,
    [accountId],
  )
  return rows
}

/*
 * The same meeting, first with the guards of Foyer and then without them. The guards are not put back: this file has
 * a database of its own, and the one without comes last.
 */

/** Somebody blocks a place while somebody else is being given it, at two servers. */
const blockWhatIsTaken = async () => {
  const ball = await openWinterBall()
  const editor = await openOffice(ball)
  const place_ids = [ball.places['A-1']]
  const [added, blocked] = await Promise.all([
    ball.post({ customer_name: 'Ada', ticket_id: ball.tickets['seat'], event_place_ids: place_ids }),
    editor.patch(`${ball.path}/places`, { place_ids, place: { blocked: true } }),
  ])
  return { ball, statuses: [added.status, blocked.status] }
}

test('a place is given away or blocked, and never both', async () => {
  for (let round = 0; round < 20; round++) {
    const { ball, statuses } = await blockWhatIsTaken()
    expect([
      [201, 422],
      [422, 200],
    ]).toContainEqual(statuses)
    expect(await findBroken(ball)).toEqual([])
  }
}, 60_000)

const CLAIM = 'claim_inventory(bigint, bigint, bigint, integer, bigint, bigint[], timestamptz, boolean, integer)'

/** Looks at the places without a lock, takes a moment, and writes what it believes follows. */
const takeGuardsAway = async ({ app }: WinterBall) => {
  const { pool } = app.database
  const { rows } = await pool.query<{ text: string }>('select pg_get_functiondef($1::regprocedure) as text', [CLAIM])
  const { text } = rows[0]!
  const changed = text.replace(
    'begin\n',
    () => `begin
  if exists (select from places p where p.account_id = the_account and p.id = any (the_places) and p.blocked_at is not null) then
    return 'places';
  end if;
  perform pg_sleep(1);
`,
  )
  await pool.query(changed.replace('and f.blocked_at is null', ''))
}

test('control: without the lock and the guard a place is blocked that somebody has', async () => {
  await takeGuardsAway(await openWinterBall())
  const { ball, statuses } = await blockWhatIsTaken()
  expect(statuses).toEqual([201, 200])
  expect(await findBroken(ball)).toMatchObject([{ what: 'blocked and claimed' }])
})
