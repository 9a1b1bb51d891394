import { expect, onTestFinished, test } from 'vitest'
import { openEventStream } from '../../test/kit/network/event-stream.ts'
import { type Signups, newGuest, openSignups } from '../../test/kit/venue/signups.ts'

const SUMMARIES = '/admin/event_summaries'

// A test names the fields it is about.
// oxlint-disable-next-line typescript/no-explicit-any
type Shown = any

const summaryOf = async (ball: Signups, slug = 'winter-ball', client = ball.office): Promise<Shown> => {
  const { status, body, text } = await client.get(SUMMARIES)
  expect(status, text).toBe(200)
  return body.event_summaries.find(({ event_slug }: Shown) => event_slug === slug)
}

const watch = async (ball: Signups, token: string) => {
  const authorization = `Bearer ${ball.report.api_tokens[token]}`
  const stream = await openEventStream(`${ball.origin}${SUMMARIES}/stream`, { authorization })
  onTestFinished(() => stream.close())
  return stream
}

/** Waits until the stream tells of it; what was told before may come first. */
const heard = async (stream: Awaited<ReturnType<typeof watch>>, wanted: object) => {
  for (;;) {
    const { event, data } = await stream.next()
    expect(event).toBe('summaries')
    const told = data.event_summaries.find(({ event_slug }: Shown) => event_slug === 'winter-ball')
    if (Object.entries(wanted).every(([key, value]) => told[key] === value)) return
  }
}

test('every coming event has its figures, and they agree with the door, the requests and the tickets', async () => {
  const ball = await openSignups()
  expect(await summaryOf(ball)).toEqual({
    event_id: ball.eventId,
    event_slug: 'winter-ball',
    expected: 0,
    arrived: 0,
    requests_waiting: 0,
    // 200 and 20 tickets, 50 and 90 to stand, seven seats.
    stock_left: 367,
  })
  const link = await ball.link({ max_companions: 2 })
  const emails = [newGuest(), newGuest(), newGuest()]
  for (const email of emails) await ball.submit(link.public_url, { email, companions: 1 })
  const party = await ball.party({ party_size: 3 })
  await ball.letIn(party.admissions[0])
  await ball.party({ ticket_id: ball.tickets['floor'], event_capacity_pool_id: ball.areas['front'], party_size: 4 })
  await ball.party({ ticket_id: ball.tickets['seat'], event_place_ids: [ball.places['A-1']], party_size: 1 })
  await ball.approve(await ball.requestOf(emails[0]!))
  await ball.sendJson(`${await ball.ownPage(emails[0]!)}/companions`, { guest_addition: { companions: 1 } })

  const summary = await summaryOf(ball)
  expect(summary).toMatchObject({ expected: 10, arrived: 1, requests_waiting: 3, stock_left: 357 })
  const stats = (await ball.door.get('/scanner/events/winter-ball/stats')).body
  expect([summary.expected, summary.arrived]).toEqual([stats.expected, stats.arrived])
  expect(summary.requests_waiting).toBe((await ball.waiting()).pending_count)
})

test('what bounds several tickets together counts once, and where nothing bounds them there is no limit', async () => {
  const ball = await openSignups((event, file) => {
    event['capacity'] = 60
    const tickets = [{ key: 'ga', title: 'General admission', price: '15.00' }]
    const standing = (key: string, stock?: number) => ({ key, title: key, inventory_kind: 'standing', stock })
    file['events'].push(
      { slug: 'room', title: 'Room', starts_at: '+P2D', capacity: 40, tickets },
      { slug: 'bare', title: 'Bare', starts_at: '+P2D', tickets: [] },
      {
        slug: 'yard',
        title: 'Yard',
        starts_at: '+P2D',
        tickets: [standing('early', 30), standing('late', 30)],
        standing_areas: [
          { key: 'yard', name: 'Yard', capacity: 45, tickets: ['early', 'late'] },
          { key: 'roof', name: 'Roof', capacity: 5, tickets: [] },
        ],
      },
    )
  })
  expect((await summaryOf(ball)).stock_left).toBe(60)
  expect((await summaryOf(ball, 'spring-night')).stock_left).toBeNull()
  expect((await summaryOf(ball, 'room')).stock_left).toBe(40)
  expect((await summaryOf(ball, 'bare')).stock_left).toBe(0)
  expect((await summaryOf(ball, 'yard')).stock_left).toBe(45)
})

test('what is over or archived is left out; a co-organizer sees what they are assigned to, others nothing', async () => {
  const ball = await openSignups((_event, file) => {
    file['events'].push({ slug: 'kept', title: 'Kept', starts_at: '+P3D', archived: true, tickets: [] })
  })
  const slugs = async (token: string) => {
    const { body } = await ball.client(ball.report.api_tokens[token]).get(SUMMARIES)
    return body.event_summaries.map(({ event_slug }: Shown) => event_slug)
  }
  expect(await slugs('office read')).toEqual(['winter-ball', 'draft-show', 'spring-night'])
  expect(await slugs('cem read')).toEqual(['winter-ball'])
  expect(await ball.client(ball.report.api_tokens['sami write']).get(SUMMARIES)).toRefuse(401)
  expect(await ball.stranger.get(SUMMARIES)).toRefuse(401)
})

test('whoever listens is told after changes, each within their reach, until the credential is revoked', async () => {
  const ball = await openSignups()
  const [office, cem] = [await watch(ball, 'office read'), await watch(ball, 'cem read')]
  expect((await cem.next()).data.event_summaries).toHaveLength(1)
  expect((await office.next()).data.event_summaries).toHaveLength(3)
  const link = await ball.link()
  await ball.submit(link.public_url, { email: newGuest() })
  await heard(office, { requests_waiting: 1 })
  await heard(cem, { requests_waiting: 1 })
  const party = await ball.party({ party_size: 2 })
  await ball.letIn(party.admissions[0])
  await heard(cem, { expected: 2, arrived: 1 })

  await ball.app.database.pool.query(
    `update credentials set revoked_at = foyer_now() where account_id = $1 and description = 'cem read'`,
    [ball.accountId],
  )
  await ball.party({ party_size: 2 })
  await heard(office, { expected: 4 })
  await cem.ended()
})

test('asked for without events, and for its head alone, the stream answers at once', async () => {
  const ball = await openSignups()
  expect((await ball.office.get(`${SUMMARIES}/stream`)).body).toEqual((await ball.office.get(SUMMARIES)).body)
})
