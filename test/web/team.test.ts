import { expect, test } from 'vitest'
import { readAuditSearch } from '../../web/console/team/audit-search.ts'
import {
  type AuditEntry,
  type Device,
  type Membership,
  UnreadableScans,
  auditFilterOf,
  auditRowOf,
  deviceRowsOf,
  isChangeable,
  parseSavedScans,
  teamPartsOf,
} from '../../web/console/team/rules.ts'

const memberOf = (id: number, role: Membership['role']): Membership => ({
  id,
  role,
  state: 'active',
  created_at: '2026-10-01T09:00:00.000Z',
  user: { id, name: `Member ${id}`, email: `${id}@venue.example` },
})

test('nobody changes their own place, and only owners change an owner’s', () => {
  const owner = { membership_id: 1, role: 'owner' } as const
  const manager = { membership_id: 2, role: 'manager' } as const
  expect(isChangeable(memberOf(1, 'owner'), owner)).toBe(false)
  expect(isChangeable(memberOf(3, 'owner'), owner)).toBe(true)
  expect(isChangeable(memberOf(3, 'owner'), manager)).toBe(false)
  expect(isChangeable(memberOf(4, 'manager'), manager)).toBe(true)
})

test('only owners are shown the log, and co-organizers nothing of the team', () => {
  expect(teamPartsOf('owner')).toContain('log')
  expect(teamPartsOf('manager')).not.toContain('log')
  expect(teamPartsOf('co_organizer')).toEqual(['tokens', 'webhooks'])
  expect(teamPartsOf('scanner')).toEqual([])
})

const deviceOf = (id: number, name: string, revokedAt: string | null = null): Device => ({
  id,
  name,
  last_used_at: null,
  revoked_at: revokedAt,
  created_at: '2026-10-01T09:00:00.000Z',
})

test('devices are ordered as people count, revoked ones last, with what each says of itself', () => {
  const devices = [
    deviceOf(1, 'Gate 10'),
    deviceOf(2, 'Lost', '2026-11-01T20:00:00.000Z'),
    deviceOf(3, 'Gate 2'),
    deviceOf(4, 'Lost again', '2026-11-02T20:00:00.000Z'),
  ]
  const heartbeat = { seen_at: '2026-11-05T20:00:00.000Z', queue: 7, snapshot_at: null, app_version: '1.0.0' }
  const rows = deviceRowsOf(devices.map((device) => ({ ...device, heartbeat: device.id === 3 ? heartbeat : null })))
  expect(rows.map(({ name, unsent }) => [name, unsent])).toEqual([
    ['Gate 2', 7],
    ['Gate 10', null],
    ['Lost again', null],
    ['Lost', null],
  ])
  expect(rows[0]).toMatchObject({ lastSeenAt: '2026-11-05T20:00:00.000Z', snapshotAt: null, appVersion: '1.0.0' })
})

test('an address filters the log only by what can be a filter, and the last day counts whole', () => {
  expect(readAuditSearch({ actor: 12, action: 'POST', from: '2026-11-01', to: 'soon', more: 'no' })).toEqual({
    actor: '12',
    action: 'POST',
    from: '2026-11-01',
  })
  const beginningOf = (day: string) => `${day}T00:00:00.000Z`
  expect(auditFilterOf({ actor: '12', from: '2026-10-31', to: '2026-10-31' }, beginningOf)).toEqual({
    actor_id: '12',
    from: '2026-10-31T00:00:00.000Z',
    to: '2026-11-01T00:00:00.000Z',
  })
  expect(auditFilterOf({}, beginningOf)).toEqual({})
})

test('an entry of the log is a row that says who, with what, and about what', () => {
  const entry: AuditEntry = {
    id: 1,
    action: 'PATCH /admin/memberships/:id/role',
    subject: { id: '12', event_ids: [3, 4], note: null },
    actor: { id: 1, name: 'Olga Owner' },
    credential: { id: 3, kind: 'account_token', description: 'Office' },
    created_at: '2026-11-15T20:30:00.000Z',
  }
  expect(auditRowOf(entry)).toEqual([
    '2026-11-15T20:30:00.000Z',
    'Olga Owner',
    'account_token: Office',
    'PATCH /admin/memberships/:id/role',
    'id=12; event_ids=[3,4]',
  ])
  expect(auditRowOf({ ...entry, actor: null, credential: null }).slice(1, 3)).toEqual(['', ''])
})

test('saved scans are read from the file of the app, and from no other', () => {
  const scan = { client_id: 'a', event_slug: 'ball', public_id: 'x' }
  expect(parseSavedScans(JSON.stringify({ attempts: [scan] }))).toEqual([scan])
  for (const text of ['', 'null', '{}', '[]', '{"attempts": 1}', 'Zoë,1']) {
    expect(() => parseSavedScans(text)).toThrow(UnreadableScans)
  }
})
