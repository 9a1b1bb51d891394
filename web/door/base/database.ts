import { type DBSchema, type IDBPDatabase, type StoreNames, openDB } from 'idb'
import type { Camera } from '../../ui/camera/code-reader.ts'
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
  camera: Camera
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

const openDoorDatabase = (): Promise<DoorDatabase> => {
  if (opened) return opened
  const forget = () => {
    if (opened === opening) opened = undefined
  }
  const opening = openDB<DoorSchema>('foyer-door', 2, {
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
    blocking: (_current, _blocked, event) => {
      forget()
      ;(event.target as IDBDatabase).close()
    },
    // Browsers close it by themselves: of apps in the background, and where the disk fails.
    terminated: forget,
  })
  opened = opening
  opening.catch(forget)
  return opening
}

/**
 * What is done on the disk. A connection that the browser has closed is opened anew and the work done once more, so it must
 * be good to do it twice: whatever failed may have been written.
 */
export const withDatabase = async <T>(work: (db: DoorDatabase) => Promise<T>): Promise<T> => {
  const opening = openDoorDatabase()
  try {
    return await work(await opening)
  } catch (error) {
    if (!isConnectionLost(error)) throw error
    if (opened === opening) opened = undefined
    return work(await openDoorDatabase())
  }
}

const isConnectionLost = (error: unknown) =>
  error instanceof DOMException && (error.name === 'InvalidStateError' || error.name === 'UnknownError')

export const readSetting = async <Key extends keyof Settings>(key: Key): Promise<Settings[Key] | undefined> =>
  (await withDatabase((db) => db.get('settings', key))) as Settings[Key] | undefined

export const writeSetting = async <Key extends keyof Settings>(key: Key, value: Settings[Key]): Promise<void> => {
  await withDatabase((db) => db.put('settings', value, key))
}

/** Everything but the unsent scans of a revoked phone, or truly everything. */
export const clearStores = async ({ keepsScans }: { keepsScans: boolean }): Promise<void> => {
  const cleared: StoreNames<DoorSchema>[] = ['settings', 'events', 'chunks', 'indexes', 'changes', 'deviations']
  if (!keepsScans) cleared.push('scans')
  await withDatabase(async (db) => {
    const transaction = db.transaction(cleared, 'readwrite')
    for (const store of cleared) await transaction.objectStore(store).clear()
    await transaction.done
  })
}
