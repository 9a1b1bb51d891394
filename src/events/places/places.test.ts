import { expect, test } from 'vitest'
import { openVenue } from '../../../test/kit/venue/venue.ts'
import { type WinterBall, openWinterBall } from '../../../test/kit/venue/winter-ball.ts'

const PATH = '/admin/events/winter-ball/places'

// oxlint-disable-next-line typescript/no-explicit-any
type Shown = any

const shownBy = async ({ office }: Pick<WinterBall, 'office'>): Promise<Record<string, Shown>> =>
  Object.fromEntries((await office.get(PATH)).body.places.map((place: Shown) => [place.key, place]))

const pairOf = (ticket_id: unknown, key: string) => [
  { key, label: `${key} wheelchair`, ticket_id, accessibility: 'wheelchair', pair: `${key}C` },
  { key: `${key}C`, label: `${key} companion`, ticket_id, accessibility: 'companion', pair: key },
]

test('places are added, shown, changed together and deleted', async () => {
  const ball = await openWinterBall()
  const { office, reader, tickets } = ball
  const ticket_id = tickets['seat']
  const made = await office.post(PATH, {
    places: [{ label: 'Box 1', section: 'Box', row: 'B', seat: '1', ticket_id }, ...pairOf(ticket_id, 'X')],
  })
  expect(made.status, made.text).toBe(201)
  const [box, wheelchair, companion] = made.body.places
  expect(box).toEqual({
    id: expect.any(Number),
    key: 'box-1',
    label: 'Box 1',
    section: 'Box',
    row: 'B',
    seat: '1',
    ticket_id,
    accessibility: null,
    pair: null,
    blocked: false,
    claimed: false,
  })
  expect([wheelchair.pair, companion.pair]).toEqual(['XC', 'X'])
  expect((await reader.get(PATH)).body.places.slice(8)).toEqual(made.body.places)

  const ids = [box.id, wheelchair.id, companion.id]
  const blocked = await office.patch(PATH, { place_ids: ids, place: { blocked: true } })
  expect(blocked.body.places.map((place: Shown) => place.blocked)).toEqual([true, true, true])
  await office.patch(PATH, { place_ids: [box.id], place: { blocked: false, label: 'Box one' } })
  expect((await shownBy(ball))['box-1']).toMatchObject({ blocked: false, label: 'Box one' })

  expect((await office.delete(PATH, { body: { place_ids: ids } })).status).toBe(204)
  expect(Object.keys(await shownBy(ball))).toHaveLength(8)
})

test('whoever gets a pair is the pair of that place too, and only a wheelchair place may be alone', async () => {
  const ball = await openWinterBall()
  const { office, places, tickets } = ball
  const change = (keys: string[], place: object) =>
    office.patch(PATH, { place_ids: keys.map((key) => places[key]), place })
  const half = "can't be blank: a companion place is one of a pair"

  expect(await change(['W-1'], { pair: null })).toRefuse(422, { pair: [`${half}: W-1C`] })
  expect((await change(['W-1C'], { pair: null, accessibility: null })).body.places).toMatchObject([
    { key: 'W-1', pair: null, accessibility: 'wheelchair' },
    { key: 'W-1C', pair: null, accessibility: null },
  ])
  expect(await change(['A-1'], { accessibility: 'companion' })).toRefuse(422, { pair: [`${half}: A-1`] })
  expect((await change(['A-1'], { accessibility: 'companion', pair: 'W-1' })).body.places).toMatchObject([
    { key: 'A-1', pair: 'W-1' },
    { key: 'W-1', pair: 'A-1' },
  ])
  expect(await change(['A-2'], { accessibility: 'companion', pair: 'W-1' })).toRefuse(422, {
    pair: ['has already been taken'],
  })
  expect(await change(['A-2'], { pair: 'A-2' })).toRefuse(422, { pair: ['is invalid'] })
  expect(await change(['A-2'], { pair: 'Z-9' })).toRefuse(422, { pair: ['must exist'] })
  expect(await change(['A-2', 'A-4'], { pair: 'A-5' })).toRefuse(422, { pair: ['is invalid'] })
  expect(await change(['A-2'], { pair: 'A-4' })).toRefuse(422, {
    pair: ['is invalid: a pair is one wheelchair place and one companion place: A-2, A-4'],
  })

  const other = await office.post(`${ball.path}/tickets`, { ticket: { title: 'Box', inventory_kind: 'places' } })
  expect(await change(['W-1'], { ticket_id: other.body.id })).toRefuse(422, {
    pair: ['is invalid: a pair is of one ticket: W-1, A-1'],
  })
  expect((await change(['W-1', 'A-1'], { ticket_id: other.body.id })).status).toBe(200)

  expect(await office.delete(PATH, { body: { place_ids: [places['W-1']] } })).toRefuse(422, {
    place_ids: ['would leave companion places without their wheelchair places: A-1'],
  })
  expect((await office.delete(PATH, { body: { place_ids: [places['A-1']] } })).status).toBe(204)
  expect((await shownBy(ball))['W-1']).toMatchObject({ pair: null })

  const joined = await office.post(PATH, {
    places: [{ label: 'Beside', ticket_id: other.body.id, accessibility: 'companion', pair: 'W-1' }],
  })
  expect(joined.status, joined.text).toBe(201)
  expect((await shownBy(ball))['W-1']).toMatchObject({ pair: 'beside' })
  expect(tickets['seat']).not.toBe(other.body.id)
})

test('claimed places stay as their tickets say, and nothing is done by halves', async () => {
  const ball = await openWinterBall((event) => {
    event['holds'] = [
      { ticket: 'seat', places: ['A-2'], expires_at: '+PT15M' },
      { ticket: 'seat', places: ['A-4'], expires_at: '-PT1M' },
    ]
  })
  const { office, places, tickets } = ball
  const pair = [places['W-1'], places['W-1C']]
  await ball.party({ ticket_id: tickets['seat'], event_place_ids: [places['A-1'], ...pair] })
  const other = await office.post(`${ball.path}/tickets`, { ticket: { title: 'Box', inventory_kind: 'places' } })
  const before = await shownBy(ball)
  expect(['A-1', 'A-2', 'A-4', 'W-1'].map((key) => before[key].claimed)).toEqual([true, true, false, true])

  const change = (keys: string[], place: object) =>
    office.patch(PATH, { place_ids: keys.map((key) => places[key]), place })
  expect(await change(['A-6', 'A-1', 'A-2'], { blocked: true })).toRefuse(422, {
    place_ids: ['is claimed: A-1, A-2'],
  })
  expect(await change(['A-1'], { label: 'Elsewhere' })).toRefuse(422, { place_ids: ['is claimed: A-1'] })
  expect(await change(['A-1'], { ticket_id: other.body.id })).toRefuse(422, { place_ids: ['is claimed: A-1'] })
  expect(await change(['W-1C'], { pair: null, accessibility: null })).toRefuse(422, {
    place_ids: ['is claimed: W-1, W-1C'],
  })
  expect(await office.delete(PATH, { body: { place_ids: [places['A-5'], places['A-1']] } })).toRefuse(422, {
    place_ids: ['is claimed: A-1'],
  })
  expect(await shownBy(ball)).toEqual(before)
  expect((await change(['A-1'], { accessibility: 'wheelchair', label: before['A-1'].label })).status).toBe(200)
  expect((await change(['A-4'], { blocked: true })).status).toBe(200)
})

test('a place whose guest has cancelled may go, and the admission keeps its label', async () => {
  const ball = await openWinterBall()
  const { office, places, tickets } = ball
  const party = await ball.party({ ticket_id: tickets['seat'], event_place_ids: [places['A-1'], places['A-2']] })
  const [admission] = party.admissions
  await office.post(ball.partyPath(party, `/admissions/${admission.public_id}/cancellation`))
  expect((await office.delete(PATH, { body: { place_ids: [places['A-1']] } })).status).toBe(204)
  const { rows } = await ball.app.database.pool.query(
    'select place_id, place_label from admissions where account_id = $1 and public_id = $2',
    [ball.accountId, admission.public_id],
  )
  expect(rows).toEqual([{ place_id: null, place_label: 'Row A Seat 1' }])
})

test('bad input of places is refused by field, and nothing is there', async () => {
  const ball = await openWinterBall()
  const { office, places, tickets, report } = ball
  const foreign = await openVenue()
  const theirs = foreign.report.events['winter-ball']!
  const ticket_id = tickets['seat']
  const [wheelchair, companion] = pairOf(ticket_id, 'X')
  const before = (await office.get(PATH)).text
  const created: [unknown[], Record<string, string[]>][] = [
    [[], { places: ["can't be blank"] }],
    [[{ ticket_id }], { 'places[0].label': ["can't be blank"] }],
    [[{ label: 'x' }], { 'places[0].ticket_id': ["can't be blank"] }],
    [[{ label: 'x', ticket_id: tickets['ga'] }], { 'places[0].ticket_id': ['must be of inventory_kind places'] }],
    [[{ label: 'x', ticket_id: theirs.tickets['seat'] }], { 'places[0].ticket_id': ['must exist'] }],
    [
      [{ label: 'x', ticket_id: report.events['spring-night']!.tickets['ga'] }],
      { 'places[0].ticket_id': ['must exist'] },
    ],
    [[{ label: 'Row A Seat 1', ticket_id }], { 'places[0].label': ['has already been taken'] }],
    [[{ label: 'x', key: 'A-1', ticket_id }], { 'places[0].key': ['has already been taken'] }],
    [
      [
        { label: 'x', ticket_id },
        { label: 'x', ticket_id },
      ],
      { 'places[1].label': ['has already been taken'] },
    ],
    [
      [
        { label: 'x', key: 'k', ticket_id },
        { label: 'y', key: 'k', ticket_id },
      ],
      { 'places[1].key': ['has already been taken'] },
    ],
    [[wheelchair, { ...companion, pair: null }], { 'places[0].pair': ['must be the pair of X too'] }],
    [[wheelchair], { 'places[0].pair': ['must exist'] }],
    [[{ ...companion, pair: null }], { 'places[0].pair': ["can't be blank: a companion place is one of a pair"] }],
    [[{ ...wheelchair, pair: 'W-1C' }], { 'places[0].pair': ['has already been taken'] }],
    [['x'], { 'places[0]': ['is invalid'] }],
    [
      Array.from({ length: 5_001 }, (_, n) => ({ label: `${n}`, ticket_id })),
      { places: ['is too long (maximum is 5000 entries)'] },
    ],
  ]
  for (const [list, errors] of created) expect(await office.post(PATH, { places: list })).toRefuse(422, errors)

  const place = { blocked: true }
  const changed: [object, Record<string, string[]>][] = [
    [{ place }, { place_ids: ["can't be blank"] }],
    [{ place_ids: [], place }, { place_ids: ["can't be blank"] }],
    [{ place_ids: ['x'], place }, { place_ids: ['is invalid'] }],
    [{ place_ids: [theirs.places['A-1']], place }, { place_ids: ['must exist'] }],
    [{ place_ids: [places['A-1'], 999_999_999], place }, { place_ids: ['must exist'] }],
    [
      { place_ids: Array.from({ length: 5_001 }, (_, n) => n + 1), place },
      { place_ids: ['is too long (maximum is 5000 entries)'] },
    ],
    [{ place_ids: [places['A-1']], place: { label: 'Row A Seat 2' } }, { label: ['has already been taken'] }],
    [{ place_ids: [places['A-1'], places['A-2']], place: { label: 'One' } }, { label: ['has already been taken'] }],
    [{ place_ids: [places['A-1']], place: { ticket_id: theirs.tickets['seat'] } }, { ticket_id: ['must exist'] }],
    [
      { place_ids: [places['A-1']], place: { ticket_id: tickets['ga'] } },
      { ticket_id: ['must be of inventory_kind places'] },
    ],
    [{ place_ids: [places['A-1']], place: { blocked: 'perhaps' } }, { blocked: ['is not included in the list'] }],
    [
      { place_ids: [places['A-1']], place: { accessibility: 'ramp' } },
      { accessibility: ['is not included in the list'] },
    ],
  ]
  for (const [body, errors] of changed) expect(await office.patch(PATH, body)).toRefuse(422, errors)
  expect((await office.patch(PATH, { place_ids: [places['A-1']] })).status).toBe(400)
  expect(await office.delete(PATH, { body: { place_ids: [theirs.places['A-1']] } })).toRefuse(422, {
    place_ids: ['must exist'],
  })
  expect((await office.get(PATH)).text).toBe(before)
})

test('five thousand places are made, shown, blocked and deleted at once', async () => {
  const ball = await openWinterBall()
  const { office, tickets } = ball
  const rows = Array.from({ length: 5_000 }, (_, n) => ({
    label: `Row ${Math.floor(n / 50)}, seat ${n % 50}`,
    section: 'Stalls',
    row: String(Math.floor(n / 50)),
    seat: String(n % 50),
    ticket_id: tickets['seat'],
  }))
  const made = await office.post(PATH, { places: rows })
  expect(made.status).toBe(201)
  const ids = made.body.places.map(({ id }: Shown) => id)
  expect((await office.get(PATH)).body.places).toHaveLength(5_008)
  expect((await office.patch(PATH, { place_ids: ids, place: { blocked: true } })).body.places).toHaveLength(5_000)
  expect((await office.delete(PATH, { body: { place_ids: ids } })).status).toBe(204)
  expect((await office.get(PATH)).body.places).toHaveLength(8)
}, 30_000)
