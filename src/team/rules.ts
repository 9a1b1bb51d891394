import type { Caller, Role } from '../access/callers.ts'

/** The roles that can be given here; an owner is made elsewhere. */
export const ASSIGNABLE_ROLES = ['scanner', 'manager', 'co_organizer', 'promoter'] as const satisfies readonly Role[]
export type AssignableRole = (typeof ASSIGNABLE_ROLES)[number]

export const ASSIGNED_EVENTS_MAX = 1000

/** Only co-organizers work on some events; everyone else's role says where they work. */
export const isAssignedToEvents = (role: Role) => role === 'co_organizer'

/** Who invites, dismisses and gives roles. */
export const canManageTeam = (role: Role) => role === 'owner' || role === 'manager'

/** The account's own tokens act as its owner; people need the role. */
export const actsAsOwner = ({ credential }: Caller) => credential.role === null || credential.role === 'owner'

export interface Member {
  id: number
  role: Role
  eventIds: number[]
  deactivatedAt: Date | null
  createdAt: Date
  personId: number
  name: string
  email: string
}
