import { expect, test } from 'vitest'
import { signedIn } from '../../../test/kit/venue/sessions.ts'
import { openVenue } from '../../../test/kit/venue/venue.ts'

const OLGA = 'olga@neue-halle.example'
const MARA = 'mara@neue-halle.example'
const CEM = 'cem@partner.example'

const FORBIDDEN = { base: ['You are not allowed to make this change'] }

test('an owner makes an account token, which is shown once, works and is revoked', async () => {
  const venue = await openVenue()
  const olga = await signedIn(venue, OLGA)
  const made = await olga.post('/admin/api_tokens', { api_token: { description: 'Website', permission: 'read' } })
  expect(made).toMatchObject({
    status: 201,
    body: {
      description: 'Website',
      permission: 'read',
      kind: 'account',
      person: null,
      last_used_at: null,
      revoked_at: null,
    },
  })
  const { token, id } = made.body
  expect(token).toMatch(/^foyer_api_/)
  expect(made.headers.get('location')).toBe(`http://localhost:3000/admin/api_tokens/${id}`)

  const website = venue.client(token)
  expect(await website.get('/admin/events')).toMatchObject({ status: 200 })
  expect(await website.post('/admin/api_tokens', {})).toRefuse(401)
  await venue.app.directory.recordUses()
  const listed = await olga.get('/admin/api_tokens')
  expect(listed.text).not.toContain(token)
  expect(listed.body.api_tokens[0]).toMatchObject({ id, last_used_at: expect.stringMatching(/Z$/) })

  expect(await olga.delete(`/admin/api_tokens/${id}`)).toMatchObject({ status: 204 })
  expect(await olga.delete(`/admin/api_tokens/${id}`)).toMatchObject({ status: 204 })
  expect(await website.get('/admin/events')).toRefuse(401)
  expect((await olga.get(`/admin/api_tokens/${id}`)).body.revoked_at).toMatch(/Z$/)
})

test('a co-organizer makes personal tokens that reach their events only, and sees no others', async () => {
  const venue = await openVenue()
  const cem = await signedIn(venue, CEM)
  const made = await cem.post('/admin/api_tokens', { api_token: { description: 'Mine', permission: 'write' } })
  expect(made.body).toMatchObject({ kind: 'personal', person: { name: 'Cem Partner' } })
  const client = venue.client(made.body.token)
  expect(await client.get('/admin/events/winter-ball')).toMatchObject({ status: 200 })
  expect(await client.get('/admin/events/spring-night')).toRefuse(404)

  const { body } = await cem.get('/admin/api_tokens')
  expect(body.api_tokens.map((each: { description: string }) => each.description)).toEqual([
    'Mine',
    'cem read',
    'cem write',
  ])
  const account = { api_token: { description: 'All', permission: 'write', kind: 'account' } }
  expect(await cem.post('/admin/api_tokens', account)).toRefuse(403, FORBIDDEN)

  const all = (await venue.office.get('/admin/api_tokens')).body.api_tokens
  const office = all.find((each: { description: string }) => each.description === 'office write')
  expect(await cem.delete(`/admin/api_tokens/${office.id}`)).toRefuse(404)
  expect(await cem.get(`/admin/api_tokens/${office.id}`)).toRefuse(404)
  expect(await venue.office.get('/admin/events')).toMatchObject({ status: 200 })

  await venue.office.delete(`/admin/memberships/${venue.report.people[CEM]!.membership_id}`)
  expect(await client.get('/admin/events')).toRefuse(401)
})

test('managers make personal tokens and no account tokens, which would make owners of them', async () => {
  const venue = await openVenue()
  const mara = await signedIn(venue, MARA)
  const wanted = (kind?: string) => ({ api_token: { description: 'Mara', permission: 'write', ...(kind && { kind }) } })
  expect(await mara.post('/admin/api_tokens', wanted('account'))).toRefuse(403, FORBIDDEN)
  expect((await mara.post('/admin/api_tokens', wanted())).body).toMatchObject({ kind: 'personal' })
})

test('the account’s own token makes account tokens; it is nobody, so no personal ones', async () => {
  const venue = await openVenue()
  const wanted = (fields: object) =>
    venue.office.post('/admin/api_tokens', { api_token: { description: 'T', ...fields } })
  expect(await wanted({ permission: 'write' })).toMatchObject({
    status: 201,
    body: { kind: 'account', permission: 'write' },
  })
  expect(await wanted({})).toMatchObject({ status: 201, body: { permission: 'read' } })
  expect(await wanted({ kind: 'personal' })).toRefuse(422, { kind: ['is invalid'] })
  expect(await wanted({ kind: 'divine' })).toRefuse(422, { kind: ['is not included in the list'] })
  expect(await wanted({ permission: 'admin' })).toRefuse(422, { permission: ['is not included in the list'] })
  expect(await wanted({ description: ' ' })).toRefuse(422, { description: ["can't be blank"] })
  expect(await venue.door.get('/admin/api_tokens')).toRefuse(401)
})

test('tokens, devices and pairings of another account are not found', async () => {
  const venue = await openVenue()
  const foreign = await openVenue()
  const token = (await foreign.office.get('/admin/api_tokens')).body.api_tokens[0]
  const device = (await foreign.office.get('/admin/scanner_devices')).body.scanner_devices[0]
  expect(await venue.office.delete(`/admin/api_tokens/${token.id}`)).toRefuse(404)
  expect(await venue.office.delete(`/admin/scanner_devices/${device.id}`)).toRefuse(404)
  expect(await venue.office.delete(`/admin/scanner_devices/${token.id}`)).toRefuse(404)
  expect(await venue.office.get('/admin/device_pairings/1')).toRefuse(404)
})

test('a device is made with its token shown once, and revoked at once', async () => {
  const venue = await openVenue()
  const made = await venue.office.post('/admin/scanner_devices', { scanner_device: { name: 'Door 3' } })
  expect(made).toMatchObject({ status: 201, body: { name: 'Door 3', token: expect.stringMatching(/^foyer_door_/) } })
  const device = venue.client(made.body.token)
  expect((await device.get('/scanner/me')).body.authentication).toEqual({ type: 'scanner_device', name: 'Door 3' })
  expect(await device.get('/admin/events')).toRefuse(401)

  const again = await venue.office.post('/admin/scanner_devices', { scanner_device: { name: 'Door 3' } })
  expect(again).toRefuse(422, { name: ['has already been taken'] })
  expect(await venue.partner.get('/admin/scanner_devices')).toRefuse(401)
  expect((await venue.reader.get('/admin/scanner_devices')).text).not.toContain(made.body.token)

  await venue.office.delete(`/admin/scanner_devices/${made.body.id}`)
  expect(await device.get('/scanner/me')).toRefuse(401)
  expect(await venue.office.post('/admin/scanner_devices', { scanner_device: { name: 'Door 3' } })).toMatchObject({
    status: 201,
  })
})

test('devices are listed with what they last said of themselves, for whoever asks for it', async () => {
  const venue = await openVenue()
  const plain = async () => (await venue.office.get('/admin/scanner_devices')).body.scanner_devices
  const full = async () => (await venue.office.get('/admin/scanner_devices?with=heartbeats')).body.scanner_devices
  const named = (devices: { name: string }[], name: string) => devices.find((each) => each.name === name)
  const keys = ['id', 'name', 'last_used_at', 'revoked_at', 'created_at']
  expect(named(await full(), 'Door 1')).toMatchObject({ heartbeat: null })

  const said = { queue: 3, snapshot_at: '2026-12-15T17:30:00.000Z', app_version: '1.2.0' }
  await venue.door.post('/scanner/heartbeat', said)
  expect(Object.keys(named(await plain(), 'Door 1')!)).toEqual(keys)
  expect(named(await full(), 'Door 1')).toEqual({
    ...named(await plain(), 'Door 1'),
    heartbeat: { seen_at: expect.stringMatching(/Z$/), ...said },
  })
  expect(await venue.office.get('/admin/scanner_devices?with=secrets')).toRefuse(422)
  expect(await venue.partner.get('/admin/scanner_devices?with=heartbeats')).toRefuse(401)
})

test('a device is paired by the secret of a QR code, by the first who shows it', async () => {
  const venue = await openVenue()
  const made = await venue.office.post('/admin/device_pairings', { device_pairing: { name: 'Phone' } })
  expect(made).toMatchObject({ status: 201, body: { name: 'Phone', used_at: null } })
  const { pairing_secret: secret, pairing_url: url, qr_svg: svg } = made.body
  expect(url).toBe(`http://localhost:3000/door#pair=${secret}`)
  expect(svg).toMatch(/^<svg [^]*<\/svg>$/)

  const attempts = await Promise.all(
    Array.from({ length: 6 }, () => venue.stranger.post('/scanner/pairings', { pairing_secret: secret })),
  )
  expect(attempts.map(({ status }) => status).toSorted()).toEqual([201, 404, 404, 404, 404, 404])
  const { body } = attempts.find(({ status }) => status === 201)!
  expect(body).toMatchObject({ scanner_device: { name: 'Phone' }, account: { name: 'Neue Halle' } })
  expect(await venue.client(body.token).get('/scanner/me')).toMatchObject({ status: 200 })
  const path = new URL(made.headers.get('location')!).pathname
  expect((await venue.reader.get(path)).body).toMatchObject({
    used_at: expect.stringMatching(/Z$/),
    scanner_device_id: body.scanner_device.id,
  })
})

test('one code pairs a stack of phones, each as a device of its own, and not one more', async () => {
  const venue = await openVenue()
  await venue.office.post('/admin/scanner_devices', { scanner_device: { name: 'Gate 2' } })
  const wanted = { device_pairing: { name: 'Gate', uses: 3 } }
  const made = await venue.office.post('/admin/device_pairings', wanted)
  expect(made).toMatchObject({ status: 201, body: { name: 'Gate', uses: 3, used_count: 0 } })

  const pair = () => venue.stranger.post('/scanner/pairings', { pairing_secret: made.body.pairing_secret })
  const replies = await Promise.all(Array.from({ length: 5 }, pair))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 404, 404])
  const paired = replies.filter(({ status }) => status === 201).map(({ body }) => body)
  expect(paired.map((each) => each.scanner_device.name).toSorted()).toEqual(['Gate 1', 'Gate 3', 'Gate 4'])
  expect(new Set(paired.map(({ token }) => token)).size).toBe(3)
  for (const { token } of paired) expect((await venue.client(token).get('/scanner/me')).status).toBe(200)
  expect((await venue.reader.get(`/admin/device_pairings/${made.body.id}`)).body).toMatchObject({ used_count: 3 })
})

test('a pairing is for one to a hundred devices', async () => {
  const { office } = await openVenue()
  const start = (wanted: object) =>
    office.post('/admin/device_pairings', { device_pairing: { name: 'Gate', ...wanted } })
  expect(await start({ uses: 0 })).toRefuse(422, { uses: ['must be greater than or equal to 1'] })
  expect(await start({ uses: 101 })).toRefuse(422, { uses: ['must be less than or equal to 100'] })
  expect(await start({ uses: 'all' })).toRefuse(422, { uses: ['is not a number'] })
  expect(await start({ uses: 2, name: 'x'.repeat(250) })).toRefuse(422)
  expect((await start({ uses: 100 })).body).toMatchObject({ uses: 100 })
  expect((await start({})).body).toMatchObject({ uses: 1 })
})

test('a pairing runs out after a quarter of an hour; a forged one never was', async () => {
  const venue = await openVenue()
  const { body } = await venue.office.post('/admin/device_pairings', { device_pairing: { name: 'Late' } })
  await venue.app.database.pool.query(`update device_pairings set expires_at = foyer_now() where id = $1`, [body.id])
  const pair = (pairing_secret: unknown) => venue.stranger.post('/scanner/pairings', { pairing_secret })
  expect(await pair(body.pairing_secret)).toRefuse(404, 'Not found')
  expect(await pair('forged')).toRefuse(404, 'Not found')
  expect(await pair('')).toRefuse(422, "pairing_secret can't be blank")
  expect(await pair({})).toRefuse(422, 'pairing_secret is invalid')
})

test('sessions are listed and ended: one’s own, and everyone’s by an owner', async () => {
  const venue = await openVenue()
  const olga = await signedIn(venue, OLGA)
  const mara = await signedIn(venue, MARA)
  const own = await mara.get('/admin/sessions')
  expect(own.body.sessions).toMatchObject([
    { current: true, browser: 'Firefox on Linux', person: { name: 'Mara Manager' } },
  ])
  const all = (await olga.get('/admin/sessions')).body.sessions
  expect(all).toHaveLength(2)
  const olgas = all.find((each: { current: boolean }) => each.current)

  expect(await mara.delete(`/admin/sessions/${olgas.id}`)).toRefuse(404)
  expect(await olga.delete(`/admin/sessions/${own.body.sessions[0].id}`)).toMatchObject({ status: 204 })
  expect(await mara.get('/admin/events')).toRefuse(401)
  expect(await olga.get('/admin/events')).toMatchObject({ status: 200 })
})

test('an Idempotency-Key makes a token once, and shows it again to who asked', async () => {
  const venue = await openVenue()
  const headers = { 'idempotency-key': 'token-once' }
  const wanted = { api_token: { description: 'Once', permission: 'read' } }
  const first = await venue.office.post('/admin/api_tokens', wanted, { headers })
  const again = await venue.office.post('/admin/api_tokens', wanted, { headers })
  expect(again.body).toEqual(first.body)
  const { rows } = await venue.app.database.pool.query(
    'select body::text as body from idempotency_keys where key = $1',
    ['token-once'],
  )
  expect(rows[0].body).not.toContain(Buffer.from(first.body.token).toString('hex'))
})
