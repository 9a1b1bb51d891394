import { NoServerAnswer, requestAsDevice } from '../base/ask.ts'
import { serverNow } from '../base/clock.ts'
import { type EventOnDevice, withDatabase } from '../base/database.ts'
import { deleteStoredTickets, loadTickets } from '../base/kept-tickets.ts'
import { isUnsent } from '../base/scan-record.ts'
import { serverRejectedScans, events, isOnline, scans } from '../base/state.ts'
import { dropCachedTickets } from '../base/tickets.ts'

export const loadEvents = async (): Promise<void> => {
  const kept = await withDatabase((db) => db.getAll('events'))
  await Promise.all(kept.map(({ slug }) => loadTickets(slug)))
  events.value = kept
}

/** What else has changed of it meanwhile stays, and one that is gone stays so. */
export const updateEvent = (slug: string, changes: Partial<EventOnDevice>): Promise<void> =>
  replaceEvents(events.value.map((event) => (event.slug === slug ? { ...event, ...changes } : event)))

/** Stands for this one from now on: what was chosen stays chosen, and what was scanned is of the new slug. */
export const replaceRenamedEvent = async (before: string, slug: string): Promise<void> => {
  const isChosen = events.value.some((event) => event.isChosen && (event.slug === before || event.slug === slug))
  const others = events.value.filter((event) => event.slug !== before)
  // Together with the choice: the tickets of the old slug are of no chosen event any more.
  dropCachedTickets(before)
  await replaceEvents(others.map((event) => (event.slug === slug ? { ...event, isChosen } : event)))
  await deleteStoredTickets(before)
  const isOfIt = ({ eventSlug }: { eventSlug: string }) => eventSlug === before
  // What is unsent learns its slug from the answer of the sync.
  scans.value = scans.value.map((scan) => (isOfIt(scan) && !isUnsent(scan) ? { ...scan, eventSlug: slug } : scan))
  serverRejectedScans.value = serverRejectedScans.value.map((each) =>
    isOfIt(each) ? { ...each, eventSlug: slug } : each,
  )
  await withDatabase(async (db) => {
    const transaction = db.transaction(['scans', 'deviations'], 'readwrite')
    for (const scan of scans.value) if (!isUnsent(scan)) void transaction.objectStore('scans').put(scan)
    for (const each of serverRejectedScans.value) void transaction.objectStore('deviations').put(each)
    await transaction.done
  })
}

/** An event of this slug without its tickets; nothing where it is known. */
export const addEvent = async (event: EventOnDevice): Promise<void> => {
  if (events.value.some(({ slug }) => slug === event.slug)) return
  await replaceEvents([
    ...events.value,
    { ...event, isChosen: false, generatedAt: null, etag: null, refreshedAt: null },
  ])
}

/** The slugs of the last list; null before the first one. */
let listedSlugs: ReadonlySet<string> | null = null

/** Chosen ones, and those that are missing in the list: they may go by another slug now. */
export const eventsToRefresh = (): EventOnDevice[] =>
  events.value.filter(
    ({ isChosen, generatedAt, slug }) =>
      isChosen || (generatedAt !== null && listedSlugs !== null && !listedSlugs.has(slug)),
  )

interface GivenEvent {
  slug: string
  title: string
  starts_at: string
  ends_at: string
  venue: { name: string | null }
}

/** The events that can be scanned now. */
export const refreshEvents = async (): Promise<void> => {
  const { status, body } = await requestAsDevice('/scanner/events')
  if (status !== 200 || !Array.isArray(body?.events)) throw new NoServerAnswer('No list of events')
  const given = body.events as GivenEvent[]
  listedSlugs = new Set(given.map(({ slug }) => slug))
  const known = new Map(events.value.map((event) => [event.slug, event]))
  const now = serverNow().getTime()
  const upcoming = given.filter(({ ends_at }) => Date.parse(ends_at) > now)
  const listed = upcoming.map(({ slug, title, starts_at, ends_at, venue }): EventOnDevice => {
    const before = known.get(slug)
    return {
      reentry: null,
      generatedAt: null,
      etag: null,
      refreshedAt: null,
      ...before,
      slug,
      title,
      startsAt: starts_at,
      endsAt: ends_at,
      venue: venue.name,
      isChosen: before?.isChosen ?? false,
    }
  })
  const slugs = new Set(listed.map(({ slug }) => slug))
  // What is over stays until its data go.
  const kept = events.value.filter(({ slug, generatedAt }) => !slugs.has(slug) && generatedAt !== null)
  const all = [...listed, ...kept].toSorted((one, other) => one.startsAt.localeCompare(other.startsAt))
  await replaceEvents(isToMoveOn(all, now) ? chooseTonight(all, now) : all)
}

/** A phone that stands nowhere, or where everything was over long ago, stands at tonight's. */
export const standAtTonights = async (): Promise<void> => {
  const now = serverNow().getTime()
  if (isToMoveOn(events.value, now)) await replaceEvents(chooseTonight(events.value, now))
}

const EARLY_MS = 16 * 3_600_000
/** So long after the end, and after the last scan, nobody comes any more. */
const LATE_MS = 3 * 3_600_000

/** When somebody last said where this phone stands. */
let chosenByHandAt = 0

const isToMoveOn = (all: readonly EventOnDevice[], now: number): boolean => {
  const chosen = all.filter(({ isChosen }) => isChosen)
  if (chosen.length === 0) return all.some(isOpenAt(now))
  const scannedAt = Date.parse(scans.value.at(-1)?.scannedAt ?? '') || 0
  const inUseAt = Math.max(chosenByHandAt, scannedAt, ...chosen.map(({ endsAt }) => Date.parse(endsAt)))
  return inUseAt + LATE_MS <= now && all.some(isOnTonight(now))
}

const isOpenAt =
  (now: number) =>
  ({ endsAt }: EventOnDevice) =>
    Date.parse(endsAt) > now

const isOnTonight = (now: number) => (event: EventOnDevice) =>
  isOpenAt(now)(event) && Date.parse(event.startsAt) - EARLY_MS <= now

const chooseTonight = (all: readonly EventOnDevice[], now: number): EventOnDevice[] => {
  const tonight = all.filter(isOnTonight(now))
  const chosen = tonight.length > 0 ? tonight : all.filter(isOpenAt(now)).slice(0, 1)
  return all.map((event) => ({ ...event, isChosen: chosen.includes(event) }))
}

/** In memory at once, so that whoever comes next starts from it; the disk has them in the same order. */
const replaceEvents = async (all: readonly EventOnDevice[]) => {
  events.value = all
  await withDatabase(async (db) => {
    const transaction = db.transaction('events', 'readwrite')
    void transaction.store.clear()
    // Done once more it must not bring back what has changed since.
    for (const event of events.value) void transaction.store.put(event)
    await transaction.done
  })
}

export const chooseEvents = async (slugs: readonly string[]): Promise<void> => {
  chosenByHandAt = serverNow().getTime()
  await replaceEvents(events.value.map((event) => ({ ...event, isChosen: slugs.includes(event.slug) })))
}

const KEPT_AFTER_END_MS = 24 * 3_600_000

/** Names and tickets go a day after the end. What the server does not have yet stays, without a name. */
export const deleteOldEvents = async (): Promise<void> => {
  // How wrong the phone's clock is was told at the last word of the server; it may have been put right since.
  const now = Math.min(serverNow().getTime(), isOnline.value ? Infinity : Date.now())
  const old = events.value.filter(({ endsAt }) => Date.parse(endsAt) + KEPT_AFTER_END_MS < now)
  if (old.length === 0) return
  const slugs = new Set(old.map(({ slug }) => slug))
  for (const slug of slugs) {
    await deleteStoredTickets(slug)
    dropCachedTickets(slug)
  }
  events.value = events.value.filter(({ slug }) => !slugs.has(slug))
  const goes = scans.value.filter((scan) => slugs.has(scan.eventSlug) && !isUnsent(scan))
  const nameless = serverRejectedScans.value.map((each) => (slugs.has(each.eventSlug) ? { ...each, name: '' } : each))
  await withDatabase(async (db) => {
    const transaction = db.transaction(['scans', 'deviations', 'events'], 'readwrite')
    for (const slug of slugs) void transaction.objectStore('events').delete(slug)
    for (const { seq } of goes) void transaction.objectStore('scans').delete(seq!)
    for (const each of nameless) void transaction.objectStore('deviations').put(each)
    await transaction.done
  })
  scans.value = scans.value.filter((scan) => !goes.includes(scan))
  serverRejectedScans.value = nameless
}
