import { expect, onTestFinished, test } from 'vitest'
import { openEventStream } from '../../../test/kit/network/event-stream.ts'
import { addTicket } from '../../../test/kit/venue/orders.ts'
import { openVenue } from '../../../test/kit/venue/venue.ts'

const NIGHT = '/admin/events/winter-ball/night'

const openNight = async () => {
  const venue = await openVenue((file) => {
    file['events'].find((each: { slug: string }) => each.slug === 'winter-ball').reentry = true
  })
  const night = async () => (await venue.office.get(NIGHT)).body
  const redeem = (publicId: string) => venue.door.post(`/scanner/tickets/${publicId}/redemption`)
  const scanLate = (publicId: string) =>
    venue.door.post('/scanner/redemption_attempts', {
      attempts: [
        {
          client_id: `late-${publicId}`,
          event_slug: 'winter-ball',
          public_id: publicId,
          scanned_at: '2026-12-15T18:03:40Z',
        },
      ],
    })
  const watch = async (token = venue.report.api_tokens['office read']) => {
    const stream = await openEventStream(`${venue.origin}${NIGHT}/stream`, { authorization: `Bearer ${token}` })
    onTestFinished(() => stream.close())
    return stream
  }
  return { ...venue, night, redeem, scanLate, watch }
}

test('a supervisor sees who is expected, who came and is inside, and how the devices are', async () => {
  const venue = await openNight()
  const tickets = [1, 2, 3, 4].map(() => addTicket(venue, 'winter-ball'))
  const [one, two, three] = (await Promise.all(tickets)).map(({ publicId }) => publicId)
  for (const each of [one!, two!, three!]) await venue.redeem(each)
  await venue.door.post(`/scanner/tickets/${one}/annulment`, { reason: 'Wrong guest' })
  await venue.door.post(`/scanner/tickets/${two}/exit`)
  await venue.door.post('/scanner/heartbeat', { queue: 2, snapshot_at: '2026-12-15T17:30:00.000Z' })

  const night = await venue.night()
  expect(night).toMatchObject({
    expected: 4,
    arrived: 2,
    inside: 1,
    tickets: [{ title: 'General admission', expected: 4, arrived: 2 }],
    conflicts: [],
  })
  const stats = (await venue.door.get('/scanner/events/winter-ball/stats')).body
  expect([night.expected, night.arrived]).toEqual([stats.expected, stats.arrived])
  const door = night.devices.find(({ name }: { name: string }) => name === 'Door 1')
  expect(door).toMatchObject({
    count: 2,
    queue: 2,
    snapshot_at: '2026-12-15T17:30:00.000Z',
    last_seen_at: expect.any(String),
  })
  expect(night.devices.map(({ name }: { name: string }) => name)).not.toContain('Lost phone')
  expect(night.arrivals.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(2)
  expect(await venue.partner.get(NIGHT)).toMatchObject({ status: 200 })
  expect(await venue.partner.get('/admin/events/spring-night/night')).toRefuse(404)
  expect(await venue.door.get(NIGHT)).toRefuse(401)
})

test('an entry that the office takes back counts no more at the door that made it, and nowhere below nothing', async () => {
  const venue = await openNight()
  const [one, two] = await Promise.all([addTicket(venue, 'winter-ball'), addTicket(venue, 'winter-ball')])
  for (const { publicId } of [one, two]) await venue.redeem(publicId)
  const annulled = await venue.office.post(`/scanner/tickets/${one.publicId}/annulment`, { reason: 'Wrong guest' })
  expect(annulled).toMatchObject({ status: 200 })
  const counts = async () =>
    (await venue.night()).devices.flatMap(({ name, count }: { name: string; count: number }) =>
      count === 0 ? [] : [`${name} ${count}`],
    )
  expect(await counts()).toEqual(['Door 1 1'])
  await venue.office.post(`/scanner/tickets/${one.publicId}/redemption`)
  expect(await counts()).toEqual(['Door 1 1', 'office write 1'])
})

test('a synced conflict is shown until somebody acknowledges it; one at the door, online, is not', async () => {
  const venue = await openNight()
  const { publicId } = await addTicket(venue, 'winter-ball')
  await venue.redeem(publicId)
  expect(await venue.redeem(publicId)).toRefuse(422)
  expect((await venue.night()).conflicts).toEqual([])

  await venue.scanLate(publicId)
  await venue.scanLate(publicId)
  const { conflicts } = await venue.night()
  expect(conflicts).toMatchObject([
    {
      ticket_public_id: publicId,
      name: 'Zoë Lindqvist',
      device: 'Door 1',
      scanned_at: '2026-12-15T18:03:40.000Z',
      redeemed_by: 'Door 1',
    },
  ])
  const path = `/admin/redemption_attempts/${conflicts[0].id}/acknowledgement`
  expect(await venue.door.post(path)).toRefuse(401)
  expect(await (await openVenue()).office.post(path)).toRefuse(404)
  expect(await venue.client(venue.report.api_tokens['cem write']).post(path)).toMatchObject({ status: 204 })
  expect(await venue.office.post(path)).toMatchObject({ status: 204 })
  await venue.scanLate(publicId)
  expect((await venue.night()).conflicts).toEqual([])
  expect(await venue.door.delete(path)).toRefuse(401)
  expect(await (await openVenue()).office.delete(path)).toRefuse(404)
  for (let n = 0; n < 2; n++) expect(await venue.office.delete(path)).toMatchObject({ status: 204 })
  expect((await venue.night()).conflicts).toEqual(conflicts)
  expect(await venue.office.delete('/admin/redemption_attempts/999999/acknowledgement')).toRefuse(404)
  expect(await venue.office.post('/admin/redemption_attempts/999999/acknowledgement')).toRefuse(404)
  expect(await venue.office.post('/admin/redemption_attempts/nothing/acknowledgement')).toRefuse(404)
})

test('who was refused online and, unheard, at the door too is no conflict; who was let in there is one', async () => {
  const venue = await openNight()
  const { publicId } = await addTicket(venue, 'winter-ball')
  await venue.redeem(publicId)
  const scanUnheard = (clientId: string) =>
    venue.door.post(`/scanner/tickets/${publicId}/redemption`, undefined, { headers: { 'idempotency-key': clientId } })
  const sync = (clientId: string, refused?: string) =>
    venue.door.post('/scanner/redemption_attempts', {
      attempts: [{ client_id: clientId, event_slug: 'winter-ball', public_id: publicId, ...(refused && { refused }) }],
    })
  for (const clientId of ['refused', 'let in']) expect(await scanUnheard(clientId)).toRefuse(422)

  expect((await sync('refused', 'Already redeemed')).body.redemption_attempts).toMatchObject([{ result: 'conflict' }])
  expect((await venue.night()).conflicts).toEqual([])
  expect((await sync('let in')).body.redemption_attempts).toMatchObject([{ result: 'conflict' }])
  expect((await venue.night()).conflicts).toMatchObject([{ ticket_public_id: publicId }])
})

test('a stream tells the whole night at once and after changes, at most once a second', async () => {
  const venue = await openNight()
  const ids: string[] = []
  for (let n = 0; n < 8; n++) ids.push((await addTicket(venue, 'winter-ball')).publicId)
  const stream = await venue.watch()
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  const first = await stream.next()
  expect(first).toMatchObject({ event: 'night', data: { expected: 8, arrived: 0 } })

  const began = performance.now()
  for (const id of ids) await venue.redeem(id)
  let told = 0
  for (let arrived = 0; arrived < 8; told++) arrived = (await stream.next()).data.arrived
  expect(told - 1).toBeLessThanOrEqual((performance.now() - began) / 1_000 + 1)
})

test('a change is read once for everybody who watches', async () => {
  const venue = await openNight()
  const { publicId } = await addTicket(venue, 'winter-ball')
  const screens = await Promise.all(Array.from({ length: 12 }, () => venue.watch()))
  for (const screen of screens) expect((await screen.next()).data.arrived).toBe(0)
  await venue.redeem(publicId)
  const told = await Promise.all(screens.map(async (screen) => (await screen.next()).data))
  expect(told.map(({ arrived }) => arrived)).toEqual(told.map(() => 1))
  expect(new Set(told.map(({ generated_at }) => generated_at)).size).toBe(1)
})

test('a stream ends with the credential', async () => {
  const venue = await openNight()
  const made = await venue.office.post('/admin/api_tokens', {
    api_token: { description: 'Screen', permission: 'read', kind: 'account' },
  })
  const { publicId } = await addTicket(venue, 'winter-ball')
  const stream = await venue.watch(made.body.token)
  await stream.next()
  await venue.office.delete(`/admin/api_tokens/${made.body.id}`)
  await venue.redeem(publicId)
  await stream.ended()
  expect(stream.waiting).toEqual([])
})
