import { z } from 'zod'
import { queryText } from '../../http/fields.ts'
import { Timestamp, exampleOf, named, showTimestamp } from '../../http/wire.ts'

export const AuditEntry = named(
  'AuditEntry',
  z.object({
    id: z.int(),
    action: z.string(),
    subject: z.record(z.string(), z.unknown()),
    actor: z.object({ id: z.int(), name: z.string() }).nullable(),
    credential: z.object({ id: z.int(), kind: z.string(), description: z.string() }).nullable(),
    created_at: Timestamp,
  }),
  {
    id: 180,
    action: 'PATCH /admin/memberships/:id/role',
    subject: { id: '12', role: 'manager' },
    actor: { id: 1, name: 'Olga Owner' },
    credential: { id: 3, kind: 'account_token', description: 'Office' },
    created_at: '2026-11-15T20:30:00.000Z',
  },
)

export const AuditLog = named(
  'AuditLog',
  z.object({
    entries: z.array(AuditEntry),
    pagination: z.object({ next_page: z.string().nullable() }),
  }),
  { entries: [exampleOf(AuditEntry)!], pagination: { next_page: null } },
)

export const AuditQuery = z.object({
  actor_id: queryText(20),
  credential_id: queryText(20),
  action: queryText(),
  from: queryText(40),
  to: queryText(40),
  limit: queryText(10),
  page: queryText(40),
})

export interface AuditRow {
  id: number
  action: string
  subject: Record<string, unknown>
  membershipId: number | null
  actorName: string | null
  credentialId: number | null
  credentialKind: string | null
  credentialDescription: string | null
  createdAt: Date
}

export const showAuditEntry = (row: AuditRow): z.output<typeof AuditEntry> => ({
  id: row.id,
  action: row.action,
  subject: row.subject,
  actor: row.membershipId === null ? null : { id: row.membershipId, name: row.actorName! },
  credential:
    row.credentialId === null
      ? null
      : { id: row.credentialId, kind: row.credentialKind!, description: row.credentialDescription! },
  created_at: showTimestamp(row.createdAt),
})
