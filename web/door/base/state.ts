import { computed, signal } from '@preact/signals'
import type { ServerRejectedScan, Device, EventOnDevice, Settings } from './database.ts'
import { type Scan, isUnsent, isAdmitting } from './scan-record.ts'

/** What all rooms see. Each is written by the room whose business it is. */
export const pairedDevice = signal<Device | null>(null)
export const isRevoked = signal(false)
/** The token is refused, and not because it was revoked: somebody must look. */
export const isTokenUnknown = signal(false)
export const isOnline = signal(false)

export const events = signal<readonly EventOnDevice[]>([])
export const chosenEvents = computed(() => events.value.filter(({ isChosen }) => isChosen))

/** Every scan that is kept, oldest first. */
export const scans = signal<readonly Scan[]>([])
export const unsentScans = computed(() => scans.value.filter(isUnsent))
export const serverRejectedScans = signal<readonly ServerRejectedScan[]>([])
export const unacknowledgedRejectedScans = computed(() =>
  serverRejectedScans.value.filter(({ acknowledgedAt }) => acknowledgedAt === null),
)

/** Entries let in here less those taken back. */
export const admittedHereCount = computed(() => {
  const letIn = new Map<string, number>()
  for (const { publicId, kind, verdict, result } of scans.value) {
    if (!isAdmitting(verdict) || (result !== null && result !== 'accepted')) continue
    if (kind !== 'exit') letIn.set(publicId, (letIn.get(publicId) ?? 0) + (kind === 'entry' ? 1 : -1))
  }
  return Array.from(letIn.values()).reduce((sum, count) => sum + count, 0)
})

export type ScanMode = 'entry' | 'exit'
export const scanMode = signal<ScanMode>('entry')
export const colorScheme = signal<Settings['look']>('dark')
export const isMuted = signal(false)
/** Whether something could not be written: the disk is full, or the browser took the storage away. */
export const isStorageBroken = signal(false)

export type View = 'scan' | 'search' | 'events' | 'more' | 'self-test' | 'conflicts' | 'undo' | 'pin'
export const currentView = signal<View>('scan')
