import { effect } from '@preact/signals'
import { NoServerAnswer } from '../base/ask.ts'
import { writeSetting } from '../base/database.ts'
import { chosenEvents, pairedDevice, events, isOnline, isRevoked, isStorageBroken, unsentScans } from '../base/state.ts'
import { readAllTickets } from '../base/tickets.ts'
import { sendHeartbeat } from '../queue/heartbeat.ts'
import { wipeRevokedDevice } from '../queue/revoked-view.tsx'
import { syncScans } from '../queue/sync.ts'
import { prepareSearchIndex } from '../search/find-names.ts'
import { deleteOldEvents, refreshEvents, standAtTonights } from '../snapshot/events.ts'
import { refreshSnapshots, mergeSnapshotChanges } from '../snapshot/take-snapshot.ts'
import { shownVerdict } from './scanning.ts'

const HEARTBEAT_MS = 30_000
const SNAPSHOT_MS = 15_000
/** While there is no line it is looked for more often. */
const PROBE_MS = 4_000
const TICK_MS = 1_000

/** By a clock that nobody sets: a phone that learns the right time must not wait for what it took for the time before. */
const clock = () => performance.now()

let heartbeatAt = -Infinity
let snapshotAt = -Infinity
let isBusy = false
let isListing = false
/** Whether the list of events has come since the app was opened. */
let areEventsRead = false
/** How many unsent scans the last heartbeat told of. */
let toldUnsent = 0

/** One round: what is due is done, one after the other, by one tab. A line that breaks ends it; the next one begins anew. */
export const runDueSync = async (version: string): Promise<void> => {
  if (!pairedDevice.value || isRevoked.value || isBusy) return
  isBusy = true
  try {
    if (clock() - heartbeatAt >= (isOnline.value ? HEARTBEAT_MS : PROBE_MS)) await beat(version)
    if (!isOnline.value || isRevoked.value) return
    if (unsentScans.value.length > 0) await syncScans()
    // Whoever leads the evening is not to wait half a minute for the news that nothing is missing any more.
    if (toldUnsent > 0 && unsentScans.value.length === 0) await beat(version)
    if (clock() - snapshotAt >= SNAPSHOT_MS && !isListing) void refreshLists()
  } catch (error) {
    if (!(error instanceof NoServerAnswer)) console.warn(error)
  } finally {
    isBusy = false
  }
}

/** Beside the rounds: a list that is stuck in a bad line keeps no scan from being sent and nobody from looking for the line. */
const refreshLists = async () => {
  isListing = true
  snapshotAt = clock()
  try {
    await refreshSnapshots()
    // When each was asked for last is written down, too.
    if (chosenEvents.value.length > 0) isStorageBroken.value = false
    requestIdle(prepareSearchIndex)
  } catch (error) {
    if (error instanceof DOMException) isStorageBroken.value = true
    if (!(error instanceof NoServerAnswer)) console.warn(error)
  } finally {
    isListing = false
  }
}

const beat = async (version: string) => {
  heartbeatAt = clock()
  const unsent = unsentScans.value.length
  const changedAt = await sendHeartbeat(version)
  toldUnsent = unsent
  if (changedAt === null && areEventsRead) return standAtTonights()
  await refreshEvents()
  areEventsRead = true
  // Last: a list that did not come is asked for again.
  if (changedAt !== null) await writeSetting('eventsChangedAt', changedAt)
}

const requestIdle = (work: () => void) => {
  if ('requestIdleCallback' in window) requestIdleCallback(work)
  else setTimeout(work, 200)
}

/** Now, whatever the timers say: the line is back, or somebody looks at the phone again. */
export const syncNow = (version: string): void => {
  heartbeatAt = -Infinity
  snapshotAt = -Infinity
  void runDueSync(version)
}

/** A new door wants its tickets now. */
export const refreshSnapshotNow = (version: string): void => {
  snapshotAt = -Infinity
  void runDueSync(version)
}

export const startBackgroundWork = (version: string): void => {
  setInterval(() => void runDueSync(version), TICK_MS)
  setInterval(() => void deleteOldEvents().catch(() => undefined), 10 * 60_000)
  setInterval(() => void mergeSnapshotChanges().catch(() => undefined), 15 * 60_000)
  addEventListener('online', () => syncNow(version))
  addEventListener('focus', () => syncNow(version))
  addEventListener('pageshow', () => syncNow(version))
  addEventListener('offline', () => (isOnline.value = false))
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') {
      syncNow(version)
      void requestWakeLock()
    } else void syncScans({ isLeaving: true })
  })
  addEventListener('pagehide', () => void syncScans({ isLeaving: true }))
  effect(() => {
    if (!isRevoked.value) return
    shownVerdict.value = null
    if (pairedDevice.peek()) void wipeRevokedDevice()
  })
  void requestWakeLock()
  void Promise.all(events.value.map(({ slug }) => readAllTickets(slug))).then(() => requestIdle(prepareSearchIndex))
}

let held: WakeLockSentinel | null = null

/** The screen stays on; the system lets go of it whenever the page is hidden, and may refuse. */
export const requestWakeLock = async (): Promise<void> => {
  if (!('wakeLock' in navigator) || (held && !held.released) || document.visibilityState !== 'visible') return
  held = await navigator.wakeLock.request('screen').catch(() => null)
}

/** Otherwise the system may clear the queue when the phone runs full. It may refuse; the self-test says so. */
export const requestPersistentStorage = async (): Promise<void> => {
  if (await navigator.storage?.persisted?.()) return
  await navigator.storage?.persist?.().catch(() => false)
}
