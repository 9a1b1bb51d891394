import type { Language } from '../languages/rules.ts'
import type { CredentialKind } from './tokens.ts'

export const ROLES = ['scanner', 'manager', 'owner', 'co_organizer', 'promoter'] as const
export type Role = (typeof ROLES)[number]

export const PERMISSIONS = ['read', 'write'] as const
export type Permission = (typeof PERMISSIONS)[number]

export interface Account {
  id: number
  name: string
  subdomain: string
  currency: string
  timeZone: string
  /** What its guests are spoken to in, unless they ask for another. */
  language: Language
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

export const eventReachOf = (caller: Caller): EventReach =>
  caller.credential.role === 'co_organizer' ? 'assigned events' : 'account'
