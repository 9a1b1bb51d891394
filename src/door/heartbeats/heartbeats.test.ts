import { expect, test } from 'vitest'
import { openVenue, type Venue } from '../../../test/kit/venue/venue.ts'

const heartbeatsOf = async ({ app, report }: Venue) => {
  const { rows } = await app.database.pool.query(
    `select c.description as name, h.queue, h.snapshot_at, h.app_version, h.seen_at
     from device_heartbeats h join credentials c on c.account_id = h.account_id and c.id = h.credential_id
     where h.account_id = $1`,
    [report.account.id],
  )
  return rows
}

test('a device says how it is, and only its last word is kept', async () => {
  const venue = await openVenue()
  expect(await venue.door.post('/scanner/heartbeat', {})).toMatchObject({ status: 200 })
  const said = { queue: 3, snapshot_at: '2026-12-15T17:30:00.000Z', app_version: '1.2.0' }
  expect(await venue.door.post('/scanner/heartbeat', said)).toMatchObject({ status: 200 })
  expect(await heartbeatsOf(venue)).toMatchObject([
    { name: 'Door 1', queue: 3, snapshot_at: new Date(said.snapshot_at), app_version: '1.2.0' },
  ])
})

test('a heartbeat tells when the list of events last changed, and nothing else changes that', async () => {
  const venue = await openVenue()
  const beat = async () => {
    const { body } = await venue.door.post('/scanner/heartbeat', { queue: 0 })
    expect(Object.keys(body)).toEqual(['events_changed_at'])
    return body.events_changed_at
  }
  const before = await beat()
  expect(await beat()).toBe(before)

  await venue.app.database.pool.query(`update events set title = 'Winter Ball, moved' where slug = 'winter-ball'`)
  const renamed = await beat()
  expect(renamed > before).toBe(true)

  await venue.app.database.pool.query(`update venues set city = 'Bremen'`)
  const moved = await beat()
  expect(moved > renamed).toBe(true)
  expect(await beat()).toBe(moved)
})

test('nonsense in a heartbeat is refused, and nothing of it is kept', async () => {
  const venue = await openVenue()
  const beat = (body: object) => venue.door.post('/scanner/heartbeat', body)
  expect(await beat({ queue: -1 })).toRefuse(422, 'queue must be greater than or equal to 0')
  expect(await beat({ queue: 'many' })).toRefuse(422, 'queue is not a number')
  expect(await beat({ snapshot_at: 'yesterday' })).toRefuse(422, 'snapshot_at is invalid')
  expect(await beat({ app_version: 'x'.repeat(256) })).toRefuse(422)
  expect(await venue.reader.post('/scanner/heartbeat', {})).toRefuse(401)
  expect(await heartbeatsOf(venue)).toEqual([])
})

test('a revoked device is told so at every address of the door, and nobody else is', async () => {
  const venue = await openVenue()
  const refused = { status: 401, body: { error: 'Authentication required', revoked: true } }
  const lost = venue.client(venue.report.devices['Lost phone'])
  expect(await lost.post('/scanner/heartbeat', {})).toMatchObject(refused)
  expect(await lost.get('/scanner/me')).toMatchObject(refused)
  expect(await lost.get('/scanner/events/winter-ball/snapshot')).toMatchObject(refused)
  expect(await lost.post('/scanner/redemption_attempts', { attempts: [] })).toMatchObject(refused)
  expect((await lost.get('/admin/events')).body).toEqual({ errors: { base: ['Authentication required'] } })

  const others = [venue.stranger, venue.client('nobody knows it'), venue.client(venue.report.api_tokens['old'])]
  for (const other of others) {
    const { status, body } = await other.post('/scanner/heartbeat', {})
    expect({ status, body }).toEqual({ status: 401, body: { error: 'Authentication required' } })
  }
})
