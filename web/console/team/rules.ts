import type { Schemas } from '../../api/client.ts'
import type { AuditSearch } from './audit-search.ts'

export type Membership = Schemas['Membership']
type Role = Membership['role']
export type Invitation = Schemas['Invitation']
export type Device = Schemas['ListedScannerDevice']
export type Pairing = Schemas['NewDevicePairing']
export type ApiToken = Schemas['ApiToken']
export type BrowserSession = Schemas['Session']
export type Webhook = Schemas['WebhookEndpoint']
export type Delivery = Schemas['WebhookDelivery']
export type AuditEntry = Schemas['AuditEntry']
export type PaymentMethod = Schemas['PaymentMethod']

/** The roles that can be given; an owner is made elsewhere. */
export const ASSIGNABLE_ROLES = ['manager', 'co_organizer', 'scanner', 'promoter'] as const
export type AssignableRole = (typeof ASSIGNABLE_ROLES)[number]
export const ALL_ROLES = ['owner', ...ASSIGNABLE_ROLES] as const satisfies readonly Role[]

/** Nobody changes their own place in the team, and only owners change an owner's. */
export const isChangeable = (member: Membership, viewer: { membership_id: number; role: Role }): boolean =>
  member.id !== viewer.membership_id && (member.role !== 'owner' || viewer.role === 'owner')

export type TeamPart = 'people' | 'devices' | 'tokens' | 'webhooks' | 'log' | 'settings'

const PARTS_BY_ROLE: Record<Role, readonly TeamPart[]> = {
  owner: ['people', 'devices', 'tokens', 'webhooks', 'log', 'settings'],
  manager: ['people', 'devices', 'tokens', 'webhooks', 'settings'],
  co_organizer: ['tokens', 'webhooks'],
  scanner: [],
  promoter: [],
}

/** What of the team's room this role may see. */
export const teamPartsOf = (role: Role): readonly TeamPart[] => PARTS_BY_ROLE[role]

export interface DeviceRow extends Device {
  lastSeenAt: string | null
  /** Null: it does not say. */
  unsent: number | null
  snapshotAt: string | null
  appVersion: string | null
}

const deviceRowOf = (device: Device): DeviceRow => ({
  ...device,
  lastSeenAt: device.heartbeat?.seen_at ?? device.last_used_at,
  unsent: device.heartbeat?.queue ?? null,
  snapshotAt: device.heartbeat?.snapshot_at ?? null,
  appVersion: device.heartbeat?.app_version ?? null,
})

/** Devices in use by name, the numbers in names counted; then those that were revoked, the last one first. */
export const deviceRowsOf = (devices: readonly Device[]): DeviceRow[] => {
  const rows = devices.map(deviceRowOf)
  const byName = new Intl.Collator(undefined, { numeric: true })
  const inUse = rows.filter(({ revoked_at }) => revoked_at === null)
  const revoked = rows.filter(({ revoked_at }) => revoked_at !== null)
  return [
    ...inUse.toSorted((one, other) => byName.compare(one.name, other.name)),
    ...revoked.toSorted((one, other) => Date.parse(other.revoked_at!) - Date.parse(one.revoked_at!)),
  ]
}

/** Somebody has switched it off; other reasons are Foyer's own, because nothing arrived there. */
export const isOffByHand = ({ disabled_reason: reason }: Webhook): boolean => reason === 'switched off'

export interface SavedScan {
  client_id: string
  event_slug: string
  public_id: string
  scanned_at?: string
}

/** Some other file. */
export class UnreadableScans extends Error {}

/** The file that the door app saves of what a revoked device could not send; what is wrong inside, the server says. */
export const parseSavedScans = (text: string): SavedScan[] => {
  try {
    const { attempts } = JSON.parse(text) as { attempts?: unknown }
    if (Array.isArray(attempts)) return attempts as SavedScan[]
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error
  }
  throw new UnreadableScans()
}

/** What the log is filtered by, as the API takes it. */
export interface AuditFilter {
  actor_id?: string
  action?: string
  from?: string
  to?: string
}

/** The whole last day belongs to it; days are those of the place. */
export const auditFilterOf = (
  { actor, action, from, to }: AuditSearch,
  beginningOf: (day: string) => string,
): AuditFilter => ({
  ...(actor && { actor_id: actor }),
  ...(action && { action }),
  ...(from && { from: beginningOf(from) }),
  ...(to && { to: beginningOf(nextDay(to)) }),
})

const nextDay = (day: string): string => {
  const next = new Date(`${day}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.toISOString().slice(0, 10)
}

/** What an entry is about, as short pairs: texts and numbers, whatever is deeper as it is written. */
export const subjectPairs = ({ subject }: AuditEntry): [key: string, value: string][] =>
  Object.entries(subject)
    .filter(([, value]) => value !== null && value !== '')
    .map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)])

export const AUDIT_CSV_HEAD = ['Time', 'Who', 'With', 'What', 'Subject']

export const auditRowOf = (entry: AuditEntry): string[] => [
  entry.created_at,
  entry.actor?.name ?? '',
  entry.credential === null ? '' : `${entry.credential.kind}: ${entry.credential.description}`,
  entry.action,
  subjectPairs(entry)
    .map(([key, value]) => `${key}=${value}`)
    .join('; '),
]
