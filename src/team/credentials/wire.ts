import { z } from 'zod'
import { PERMISSIONS } from '../../access/callers.ts'
import { choice, choiceWithDefault, integerWithDefault, requiredText } from '../../http/fields.ts'
import { Timestamp, exampleOf, named, showTimestamp, showTimestampOrNull } from '../../http/wire.ts'

const TOKEN_KINDS = ['account', 'personal'] as const
export type TokenKind = (typeof TOKEN_KINDS)[number]

const Person = z.object({ id: z.int(), name: z.string() })

const lifetime = { last_used_at: Timestamp.nullable(), revoked_at: Timestamp.nullable(), created_at: Timestamp }

const exampleLifetime = {
  last_used_at: '2026-11-15T20:30:00.000Z',
  revoked_at: null,
  created_at: '2026-10-01T09:00:00.000Z',
}

export const ApiToken = named(
  'ApiToken',
  z.object({
    id: z.int(),
    description: z.string(),
    permission: z.enum(PERMISSIONS),
    kind: z.enum(TOKEN_KINDS),
    /** The member a personal token acts as. */
    person: Person.nullable(),
    ...lifetime,
  }),
  { id: 3, description: 'Website', permission: 'read', kind: 'account', person: null, ...exampleLifetime },
)

export const ApiTokens = named('ApiTokens', z.object({ api_tokens: z.array(ApiToken) }), {
  api_tokens: [exampleOf(ApiToken)!],
})

export const NewApiToken = named('NewApiToken', ApiToken.extend({ token: z.string() }), {
  ...exampleOf(ApiToken)!,
  last_used_at: null,
  token: 'foyer_api_…',
})

export const ApiTokenFields = z.object({
  description: requiredText(),
  permission: choiceWithDefault('read', PERMISSIONS),
  kind: choice(TOKEN_KINDS).optional(),
})

export const ScannerDevice = named('ScannerDevice', z.object({ id: z.int(), name: z.string(), ...lifetime }), {
  id: 8,
  name: 'Door 1',
  ...exampleLifetime,
})

const DeviceHeartbeat = named(
  'DeviceHeartbeat',
  z.object({
    seen_at: Timestamp,
    /** Scans that it has not sent yet. */
    queue: z.int(),
    /** The generated_at of the snapshot it decides by. */
    snapshot_at: Timestamp.nullable(),
    app_version: z.string().nullable(),
  }),
  {
    seen_at: '2026-11-15T20:31:20.000Z',
    queue: 0,
    snapshot_at: '2026-11-15T20:30:00.000Z',
    app_version: '1.0.0',
  },
)

/** `heartbeat` only where it was asked for; null for a device that has said nothing yet. */
const ListedScannerDevice = named(
  'ListedScannerDevice',
  ScannerDevice.extend({ heartbeat: DeviceHeartbeat.nullable().optional() }),
  { ...exampleOf(ScannerDevice)!, heartbeat: exampleOf(DeviceHeartbeat)! },
)

export const ScannerDevices = named('ScannerDevices', z.object({ scanner_devices: z.array(ListedScannerDevice) }), {
  scanner_devices: [exampleOf(ScannerDevice)!],
})

export const NewScannerDevice = named('NewScannerDevice', ScannerDevice.extend({ token: z.string() }), {
  ...exampleOf(ScannerDevice)!,
  last_used_at: null,
  token: 'foyer_door_…',
})

export const DeviceFields = z.object({ name: requiredText() })

const PAIRING_USES_MAX = 100

/** One code may pair a whole stack of phones. */
export const PairingRequest = DeviceFields.extend({ uses: integerWithDefault(1, { least: 1, most: PAIRING_USES_MAX }) })

export const DevicePairing = named(
  'DevicePairing',
  z.object({
    id: z.int(),
    name: z.string(),
    uses: z.int(),
    /** How many devices it has made; `used_at` and `scanner_device_id` tell of the latest. */
    used_count: z.int(),
    expires_at: Timestamp,
    used_at: Timestamp.nullable(),
    scanner_device_id: z.int().nullable(),
  }),
  {
    id: 2,
    name: 'Door 2',
    uses: 1,
    used_count: 0,
    expires_at: '2026-11-15T20:45:00.000Z',
    used_at: null,
    scanner_device_id: null,
  },
)

export const NewDevicePairing = named(
  'NewDevicePairing',
  DevicePairing.extend({ pairing_secret: z.string(), pairing_url: z.string(), qr_svg: z.string() }),
  {
    ...exampleOf(DevicePairing)!,
    pairing_secret: 'Wq8…',
    pairing_url: 'https://foyer.example/door#pair=Wq8…',
    qr_svg: '<svg …',
  },
)

export const PairingSecret = z.object({ pairing_secret: requiredText() })

export const PairedDevice = named(
  'PairedDevice',
  z.object({
    token: z.string(),
    scanner_device: z.object({ id: z.int(), name: z.string() }),
    account: z.object({ id: z.int(), name: z.string(), subdomain: z.string() }),
  }),
  {
    token: 'foyer_door_…',
    scanner_device: { id: 8, name: 'Door 2' },
    account: { id: 1, name: 'Kaispeicher', subdomain: 'kaispeicher' },
  },
)

export const Session = named(
  'Session',
  z.object({
    id: z.int(),
    browser: z.string(),
    current: z.boolean(),
    person: Person,
    last_used_at: Timestamp.nullable(),
    expires_at: Timestamp,
    created_at: Timestamp,
  }),
  {
    id: 21,
    browser: 'Firefox on Linux',
    current: true,
    person: { id: 12, name: 'Olga Owner' },
    last_used_at: '2026-11-15T20:30:00.000Z',
    expires_at: '2026-12-15T09:00:00.000Z',
    created_at: '2026-11-15T09:00:00.000Z',
  },
)

export const Sessions = named('Sessions', z.object({ sessions: z.array(Session) }), { sessions: [exampleOf(Session)!] })

export interface CredentialRow {
  id: number
  kind: 'account_token' | 'personal_token' | 'scanner_device' | 'session'
  permission: (typeof PERMISSIONS)[number]
  description: string
  membershipId: number | null
  personName: string | null
  lastUsedAt: Date | null
  expiresAt: Date | null
  revokedAt: Date | null
  createdAt: Date
}

const showLifetime = ({ lastUsedAt, revokedAt, createdAt }: CredentialRow) => ({
  last_used_at: showTimestampOrNull(lastUsedAt),
  revoked_at: showTimestampOrNull(revokedAt),
  created_at: showTimestamp(createdAt),
})

const showPerson = ({ membershipId, personName }: CredentialRow) =>
  membershipId === null ? null : { id: membershipId, name: personName ?? '' }

export const showToken = (row: CredentialRow): z.output<typeof ApiToken> => ({
  id: row.id,
  description: row.description,
  permission: row.permission,
  kind: row.kind === 'personal_token' ? 'personal' : 'account',
  person: showPerson(row),
  ...showLifetime(row),
})

export const showDevice = (row: CredentialRow): z.output<typeof ScannerDevice> => ({
  id: row.id,
  name: row.description,
  ...showLifetime(row),
})

/** What a device last said of itself. */
export interface HeartbeatRow {
  credentialId: number
  seenAt: Date
  queue: number
  snapshotAt: Date | null
  appVersion: string | null
}

export const showDevicesWithHeartbeats = (
  devices: readonly CredentialRow[],
  heartbeats: readonly HeartbeatRow[],
): z.output<typeof ScannerDevices> => {
  const known = new Map(heartbeats.map((heartbeat) => [heartbeat.credentialId, heartbeat]))
  return {
    scanner_devices: devices.map((device) => {
      const said = known.get(device.id)
      return { ...showDevice(device), heartbeat: said ? showHeartbeat(said) : null }
    }),
  }
}

const showHeartbeat = (row: HeartbeatRow): z.output<typeof DeviceHeartbeat> => ({
  seen_at: showTimestamp(row.seenAt),
  queue: row.queue,
  snapshot_at: showTimestampOrNull(row.snapshotAt),
  app_version: row.appVersion,
})

export const showSession = (row: CredentialRow, currentId: number): z.output<typeof Session> => ({
  id: row.id,
  browser: row.description,
  current: row.id === currentId,
  person: showPerson(row)!,
  last_used_at: showTimestampOrNull(row.lastUsedAt),
  expires_at: showTimestamp(row.expiresAt!),
  created_at: showTimestamp(row.createdAt),
})

export interface PairingRow {
  id: number
  name: string
  uses: number
  usedCount: number
  expiresAt: Date
  usedAt: Date | null
  credentialId: number | null
}

export const showPairing = (row: PairingRow): z.output<typeof DevicePairing> => ({
  id: row.id,
  name: row.name,
  uses: row.uses,
  used_count: row.usedCount,
  expires_at: showTimestamp(row.expiresAt),
  used_at: showTimestampOrNull(row.usedAt),
  scanner_device_id: row.credentialId,
})
