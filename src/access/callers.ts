import type { CredentialKind } from './tokens.ts'

export const ROLES = ['scanner', 'manager', 'owner', 'co_organizer', 'promoter'] as const
export type Role = (typeof ROLES)[number]

/** What a role may do, in a sentence for the person who has it. */
export const ROLE_SENTENCES: Record<Role, string> = {
  owner: 'Owners run the venue: every event, the team, the vouchers and all settings.',
  manager: 'Managers run every event, the task board, the vouchers and the team.',
  co_organizer: 'Co-organizers work on the events they are assigned to, and see nothing of the others.',
  scanner: 'Scanners let guests in at the door.',
  promoter: 'Promoters bring guests to the venue’s shows.',
}

export const ROLE_NAMES: Record<Role, string> = {
  owner: 'owner',
  manager: 'manager',
  co_organizer: 'co-organizer',
  scanner: 'scanner',
  promoter: 'promoter',
}

export const PERMISSIONS = ['read', 'write'] as const
export type Permission = (typeof PERMISSIONS)[number]

export interface Account {
  id: number
  name: string
  subdomain: string
  currency: string
  timeZone: string
}

/** The person a write is attributed to: the member behind a personal credential, otherwise the account owner. */
export interface ActingPerson {
  personId: number
  membershipId: number
  name: string
  email: string
}

export interface Credential {
  id: number
  kind: CredentialKind
  permission: Permission
  description: string
  /** The role of the member behind a personal token or a session; null for account tokens and devices. */
  role: Role | null
}

export interface Caller {
  account: Account
  credential: Credential
  actor: ActingPerson
  /** Whether anybody outside wants to be told of what happens in the account, found on the same trip. */
  hasWebhooks: boolean
}

/** Where a caller works: owners, managers, account tokens and devices everywhere, co-organizers on assigned events. */
export type EventReach = 'account' | 'assigned events'

export const reachOf = (caller: Caller): EventReach =>
  caller.credential.role === 'co_organizer' ? 'assigned events' : 'account'
