import { signal } from '@preact/signals'
import { type PackedTicket, PACKED_INDEX, type Ticket, packTicket, unpackTicket } from './ticket.ts'
import { type TicketIndex, positionOfCode, positionOfId, sizeOf, stateAt, stateOf } from './ticket-index.ts'
import { type Scan, isAdmitting } from './scan-record.ts'
import { chosenEvents, unsentScans } from './state.ts'

/** The tickets of an event: all of them by their index, and those that were read from the disk. */
interface EventTickets {
  byId: Map<string, PackedTicket>
  size: number
  expected: number
  arrived: number
  /** What is still on the disk; null once all of it is here. */
  onDisk: OnDisk | null
}

interface OnDisk {
  index: TicketIndex
  /** Reads the tickets around a position into memory. */
  readAround(at: number): Promise<void>
  /** When all are read. */
  whole: Promise<void>
}

const noTickets = (): EventTickets => ({ byId: new Map(), size: 0, expected: 0, arrived: 0, onDisk: null })

const put = (tickets: EventTickets, ticket: PackedTicket) => {
  const id = ticket[PACKED_INDEX.publicId] as string
  const before = stateBefore(tickets, id)
  tickets.byId.set(id, ticket)
  count(tickets, stateOf(ticket), 1)
  if (before === null) tickets.size++
  else count(tickets, before, -1)
}

/** Null where it is new. */
const stateBefore = ({ byId, onDisk }: EventTickets, id: string): number | null => {
  const known = byId.get(id)
  if (known) return stateOf(known)
  const at = onDisk ? positionOfId(onDisk.index, id) : -1
  return at === -1 ? null : stateAt(onDisk!.index, at)
}

const count = (tickets: EventTickets, state: number, by: 1 | -1) => {
  tickets.expected += by * (state & 1)
  tickets.arrived += by * (state >> 1)
}

const cached = new Map<string, EventTickets>()

/** Counts up whenever a ticket changed, so that whoever shows one looks again. */
export const ticketsRevision = signal(0)

/** A whole snapshot that is on its way to the disk, joined with what this phone has heard since it was made. */
export interface SnapshotReplacement {
  tickets: PackedTicket[]
  /** Makes it what is in memory, but for what was heard while it was written. */
  commit(): void
}

export const prepareReplacement = (slug: string, snapshot: readonly PackedTicket[]): SnapshotReplacement => {
  const before = new Map(cached.get(slug)?.byId)
  const tickets = snapshot.map((ticket) => newerOf(ticket, before.get(ticket[PACKED_INDEX.publicId] as string)))
  const commit = () => {
    const all = noTickets()
    for (const ticket of tickets) put(all, ticket)
    for (const [id, ticket] of cached.get(slug)?.byId ?? []) if (before.get(id) !== ticket) put(all, ticket)
    cached.set(slug, all)
    ticketsRevision.value++
  }
  return { tickets, commit }
}

const newerOf = (ticket: PackedTicket, known: PackedTicket | undefined): PackedTicket =>
  known && (known[PACKED_INDEX.updatedAt] as string) > (ticket[PACKED_INDEX.updatedAt] as string) ? known : ticket

/** Opens an event by its index. Its tickets follow, in pieces; whoever is asked for meanwhile is read first. */
export const setTicketsOnDisk = (
  slug: string,
  {
    index,
    changes,
    perPiece,
    readPiece,
  }: {
    index: TicketIndex
    changes: readonly PackedTicket[]
    perPiece: number
    readPiece: (piece: number) => Promise<readonly PackedTicket[]>
  },
): void => {
  const all: EventTickets = { ...noTickets(), size: sizeOf(index) }
  for (let at = 0; at < all.size; at++) count(all, stateAt(index, at), 1)
  const pieces = new Map<number, Promise<void>>()
  const read = async (piece: number) => {
    // What changed since is newer than the piece.
    for (const ticket of await readPiece(piece)) {
      const id = ticket[PACKED_INDEX.publicId] as string
      if (!all.byId.has(id)) all.byId.set(id, ticket)
    }
  }
  const readOnce = (piece: number): Promise<void> => {
    const reading = pieces.get(piece) ?? read(piece)
    pieces.set(piece, reading)
    reading.catch(() => pieces.delete(piece))
    return reading
  }
  const readAll = async () => {
    for (let piece = 0; piece * perPiece < sizeOf(index); piece++) {
      await whenIdle()
      if (cached.get(slug) !== all) return
      await readOnce(piece)
    }
    all.onDisk = null
    performance.mark('foyer-tickets-read')
    ticketsRevision.value++
  }
  cached.set(slug, all)
  all.onDisk = { index, readAround: (at) => readOnce(Math.floor(at / perPiece)), whole: Promise.resolve() }
  for (const ticket of changes) put(all, ticket)
  // What could not be read is tried again when it is asked for.
  all.onDisk.whole = readAll().catch((error: unknown) => console.warn(error))
  ticketsRevision.value++
}

/** Lets whatever somebody touches, and what is to be painted, go first. */
const whenIdle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 100 })
    else setTimeout(resolve, 10)
  })

/** Brings tickets into memory by their public IDs. */
export const readTickets = async (slug: string, ids: readonly string[]): Promise<void> => {
  const { onDisk, byId } = cached.get(slug) ?? noTickets()
  if (!onDisk) return
  for (const id of ids) {
    const at = byId.has(id) ? -1 : positionOfId(onDisk.index, id)
    if (at !== -1) await onDisk.readAround(at)
  }
}

/** Brings all tickets of an event into memory. */
export const readAllTickets = async (slug: string): Promise<void> => cached.get(slug)?.onDisk?.whole

/** Whether all tickets of an event are in memory. */
export const isInMemory = (slug: string): boolean => {
  void ticketsRevision.value
  return !cached.get(slug)?.onDisk
}

export const dropCachedTickets = (slug?: string): void => {
  if (slug === undefined) cached.clear()
  else cached.delete(slug)
  ticketsRevision.value++
}

/** Takes over what is not older than what is in memory. Tells which were taken. */
export const mergeNewerTickets = (slug: string, changed: readonly Ticket[]): PackedTicket[] => {
  const all = cached.get(slug) ?? noTickets()
  const taken: PackedTicket[] = []
  for (const ticket of changed) {
    const packed = packTicket(ticket)
    if (newerOf(packed, all.byId.get(ticket.publicId)) !== packed) continue
    put(all, packed)
    taken.push(packed)
  }
  cached.set(slug, all)
  if (taken.length > 0) ticketsRevision.value++
  return taken
}

export const cachedPackedTickets = (slug: string): Iterable<PackedTicket> => cached.get(slug)?.byId.values() ?? []

export const countTickets = (): number => {
  void ticketsRevision.value
  return chosenEvents.value.reduce((sum, { slug }) => sum + (cached.get(slug)?.size ?? 0), 0)
}

/** Typed by hand, so that looking at all of them is quick enough; an index would be made at every opening. */
const findByCode = (byId: ReadonlyMap<string, PackedTicket>, code: string): PackedTicket | undefined => {
  for (const packed of byId.values()) if (packed[PACKED_INDEX.code] === code) return packed
  return undefined
}

/** By public ID or check-in code, in every event that is on this phone. */
export const findTicket = async (identifier: string, code: string | null): Promise<Ticket | undefined> => {
  for (const { onDisk, byId } of cached.values()) {
    if (!onDisk || byId.has(identifier)) continue
    const byCode = code === null ? -1 : positionOfCode(onDisk.index, code)
    const at = Math.max(positionOfId(onDisk.index, identifier), byCode)
    if (at !== -1) await onDisk.readAround(at)
  }
  return findTicketInMemory(identifier, code)
}

/** The same, of what is in memory. */
export const findTicketInMemory = (identifier: string, code: string | null): Ticket | undefined => {
  void ticketsRevision.value
  for (const { byId } of cached.values()) {
    const packed = byId.get(identifier) ?? (code === null ? undefined : findByCode(byId, code))
    if (packed) return withUnsentScans(unpackTicket(packed))
  }
  return undefined
}

type Stand = Pick<Ticket, 'publicId' | 'redeemedAt' | 'isInside'>

/** With what happened at this door and the server does not know yet. */
export const withUnsentScans = <Known extends Stand>(ticket: Known): Known => {
  let { redeemedAt, isInside } = ticket
  const before: Omit<Stand, 'publicId'>[] = []
  for (const scan of unsentScansOf(ticket.publicId)) {
    if (!isAdmitting(scan.verdict)) continue
    if (scan.kind === 'annulment') {
      const put = before.pop()
      redeemedAt = put ? put.redeemedAt : null
      isInside = put?.isInside ?? false
      continue
    }
    before.push({ redeemedAt, isInside })
    if (scan.kind === 'exit') isInside = false
    else {
      redeemedAt ??= scan.scannedAt
      isInside = true
    }
  }
  return { ...ticket, redeemedAt, isInside }
}

export const unsentScansOf = (publicId: string): Scan[] =>
  unsentScans.value.filter((scan) => scan.publicId === publicId && scan.state !== 'stuck')

const membersBy = (ticket: Ticket, field: 'partyKey' | 'pairKey'): Ticket[] => {
  void ticketsRevision.value
  const key = ticket[field]
  if (key === null) return [ticket]
  const members: Ticket[] = []
  for (const packed of cachedPackedTickets(ticket.eventSlug)) {
    if (packed[PACKED_INDEX[field]] === key) members.push(withUnsentScans(unpackTicket(packed)))
  }
  return members.toSorted(compareMembers)
}

const { compare: compareText } = new Intl.Collator(undefined, { numeric: true })

/** The order in which they would introduce themselves: who has bought, then by their places and names. On the disk they are sorted by IDs. */
const compareMembers = (one: Ticket, other: Ticket): number =>
  Number(other.attendeeName === other.buyerName) - Number(one.attendeeName === one.buyerName) ||
  Number(other.accessibility === 'wheelchair') - Number(one.accessibility === 'wheelchair') ||
  compareText(one.placeLabel ?? '', other.placeLabel ?? '') ||
  compareText(one.attendeeName, other.attendeeName)

/** Everybody of the same order. */
export const findTicketsOfParty = (ticket: Ticket): Ticket[] => membersBy(ticket, 'partyKey')

/** Both halves of a wheelchair pair. */
export const findTicketsOfPair = (ticket: Ticket): Ticket[] => membersBy(ticket, 'pairKey')

/** Of all chosen events, with what the server does not know yet. */
export const countArrivals = (): { expected: number; arrived: number } => {
  void ticketsRevision.value
  const chosen = chosenEvents.value.flatMap(({ slug }) => cached.get(slug) ?? [])
  let arrived = chosen.reduce((sum, tickets) => sum + tickets.arrived, 0)
  const touched = new Set(unsentScans.value.flatMap(({ verdict, publicId }) => (isAdmitting(verdict) ? publicId : [])))
  for (const publicId of touched) {
    for (const tickets of chosen) {
      const state = stateBefore(tickets, publicId)
      if (state !== null) arrived += Number(hasArrived(publicId, state >> 1)) - (state >> 1)
    }
  }
  return { expected: chosen.reduce((sum, tickets) => sum + tickets.expected, 0), arrived }
}

/** With what the server does not know yet; before it by what the server said. When they came does not matter here. */
const hasArrived = (publicId: string, before: number) =>
  withUnsentScans({ publicId, redeemedAt: before === 0 ? null : '', isInside: before === 1 }).redeemedAt !== null
