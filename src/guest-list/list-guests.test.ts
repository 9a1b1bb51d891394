import { expect, test } from 'vitest'
import { openWinterBall } from '../../test/kit/venue/winter-ball.ts'

const names = (list: { guest_parties: { customer_name: string }[] }) =>
  list.guest_parties.map((each) => each.customer_name)

test('an empty list has every key and counts nothing', async () => {
  const ball = await openWinterBall()
  const list = await ball.guestList()
  expect(Object.keys(list)).toEqual([
    'query',
    'filter',
    'expected_count',
    'arrived_count',
    'admission_count',
    'ticket_options',
    'guest_parties',
  ])
  expect(list).toMatchObject({
    query: '',
    filter: 'all',
    expected_count: 0,
    arrived_count: 0,
    admission_count: 0,
    guest_parties: [],
  })
})

test('parties stand by lead name, whatever its case and accents, then as they were added', async () => {
  const ball = await openWinterBall()
  for (const customer_name of ['zoe', 'Émile', 'ada', 'Eve', 'Ada']) await ball.party({ customer_name })
  expect(names(await ball.guestList())).toEqual(['ada', 'Ada', 'Émile', 'Eve', 'zoe'])
})

test('a search finds lead names, companion names and addresses, and nothing else', async () => {
  const ball = await openWinterBall()
  await ball.party({
    customer_name: 'Łukasz Müller',
    staff_note: 'friend of zebra',
    customer_company: 'Zebra',
    customer_phone: '777',
  })
  await ball.party({ customer_name: 'Ada', party_size: 2, attendee_names: { 1: 'Bob Müller' } })
  await ball.party({ customer_name: 'Carol', delivery_email: 'c.mueller@guest.example' })
  await ball.party({ customer_name: '100% Dora_' })
  const search = async (query: string) => names(await ball.guestList(`?query=${encodeURIComponent(query)}`))

  expect(await search('lukasz')).toEqual(['Łukasz Müller'])
  expect(await search(' MULLER ')).toEqual(['Ada', 'Łukasz Müller'])
  expect(await search('MÜLLER')).toEqual(['Ada', 'Łukasz Müller'])
  expect(await search('Mueller@Guest')).toEqual(['Carol'])
  expect(await search('zebra')).toEqual([])
  expect(await search('777')).toEqual([])
  expect(await search('%')).toEqual(['100% Dora_'])
  expect(await search('_')).toEqual(['100% Dora_'])
  expect(await search('\\')).toEqual([])
  expect(await search('Guest of')).toEqual([])
  expect(await search('   ')).toHaveLength(4)
  expect((await ball.guestList('?query=%20bob%20')).query).toBe('bob')
  expect((await ball.guestList('?query=bob')).guest_parties[0].admissions).toHaveLength(2)
})

test('the expected are those of whom somebody is missing, and filter and search combine', async () => {
  const ball = await openWinterBall()
  const [inside, partly] = [
    await ball.party({ customer_name: 'Inside', party_size: 2 }),
    await ball.party({ customer_name: 'Partly', party_size: 2 }),
  ]
  await ball.party({ customer_name: 'Outside' })
  for (const admission of [...inside.admissions, partly.admissions[0]]) await ball.letIn(admission)

  expect(names(await ball.guestList('?filter=expected'))).toEqual(['Outside', 'Partly'])
  expect(names(await ball.guestList('?filter=arrived'))).toEqual(['Inside'])
  expect(names(await ball.guestList('?filter=arrived&query=out'))).toEqual([])
  expect(names(await ball.guestList('?filter=expected&query=out'))).toEqual(['Outside'])
  const unknown = await ball.guestList('?filter=everyone')
  expect([unknown.filter, unknown.guest_parties.length]).toEqual(['all', 3])

  for (const query of ['', '?filter=arrived', '?query=out', '?query=nobody&filter=expected']) {
    expect(await ball.guestList(query)).toMatchObject({ expected_count: 2, arrived_count: 3, admission_count: 5 })
  }
})

test('cancelled parties and admissions are neither listed nor counted, and shop orders never are', async () => {
  const ball = await openWinterBall((event) => {
    event['orders'] = [{ key: 'paid', customer_name: 'Paula Paid', items: [{ ticket: 'ga' }] }]
  })
  const cancelled = await ball.party({ customer_name: 'Gone', party_size: 2 })
  const partly = await ball.party({ customer_name: 'Partly', party_size: 2 })
  await ball.office.post(ball.partyPath(cancelled, '/cancellation'))
  await ball.office.post(ball.partyPath(partly, `/admissions/${partly.admissions[1].public_id}/cancellation`))

  const list = await ball.guestList()
  expect(names(list)).toEqual(['Partly'])
  expect(list.guest_parties[0].admissions).toHaveLength(2)
  expect(list).toMatchObject({ expected_count: 1, arrived_count: 0, admission_count: 1 })
})

test('ticket options show what is left after stock, capacity, claims, holds and blocks', async () => {
  const ball = await openWinterBall((event) => {
    event['capacity'] = 150
    event['tickets'].push({ key: 'free', title: 'Free' }, { key: 'out', title: 'Out', stock: 0 })
    event['holds'] = [
      { ticket: 'ga', quantity: 2, expires_at: '+PT15M' },
      { ticket: 'ga', quantity: 3, expires_at: '-PT1M' },
      { ticket: 'floor', quantity: 4, standing_area: 'back', expires_at: '+PT15M' },
      { ticket: 'seat', places: ['A-2'], expires_at: '+PT15M' },
      { ticket: 'seat', places: ['A-4'], expires_at: '-PT1M' },
    ]
    event['orders'] = [{ key: 'paid', customer_name: 'Paula Paid', items: [{ ticket: 'seat', place: 'A-1' }] }]
  })
  const { ticket_options: options } = await ball.guestList()
  const byId = new Map<number, Record<string, unknown>>(options.map((each: { id: number }) => [each.id, each]))
  const option = (key: string) => byId.get(ball.tickets[key]!)!

  expect(options.map((each: { title: string }) => each.title)).toEqual([
    'General admission',
    'Standing',
    'Balcony seat',
    'Crew',
    'Free',
    'Out',
  ])
  expect(option('ga')).toMatchObject({
    inventory_kind: 'ga',
    available_stock: 142,
    unlimited_stock: false,
    standing_areas: [],
    available_places: [],
  })
  expect(option('free')).toMatchObject({ available_stock: 142, unlimited_stock: false })
  expect(option('crew')).toMatchObject({ available_stock: 20 })
  expect(option('out')).toMatchObject({ available_stock: 0, unlimited_stock: false })
  expect(option('floor')).toMatchObject({
    inventory_kind: 'standing',
    available_stock: 136,
    standing_areas: [
      { name: 'Front', available_stock: 50 },
      { name: 'Back', available_stock: 86 },
    ],
  })
  expect(option('seat')).toMatchObject({ inventory_kind: 'places', available_stock: 5 })
  expect((option('seat')['available_places'] as { key: string }[]).map((each) => each.key)).toEqual([
    'A-4',
    'A-5',
    'A-6',
    'W-1',
    'W-1C',
  ])
})

test('only what nothing bounds is unlimited', async () => {
  const ball = await openWinterBall()
  const reply = await ball.office.get('/admin/events/spring-night/guest_list')
  expect(reply.body.ticket_options).toMatchObject([{ available_stock: null, unlimited_stock: true }])
})

test('an event that is not there or not assigned has no list', async () => {
  const ball = await openWinterBall()
  expect((await ball.office.get('/admin/events/nothing/guest_list')).status).toBe(404)
  expect((await ball.partner.get('/admin/events/spring-night/guest_list')).status).toBe(404)
})
