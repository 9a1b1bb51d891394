import { type DBSchema, type IDBPDatabase, type StoreNames, openDB } from 'idb'
import type { PackedTicket } from './ticket.ts'
import type { TicketIndex } from './ticket-index.ts'
import type { Scan } from './scan-record.ts'

export interface EventOnDevice {
  slug: string
  title: string
  startsAt: string
  endsAt: string
  venue: string | null
  /** Null until a snapshot told. */
  reentry: boolean | null
  isChosen: boolean
  /** Of the last snapshot. */
  generatedAt: string | null
  etag: string | null
  /** When the server last said that this is how it stands, by its clock. */
  refreshedAt: string | null
}

export interface Device {
  token: string
  id: number
  name: string
  accountName: string
}

export interface PinHash {
  salt: string
  hash: string
}

export interface Settings {
  device: Device
  pin: PinHash
  /** How much the server's clock is ahead of this phone's. */
  clockOffsetMs: number
  cameraId: string
  look: 'dark' | 'light' | 'system'
  isMuted: boolean
  /** When the list of events last changed, by the server. */
  eventsChangedAt: string
  isRevoked: boolean
}

/** A scan that let somebody in, and that the server would not have; until a supervisor has seen it. */
export interface ServerRejectedScan {
  clientId: string
  publicId: string
  eventSlug: string
  kind: Scan['kind']
  name: string
  ticketTitle: string
  scannedAt: string
  message: string
  /** By the server. */
  redeemedAt: string | null
  acknowledgedAt: string | null
}

interface DoorSchema extends DBSchema {
  settings: { key: string; value: Settings[keyof Settings] }
  events: { key: string; value: EventOnDevice }
  /** A snapshot in pieces, each a JSON text of packed tickets. */
  chunks: { key: [string, number]; value: string }
  /** What is known of a snapshot before its pieces are read, by event. */
  indexes: { key: string; value: TicketIndex }
  /** What changed since, by ticket. */
  changes: { key: string; value: { slug: string; ticket: PackedTicket }; indexes: { slug: string } }
  scans: { key: number; value: Scan; indexes: { clientId: string } }
  deviations: { key: string; value: ServerRejectedScan }
}

export type DoorDatabase = IDBPDatabase<DoorSchema>

let opened: Promise<DoorDatabase> | undefined

export const openDoorDatabase = (): Promise<DoorDatabase> =>
  (opened ??= openDB<DoorSchema>('foyer-door', 2, {
    upgrade: (db, before, _now, transaction) => {
      if (before === 1) {
        // Tickets that were kept without an index are asked for again; scans stay.
        db.createObjectStore('indexes')
        for (const store of ['events', 'chunks', 'changes'] as const) void transaction.objectStore(store).clear()
        return
      }
      db.createObjectStore('settings')
      db.createObjectStore('events', { keyPath: 'slug' })
      db.createObjectStore('chunks')
      db.createObjectStore('indexes')
      db.createObjectStore('changes').createIndex('slug', 'slug')
      db.createObjectStore('scans', { keyPath: 'seq', autoIncrement: true }).createIndex('clientId', 'clientId', {
        unique: true,
      })
      db.createObjectStore('deviations', { keyPath: 'clientId' })
    },
    // Another version of the app wants it: let go, the page is loaded anew by whoever wants it.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  }))

export const readSetting = async <Key extends keyof Settings>(key: Key): Promise<Settings[Key] | undefined> =>
  (await (await openDoorDatabase()).get('settings', key)) as Settings[Key] | undefined

export const writeSetting = async <Key extends keyof Settings>(key: Key, value: Settings[Key]): Promise<void> => {
  await (await openDoorDatabase()).put('settings', value, key)
}

/** Everything but the unsent scans of a revoked phone, or truly everything. */
export const clearStores = async ({ keepsScans }: { keepsScans: boolean }): Promise<void> => {
  const db = await openDoorDatabase()
  const cleared: StoreNames<DoorSchema>[] = ['settings', 'events', 'chunks', 'indexes', 'changes', 'deviations']
  if (!keepsScans) cleared.push('scans')
  const transaction = db.transaction(cleared, 'readwrite')
  for (const store of cleared) await transaction.objectStore(store).clear()
  await transaction.done
}
