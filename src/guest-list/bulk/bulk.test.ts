import { expect, test } from 'vitest'
import { mailsTo } from '../../../test/kit/venue/outbox.ts'
import { openVenue } from '../../../test/kit/venue/venue.ts'
import { compareCounters } from '../../inventory/consistency/records.ts'

const PARTIES = '/admin/events/winter-ball/guest_parties'

const openList = async () => {
  const venue = await openVenue()
  const { tickets, standing_areas: areas, places } = venue.report.events['winter-ball']!
  const add = async (name: string, more: object = {}) => {
    const made = await venue.office.post(PARTIES, {
      guest_party: { customer_name: name, ticket_id: tickets['ga'], party_size: 2, ...more },
    })
    expect(made.status).toBe(201)
    return made.body
  }
  const party = async (id: string) => (await venue.office.get(`${PARTIES}/${id}`)).body
  const redeem = (admission: string) => venue.door.post(`/scanner/tickets/${admission}/redemption`)
  const expectSound = async () =>
    expect(await compareCounters(venue.app.database.kysely, venue.report.account.id)).toEqual([])
  return { ...venue, tickets, areas, places, add, party, redeem, expectSound }
}

test('several parties are cancelled at once, but for those that cannot be', async () => {
  const venue = await openList()
  const [ada, bo, cem] = [await venue.add('Ada'), await venue.add('Bo'), await venue.add('Cem')]
  await venue.redeem(bo.admissions[0].public_id)
  const { status, body } = await venue.office.post(`${PARTIES}/cancellations`, {
    public_ids: [ada.public_id, bo.public_id, 'nobody', cem.public_id, ada.public_id],
  })
  expect(status).toBe(200)
  expect(body).toEqual({
    done_count: 2,
    results: [
      { public_id: ada.public_id, done: true, errors: {} },
      { public_id: bo.public_id, done: false, errors: { base: ['This party can no longer be cancelled'] } },
      { public_id: 'nobody', done: false, errors: { base: ['Not found'] } },
      { public_id: cem.public_id, done: true, errors: {} },
    ],
  })
  expect((await venue.party(ada.public_id)).status).toBe('booking_cancelled')
  expect((await venue.party(bo.public_id)).status).toBe('paid')
  await venue.expectSound()
})

test('tickets of several parties are mailed again to those who have an address', async () => {
  const venue = await openList()
  const ada = await venue.add('Ada', { delivery_email: 'ada.bulk@guest.example' })
  const bo = await venue.add('Bo')
  const { body } = await venue.office.post(`${PARTIES}/deliveries`, { public_ids: [ada.public_id, bo.public_id] })
  expect(body.results.map(({ done }: { done: boolean }) => done)).toEqual([true, false])
  expect(body.results[1].errors).toEqual({ base: ['No delivery address'] })
  await venue.workOffJobs()
  expect(await mailsTo(venue, 'ada.bulk@guest.example')).toHaveLength(2)
})

test('parties move to another ticket with the codes they have, as far as its stock goes', async () => {
  const venue = await openList()
  const seated = await venue.add('Ada', {
    ticket_id: venue.tickets['seat'],
    event_place_ids: [venue.places['A-1'], venue.places['A-2']],
  })
  const others = await Promise.all(Array.from({ length: 10 }, (_, n) => venue.add(`Guest ${n}`)))
  const ids = [seated, ...others].map(({ public_id }) => public_id)
  const crew = await venue.office.post(`${PARTIES}/ticket_changes`, {
    public_ids: ids,
    ticket_id: venue.tickets['crew'],
  })
  expect(crew.body.done_count).toBe(10)
  expect(crew.body.results.filter(({ done }: { done: boolean }) => !done)).toMatchObject([
    { errors: { base: ['Not enough places available'] } },
  ])
  await venue.expectSound()

  const moved = await venue.party(crew.body.results.find(({ done }: { done: boolean }) => done).public_id)
  expect(moved).toMatchObject({ ticket_title: 'Crew' })
  const front = await venue.office.post(`${PARTIES}/ticket_changes`, {
    public_ids: [seated.public_id, seated.public_id],
    ticket_id: venue.tickets['floor'],
    event_capacity_pool_id: venue.areas['front'],
  })
  expect(front.body.done_count).toBe(1)
  const after = await venue.party(seated.public_id)
  expect(after).toMatchObject({ ticket_title: 'Standing' })
  expect(
    after.admissions.map(({ place_label, check_in_code }: Record<string, string>) => [place_label, check_in_code]),
  ).toEqual(seated.admissions.map(({ check_in_code }: Record<string, string>) => ['Front', check_in_code]))
  const { ticket_options: options } = (await venue.office.get('/admin/events/winter-ball/ticket_options')).body
  const free = options.find(({ title }: { title: string }) => title === 'Balcony seat').available_places
  expect(free.map(({ key }: { key: string }) => key)).toContain('A-1')
  await venue.expectSound()

  const again = await venue.office.post(`${PARTIES}/ticket_changes`, {
    public_ids: [seated.public_id],
    ticket_id: venue.tickets['floor'],
    event_capacity_pool_id: venue.areas['front'],
  })
  expect(again.body.results[0].errors).toEqual({ base: ['This party has this ticket already'] })
})

test('parties move to numbered places, one for each person and in their order', async () => {
  const venue = await openList()
  const [ada, bo] = [await venue.add('Ada', { delivery_email: 'ada.seated@guest.example' }), await venue.add('Bo')]
  const move = await venue.office.post(`${PARTIES}/ticket_changes`, {
    public_ids: [ada.public_id, bo.public_id],
    ticket_id: venue.tickets['seat'],
    event_place_ids_by_party: {
      [ada.public_id]: [venue.places['A-2'], venue.places['A-1']],
      [bo.public_id]: [venue.places['W-1'], venue.places['W-1C']],
      nobody: [venue.places['A-5']],
    },
    deliver: true,
  })
  expect(move.body.done_count).toBe(2)
  const moved = await venue.party(ada.public_id)
  expect(moved).toMatchObject({ ticket_id: venue.tickets['seat'], ticket_title: 'Balcony seat' })
  const labelAndCode = ({ place_label, check_in_code }: Record<string, string>) => [place_label, check_in_code]
  expect(moved.admissions.map(labelAndCode)).toEqual([
    ['Row A Seat 2', ada.admissions[0].check_in_code],
    ['Row A Seat 1', ada.admissions[1].check_in_code],
  ])
  expect((await venue.door.get(`/scanner/tickets/${ada.admissions[0].check_in_code}`)).body).toMatchObject({
    place_label: 'Row A Seat 2',
  })
  const { ticket_options: options } = (await venue.office.get('/admin/events/winter-ball/ticket_options')).body
  const free = options.find(({ title }: { title: string }) => title === 'Balcony seat').available_places
  expect(free.map(({ key }: { key: string }) => key)).toEqual(['A-4', 'A-5', 'A-6'])
  await venue.workOffJobs()
  expect(await mailsTo(venue, 'ada.seated@guest.example')).toHaveLength(2)
  await venue.expectSound()
})

test('a party whose lead was cancelled is of the ticket that the others have', async () => {
  const venue = await openList()
  const party = await venue.add('Ada')
  const lead = `${PARTIES}/${party.public_id}/admissions/${party.admissions[0].public_id}/cancellation`
  expect((await venue.office.post(lead)).status).toBe(200)
  const move = { public_ids: [party.public_id], ticket_id: venue.tickets['crew'] }
  expect((await venue.office.post(`${PARTIES}/ticket_changes`, move)).body.done_count).toBe(1)

  const crew = { ticket_id: venue.tickets['crew'], ticket_title: 'Crew' }
  expect(await venue.party(party.public_id)).toMatchObject(crew)
  const { body } = await venue.office.get('/admin/events/winter-ball/guest_party_summaries')
  expect(body.guest_parties).toMatchObject([crew])
  await venue.expectSound()
})

test('of parties that want the same places those that were named first have them', async () => {
  const venue = await openList()
  const first = await venue.add('Ada')
  const second = await venue.add('Bo')
  const seats = ['A-1', 'A-2'].map((key) => venue.places[key])
  const { body } = await venue.office.post(`${PARTIES}/ticket_changes`, {
    public_ids: [second.public_id, first.public_id],
    ticket_id: venue.tickets['seat'],
    event_place_ids_by_party: { [first.public_id]: seats, [second.public_id]: seats },
  })
  expect(body.results.map(({ errors }: { errors: object }) => errors)).toEqual([
    {},
    { event_place_ids: ['Seats are no longer available'] },
  ])
  await venue.expectSound()
})

test('who cannot have the places they asked for stays where they are, and says why', async () => {
  const venue = await openList()
  const names = ['Ada', 'Bo', 'Cem', 'Dua', 'Eva', 'Fay', 'Gus', 'Hal']
  const parties = await Promise.all(names.map((name) => venue.add(name)))
  const [ada, bo, cem, dua, eva, fay, gus, hal] = parties.map(({ public_id }) => public_id as string)
  const seats = (...keys: string[]) => keys.map((key) => venue.places[key])
  await venue.add('Sue', { ticket_id: venue.tickets['seat'], event_place_ids: seats('A-6') })
  const before = await Promise.all(parties.map(({ public_id }) => venue.party(public_id)))
  const { body } = await venue.office.post(`${PARTIES}/ticket_changes`, {
    public_ids: [ada, bo, cem, dua, eva, fay, gus, hal],
    ticket_id: venue.tickets['seat'],
    event_place_ids_by_party: {
      [ada!]: seats('A-1', 'A-2'),
      [bo!]: seats('A-2', 'A-4'),
      [cem!]: seats('A-5', 'A-6'),
      [dua!]: seats('A-4'),
      [eva!]: seats('A-4', 'A-3'),
      [fay!]: seats('A-4', 'A-4'),
      [gus!]: seats('A-4', 'W-1'),
    },
  })
  const why = Object.fromEntries(
    body.results.map(({ public_id, errors }: { public_id: string; errors: object }) => [public_id, errors]),
  )
  const gone = { event_place_ids: ['Seats are no longer available'] }
  expect(why).toEqual({
    [ada!]: {},
    [bo!]: gone,
    [cem!]: gone,
    [dua!]: { event_place_ids: ['must be one for each person'] },
    [eva!]: gone,
    [fay!]: { event_place_ids: ['is invalid'] },
    [gus!]: { event_place_ids: ['A wheelchair place and its companion place are only available together'] },
    [hal!]: { event_place_ids: ["can't be blank"] },
  })
  for (const [n, party] of before.entries()) if (n > 0) expect(await venue.party(party.public_id)).toEqual(party)
  const again = await venue.office.post(`${PARTIES}/ticket_changes`, {
    public_ids: [ada],
    ticket_id: venue.tickets['seat'],
    event_place_ids_by_party: { [ada!]: seats('A-4', 'A-5') },
  })
  expect(again.body.results[0].errors).toEqual({ base: ['This party has this ticket already'] })
  await venue.expectSound()
})

test('in a full house parties still change their tickets, for they leave what they had', async () => {
  const venue = await openVenue((file) => {
    file['events'][0].capacity = 4
  })
  const { tickets, places, standing_areas: areas } = venue.report.events['winter-ball']!
  const add = async (party: object) =>
    (
      await venue.office.post(PARTIES, {
        guest_party: { customer_name: 'Ada', ticket_id: tickets['ga'], party_size: 2, ...party },
      })
    ).body
  const [ada, bo] = [await add({}), await add({ customer_name: 'Bo' })]
  const move = (change: object) =>
    venue.office.post(`${PARTIES}/ticket_changes`, { public_ids: [ada.public_id, bo.public_id], ...change })
  const seated = await move({
    ticket_id: tickets['seat'],
    event_place_ids_by_party: {
      [ada.public_id]: [places['A-1'], places['A-2']],
      [bo.public_id]: [places['A-2'], places['A-4']],
    },
  })
  expect(seated.body.results.map(({ errors }: { errors: object }) => errors)).toEqual([
    {},
    { event_place_ids: ['Seats are no longer available'] },
  ])
  const standing = await move({ ticket_id: tickets['floor'], event_capacity_pool_id: areas['front'] })
  expect(standing.body.done_count).toBe(2)
  expect(await compareCounters(venue.app.database.kysely, venue.report.account.id)).toEqual([])
})

test('what is asked for in bulk is judged like anything else', async () => {
  const venue = await openList()
  const ada = await venue.add('Ada')
  const refused = async (path: string, body: object, errors: Record<string, string[]>) =>
    expect(await venue.office.post(`${PARTIES}/${path}`, body)).toRefuse(422, errors)
  await refused('cancellations', {}, { public_ids: ["can't be blank"] })
  await refused('cancellations', { public_ids: [] }, { public_ids: ["can't be blank"] })
  await refused('cancellations', { public_ids: 'x' }, { public_ids: ['is invalid'] })
  await refused('deliveries', { public_ids: [7] }, { public_ids: ['is invalid'] })
  await refused(
    'deliveries',
    { public_ids: Array.from({ length: 501 }, (_, n) => `p${n}`) },
    { public_ids: ['is too long (maximum is 500 parties)'] },
  )
  const ids = { public_ids: [ada.public_id] }
  await refused('ticket_changes', ids, { ticket_id: ["can't be blank"] })
  const elsewhere = venue.report.events['spring-night']!.tickets['ga']
  await refused('ticket_changes', { ...ids, ticket_id: elsewhere }, { ticket_id: ['is not included in the list'] })
  const toSeats = (event_place_ids_by_party: unknown) => ({
    ...ids,
    ticket_id: venue.tickets['seat'],
    event_place_ids_by_party,
  })
  for (const none of [undefined, null, {}, ''])
    await refused('ticket_changes', toSeats(none), { event_place_ids_by_party: ["can't be blank"] })
  for (const wrong of [7, [venue.places['A-1']], { x: 'A-1' }, { x: ['A-1'] }, { x: null }, { x: [-1] }])
    await refused('ticket_changes', toSeats(wrong), { event_place_ids_by_party: ['is invalid'] })
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`p${n}`, []]))
  await refused('ticket_changes', toSeats(many), {
    event_place_ids_by_party: ['is too long (maximum is 500 parties)'],
  })
  await refused(
    'ticket_changes',
    { ...ids, ticket_id: venue.tickets['crew'], event_place_ids_by_party: { x: [venue.places['A-1']] } },
    { event_place_ids_by_party: ['is invalid'] },
  )
  await refused(
    'ticket_changes',
    { ...ids, ticket_id: venue.tickets['floor'] },
    { event_capacity_pool_id: ["can't be blank"] },
  )
  expect(await venue.door.post(`${PARTIES}/cancellations`, ids)).toRefuse(401)
  const foreign = await (await openVenue()).office.post(`${PARTIES}/cancellations`, ids)
  expect(foreign.body.results).toEqual([{ public_id: ada.public_id, done: false, errors: { base: ['Not found'] } }])
})

test('the history of a party tells who did what, and who came in', async () => {
  const venue = await openList()
  const made = await venue.add('Ada', { delivery_email: 'ada.history@guest.example' })
  const mara = venue.client(venue.report.api_tokens['mara write'])
  await mara.patch(`${PARTIES}/${made.public_id}`, { guest_party: { staff_note: 'VIP' } })
  await venue.office.post(`${PARTIES}/deliveries`, { public_ids: [made.public_id] })
  await venue.office.post(`${PARTIES}/ticket_changes`, {
    public_ids: [made.public_id],
    ticket_id: venue.tickets['crew'],
  })
  const path = `${PARTIES}/${made.public_id}`
  await venue.office.post(`${path}/admissions/${made.admissions[1].public_id}/cancellation`)
  await venue.redeem(made.admissions[0].public_id)
  const { entries } = (await venue.office.get(`${path}/history`)).body
  expect(entries.map(({ kind, by }: { kind: string; by: string }) => `${kind} by ${by}`)).toEqual([
    'came_in by Door 1',
    'admission_cancelled by Olga Owner',
    'moved by Olga Owner',
    'delivered by Olga Owner',
    'changed by Mara Manager',
    'created by Olga Owner',
  ])
  expect(entries[0].attendee_name).toBe('Ada')
  expect(await venue.office.get(`${PARTIES}/nobody/history`)).toRefuse(404)
  expect(await venue.partner.get(`/admin/events/spring-night/guest_parties/${made.public_id}/history`)).toRefuse(404)
})

test('of two who change the same text the second is told, and nothing is written over unseen', async () => {
  const venue = await openList()
  const made = await venue.add('Ada', { staff_note: 'Side entrance' })
  const path = `${PARTIES}/${made.public_id}`
  const before = { staff_note: 'Side entrance', customer_phone: null, nothing: 7 }
  expect((await venue.office.patch(path, { guest_party: { staff_note: 'VIP' }, before })).status).toBe(200)
  expect(await venue.office.patch(path, { guest_party: { staff_note: 'Backstage' }, before })).toRefuse(409, {
    base: ['staff_note was changed by someone else'],
  })
  expect((await venue.party(made.public_id)).staff_note).toBe('VIP')
  const other = { guest_party: { customer_phone: '040 1234' }, before: { customer_phone: null } }
  expect((await venue.office.patch(path, other)).body).toMatchObject({ staff_note: 'VIP', customer_phone: '040 1234' })
})
