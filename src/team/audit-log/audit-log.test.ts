import { expect, test } from 'vitest'
import { type Venue, openVenue } from '../../../test/kit/venue/venue.ts'

const log = async (venue: Venue, query = '') => (await venue.office.get(`/admin/audit_log${query}`)).body

const cem = (venue: Venue) => venue.report.people['cem@partner.example']!.membership_id

test('every write is noted: who, what, when and with which credential', async () => {
  const venue = await openVenue()
  await venue.office.patch(`/admin/memberships/${cem(venue)}/role`, { membership: { role: 'scanner' } })
  const { entries } = await log(venue)
  expect(entries).toEqual([
    {
      id: expect.any(Number),
      action: 'PATCH /admin/memberships/:id/role',
      subject: { id: String(cem(venue)), role: 'scanner' },
      actor: { id: venue.report.people['olga@neue-halle.example']!.membership_id, name: 'Olga Owner' },
      credential: { id: expect.any(Number), kind: 'account_token', description: 'office write' },
      created_at: expect.stringMatching(/Z$/),
    },
  ])
})

test('what is refused or only read is not noted, and a replay is noted once', async () => {
  const venue = await openVenue()
  await venue.office.get('/admin/memberships')
  await venue.office.patch(`/admin/memberships/${cem(venue)}/role`, { membership: { role: 'owner' } })
  await venue.office.delete('/admin/memberships/999999')
  await venue.partner.delete(`/admin/memberships/${cem(venue)}`)
  expect((await log(venue)).entries).toEqual([])

  const body = { invitation: { email: 'i@j.example', role: 'manager' } }
  const headers = { 'idempotency-key': 'k' }
  const { body: invitation } = await venue.office.post('/admin/invitations', body, { headers })
  await venue.office.post('/admin/invitations', body, { headers })
  const { entries } = await log(venue)
  expect(entries).toHaveLength(1)
  expect(entries[0].subject).toEqual({ invitation_id: invitation.id, role: 'manager' })
})

test('the log is filtered and paged, newest first', async () => {
  const venue = await openVenue()
  for (let n = 0; n < 5; n++) {
    await venue.office.post('/admin/invitations', { invitation: { email: `p${n}@j.example`, role: 'manager' } })
  }
  await venue.client(venue.report.api_tokens['mara write']).delete(`/admin/memberships/${cem(venue)}`)

  const first = await venue.office.get('/admin/audit_log?action=POST+/admin/invitations&limit=2')
  expect(first.body.entries).toHaveLength(2)
  const link = /<([^>]+)>; rel="next"/.exec(first.headers.get('link')!)![1]!
  const second = await venue.office.get(new URL(link).pathname + new URL(link).search)
  const third = await venue.office.get(`/admin/audit_log?action=POST&limit=2&page=${second.body.pagination.next_page}`)
  const ids = [first, second, third].flatMap(({ body }) => body.entries.map(({ id }: { id: number }) => id))
  expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  expect(new Set(ids).size).toBe(5)
  expect(third.body.pagination.next_page).toBeNull()
  expect(third.headers.get('link')).toBeNull()

  const mara = venue.report.people['mara@neue-halle.example']!.membership_id
  expect((await log(venue, `?actor_id=${mara}`)).entries).toMatchObject([{ action: 'DELETE /admin/memberships/:id' }])
  expect((await log(venue, '?from=2999-01-01')).entries).toEqual([])
  expect((await log(venue, '?to=2999-01-01T00:00:00Z')).entries).toHaveLength(6)
  for (const query of ['actor_id=me', 'page=x', 'from=yesterday', 'to=2026-99-99', 'credential_id=-1']) {
    expect(await venue.office.get(`/admin/audit_log?${query}`), query).toRefuse(422)
  }
})

test('only owners read it, each of their own account', async () => {
  const venue = await openVenue()
  const foreign = await openVenue()
  await foreign.office.post('/admin/invitations', { invitation: { email: 'f@j.example', role: 'manager' } })
  expect((await log(venue)).entries).toEqual([])

  const as = (description: string) => venue.client(venue.report.api_tokens[description])
  expect(await as('olga write').get('/admin/audit_log')).toMatchObject({ status: 200 })
  expect(await venue.reader.get('/admin/audit_log')).toMatchObject({ status: 200 })
  expect(await as('mara write').get('/admin/audit_log')).toRefuse(403)
  expect(await venue.partner.get('/admin/audit_log')).toRefuse(403)
  expect(await venue.door.get('/admin/audit_log')).toRefuse(401)
})

test('no secret stands in it, and nothing in it can be changed or taken out', async () => {
  const venue = await openVenue()
  const { body: token } = await venue.office.post('/admin/api_tokens', { api_token: { description: 'S' } })
  const { body: pairing } = await venue.office.post('/admin/device_pairings', { device_pairing: { name: 'S' } })
  const { pool } = venue.app.database
  const { rows } = await pool.query('select row_to_json(a)::text as text from audit_entries a where account_id = $1', [
    venue.report.account.id,
  ])
  expect(rows).toHaveLength(2)
  for (const { text } of rows) {
    expect(text).not.toContain(token.token)
    expect(text).not.toContain(pairing.pairing_secret)
  }
  for (const change of [
    `update audit_entries set action = 'nothing'`,
    'delete from audit_entries',
    'truncate audit_entries',
  ]) {
    await expect(pool.query(change)).rejects.toThrow('the audit log only grows')
  }
})

test('when the note cannot be written, neither is the effect', async () => {
  const venue = await openVenue()
  const { pool } = venue.app.database
  const account = venue.report.account.id
  await pool.query(`alter table audit_entries add constraint not_today check (account_id <> ${account}) not valid`)
  try {
    const reply = await venue.office.patch(`/admin/memberships/${cem(venue)}/role`, { membership: { role: 'scanner' } })
    expect(reply).toRefuse(500)
  } finally {
    await pool.query('alter table audit_entries drop constraint not_today')
  }
  const team = (await venue.office.get('/admin/memberships')).body.active
  expect(team.find(({ id }: { id: number }) => id === cem(venue)).role).toBe('co_organizer')
})
