import { z } from 'zod'
import { ROLES } from '../../access/callers.ts'
import { castRowIds, choice, field } from '../../http/fields.ts'
import { Timestamp, exampleOf, named, showTimestamp } from '../../http/wire.ts'
import { PendingInvitation } from '../invitations/wire.ts'
import { ASSIGNED_EVENTS_MAX, ASSIGNABLE_ROLES, isAssignedToEvents, type Member } from '../rules.ts'

export const Membership = named(
  'Membership',
  z.object({
    id: z.int(),
    role: z.enum(ROLES),
    event_ids: z.array(z.int()).optional(),
    state: z.enum(['active', 'deactivated']),
    created_at: Timestamp,
    user: z.object({ id: z.int(), name: z.string(), email: z.string() }),
  }),
  {
    id: 12,
    role: 'co_organizer',
    event_ids: [7],
    state: 'active',
    created_at: '2026-10-01T09:00:00.000Z',
    user: { id: 31, name: 'Cem Partner', email: 'cem@partner.example' },
  },
)

export const Team = named(
  'Team',
  z.object({
    active: z.array(Membership),
    deactivated: z.array(Membership),
    pending_invitations: z.array(PendingInvitation),
  }),
  {
    active: [exampleOf(Membership)!],
    deactivated: [],
    pending_invitations: [exampleOf(PendingInvitation)!],
  },
)

/** Null is no list: what takes every event away must be said. */
const assignedEventIds = () =>
  field({ type: ['array', 'null'], items: { type: 'integer' }, maxItems: ASSIGNED_EVENTS_MAX }, (value) => {
    if (value === undefined || value === null) return undefined
    return value === '' ? [] : castRowIds(value, ASSIGNED_EVENTS_MAX)
  })

export const RoleChange = z.object({ role: choice(ASSIGNABLE_ROLES), event_ids: assignedEventIds() })

export const showMembership = (member: Member): z.output<typeof Membership> => ({
  id: member.id,
  role: member.role,
  ...(isAssignedToEvents(member.role) && { event_ids: member.eventIds }),
  state: member.deactivatedAt === null ? 'active' : 'deactivated',
  created_at: showTimestamp(member.createdAt),
  user: { id: member.personId, name: member.name, email: member.email },
})
