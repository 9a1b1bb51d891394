import { z } from 'zod'
import { MalformedRequest, type BodyReader, isRecord } from '../../http/body.ts'
import { choice, requiredEmail, requiredText, rowIds } from '../../http/fields.ts'
import { Timestamp, exampleOf, named, showTimestamp } from '../../http/wire.ts'
import { ASSIGNED_EVENTS_MAX, ASSIGNABLE_ROLES, type AssignableRole, isAssignedToEvents } from '../rules.ts'

const PromoterProgram = named(
  'PromoterProgram',
  z.object({ public_id: z.string(), name: z.string(), code: z.string().nullable() }),
  { public_id: '8bVq3uYxKpZr6TtWm1nHcd', name: 'Street team', code: 'PIA10' },
)

export const PendingInvitation = named(
  'Invitation',
  z.object({
    id: z.int(),
    email: z.string(),
    role: z.enum(ASSIGNABLE_ROLES),
    event_ids: z.array(z.int()).optional(),
    promoter_programs: z.array(PromoterProgram).optional(),
    created_at: Timestamp,
  }),
  {
    id: 4,
    email: 'nora@partner.example',
    role: 'co_organizer',
    event_ids: [7],
    created_at: '2026-11-02T10:15:00.000Z',
  },
)

export const PendingInvitations = named('PendingInvitations', z.array(PendingInvitation), [
  exampleOf(PendingInvitation)!,
])

export const InvitationFields = z.object({
  email: requiredEmail(),
  role: choice(ASSIGNABLE_ROLES),
  event_ids: rowIds(ASSIGNED_EVENTS_MAX),
})

export const InvitationToEvent = z.object({ email: requiredEmail() })

/** Which fields count depends on the query, so they are only taken out of their envelope here. */
export const invitationBody: BodyReader<Record<string, unknown>> = {
  schema: z.object({ invitation: InvitationFields }),
  read: (json) => {
    const inside = isRecord(json) ? json['invitation'] : undefined
    if (!isRecord(inside)) throw new MalformedRequest('param is missing or the value is empty: invitation')
    return inside
  },
}

const PERSON_NAME_MAX = 100

/** What a person who is new to the house says about themselves. */
export const NewPersonFields = z.object({ name: requiredText(PERSON_NAME_MAX) })

export interface Invitation {
  id: number
  email: string
  role: AssignableRole
  eventIds: number[]
  programs: { publicId: string; name: string; code: string | null }[]
  createdAt: Date
}

export const showInvitation = (invitation: Invitation): z.output<typeof PendingInvitation> => ({
  id: invitation.id,
  email: invitation.email,
  role: invitation.role,
  ...(isAssignedToEvents(invitation.role) && { event_ids: invitation.eventIds }),
  ...(invitation.role === 'promoter' && {
    promoter_programs: invitation.programs.map(({ publicId, name, code }) => ({ public_id: publicId, name, code })),
  }),
  created_at: showTimestamp(invitation.createdAt),
})
