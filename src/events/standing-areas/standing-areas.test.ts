import { expect, test } from 'vitest'
import { openVenue } from '../../../test/kit/venue/venue.ts'
import { openWinterBall } from '../../../test/kit/venue/winter-ball.ts'

const PATH = '/admin/events/winter-ball/standing_areas'

test('a standing area is added, shown, changed by what is sent, moved and deleted', async () => {
  const { office, reader, report } = await openVenue()
  const { tickets } = report.events['winter-ball']!
  const made = await office.post(PATH, {
    standing_area: { name: 'Gallery', capacity: 80, blocked: 5, ticket_ids: [tickets['floor']] },
  })
  expect(made.status, made.text).toBe(201)
  expect(made.body).toMatchObject({
    key: 'gallery',
    name: 'Gallery',
    capacity: 80,
    blocked: 5,
    open: true,
    ticket_ids: [tickets['floor']],
    position: 3,
    claimed_count: 0,
    lock_version: 0,
  })
  expect((await reader.get(PATH)).body.standing_areas.at(-1)).toEqual(made.body)
  const changed = await office.patch(`${PATH}/${made.body.id}`, { standing_area: { open: false, ticket_ids: [] } })
  expect(changed.body).toMatchObject({ name: 'Gallery', open: false, ticket_ids: [], lock_version: 1 })
  expect((await office.patch(`${PATH}/${made.body.id}/position`, { position: 1 })).body.position).toBe(1)
  expect((await office.delete(`${PATH}/${made.body.id}`)).status).toBe(204)
  const left = (await reader.get(PATH)).body.standing_areas
  expect(left.map(({ key, position }: { key: string; position: number }) => [key, position])).toEqual([
    ['front', 1],
    ['back', 2],
  ])
})

test('who stands there fits in, whatever is made smaller or blocked', async () => {
  const ball = await openWinterBall((event) => {
    event['holds'] = [{ ticket: 'floor', standing_area: 'back', quantity: 5, expires_at: '-PT1M' }]
  })
  const { office, areas, tickets } = ball
  await ball.party({ ticket_id: tickets['floor'], event_capacity_pool_id: areas['back'], party_size: 20 })
  const back = `${PATH}/${areas['back']}`
  expect((await office.get(PATH)).body.standing_areas[1].claimed_count).toBe(20)
  const change = (standing_area: object) => office.patch(back, { standing_area })
  expect(await change({ capacity: 19 })).toRefuse(422, { capacity: ['must be greater than or equal to 20'] })
  expect(await change({ capacity: 29 })).toRefuse(422, { blocked: ['must be less than or equal to 9'] })
  expect(await change({ blocked: 81 })).toRefuse(422, { blocked: ['must be less than or equal to 80'] })
  expect((await change({ capacity: 20, blocked: 0 })).status).toBe(200)
  expect(
    (await ball.post({ customer_name: 'x', ticket_id: tickets['floor'], event_capacity_pool_id: areas['back'] }))
      .status,
  ).toBe(422)
  expect(await office.delete(back)).toRefuse(422, { base: ['Tickets were issued for this standing area'] })

  await office.post(`${ball.path}/guest_list_forms`, {
    guest_list_form: { ticket_id: tickets['floor'], event_capacity_pool_id: areas['front'] },
  })
  const front = `${PATH}/${areas['front']}`
  expect(await office.delete(front)).toRefuse(422, { base: ['Signup links fill this standing area'] })
  expect(await office.patch(front, { standing_area: { ticket_ids: [] } })).toRefuse(422, {
    ticket_ids: [`must include ${tickets['floor']}: signup links issue it here`],
  })
})

test('a stale version of a standing area is 409', async () => {
  const { office, report } = await openVenue()
  const front = `${PATH}/${report.events['winter-ball']!.standing_areas['front']}`
  await office.patch(front, { standing_area: { name: 'Stage', lock_version: 0 } })
  expect(await office.patch(front, { standing_area: { name: 'Floor', lock_version: 0 } })).toRefuse(409, {
    base: ['This standing area was changed by someone else; reload and try again'],
  })
})

test('bad input of standing areas is refused by field', async () => {
  const { office, report } = await openVenue()
  const other = await openVenue()
  const { tickets } = report.events['winter-ball']!
  const area = { name: 'x', capacity: 10 }
  const foreign = other.report.events['winter-ball']!.tickets['floor']
  const before = (await office.get(PATH)).text
  const cases: [object, Record<string, string[]>][] = [
    [{ name: 'x' }, { capacity: ['is not a number'] }],
    [{ ...area, capacity: -1 }, { capacity: ['must be greater than or equal to 0'] }],
    [{ ...area, blocked: 11 }, { blocked: ['must be less than or equal to 10'] }],
    [{ ...area, key: 'front' }, { key: ['has already been taken'] }],
    [{ ...area, ticket_ids: [tickets['ga']] }, { ticket_ids: ['must be of inventory_kind standing'] }],
    [{ ...area, ticket_ids: [foreign] }, { ticket_ids: ['must exist'] }],
    [{ ...area, ticket_ids: [report.events['spring-night']!.tickets['ga']] }, { ticket_ids: ['must exist'] }],
    [{ ...area, ticket_ids: 'floor' }, { ticket_ids: ['is invalid'] }],
  ]
  for (const [standing_area, errors] of cases) expect(await office.post(PATH, { standing_area })).toRefuse(422, errors)
  expect((await office.get(PATH)).text).toBe(before)
})
