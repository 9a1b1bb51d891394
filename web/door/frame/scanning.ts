import { signal } from '@preact/signals'
import type { AttemptKind } from '../../../src/door/rules.ts'
import { isAdmitting } from '../base/scan-record.ts'
import { events, isOnline, isRevoked, scanMode, scans, currentView } from '../base/state.ts'
import type { Ticket } from '../base/ticket.ts'
import { findTicketsOfParty } from '../base/tickets.ts'
import { findAdmittingDevice } from '../queue/ask-online.ts'
import { syncScans } from '../queue/sync.ts'
import { type Judgement } from '../verdict/judge.ts'
import { playVerdict } from '../verdict/sounds.ts'
import type { ShownVerdict } from '../verdict/verdict-screen.tsx'
import { scanTicket } from './scan-ticket.ts'

/** What fills the screen now. */
export const shownVerdict = signal<ShownVerdict | null>(null)
/** When somebody last scanned; who is idle may be updated. */
export const lastScanAt = signal(0)

/** The ticket whose entry is to be taken back. */
export const ticketIdToUndo = signal<string | null>(null)

let number = 0
/** What is being decided, by what it is about: touched or read twice it is one. */
const underWay = new Set<string>()
/** What was read while something was decided or a note was waiting to be touched, by what it is about and in its order. */
const waiting = new Map<string, () => Promise<void>>()

/** What was read last. */
let latest = ''

const isHeld = () => underWay.size > 0 || shownVerdict.value?.verdict === 'in_note'

const decide = async (key: string, kind: AttemptKind, work: () => Promise<Judgement>): Promise<void> => {
  if (underWay.has(key)) return
  underWay.add(key)
  lastScanAt.value = Date.now()
  try {
    const judgement = await work()
    show(judgement, kind)
  } finally {
    underWay.delete(key)
  }
  if (isOnline.value) void syncScans()
  if (waiting.size > 0 && isPassing()) void goOn()
}

/** Whether the next one may be shown at once: whoever came in alone needs nothing more. */
const isPassing = () => {
  const shown = shownVerdict.value
  return shown?.verdict === 'in' && (shown.ticket === null || findTicketsOfParty(shown.ticket).length === 1)
}

const goOn = async () => {
  const [next] = waiting
  if (!next || isHeld()) return
  const [key, work] = next
  waiting.delete(key)
  await work()
}

const show = (judgement: Judgement, kind: AttemptKind) => {
  if (isRevoked.value) return
  const { ticket, verdict } = judgement
  const isHere = ticket !== null && isLastEntryHere(ticket.publicId)
  const eventTitle = judgement.eventTitle ?? events.value.find(({ slug }) => slug === ticket?.eventSlug)?.title ?? null
  const next: ShownVerdict = { ...judgement, eventTitle, kind, number: ++number, by: null, isHere }
  shownVerdict.value = next
  ticketIdToUndo.value = null
  currentView.value = 'scan'
  playVerdict(verdict)
  if (verdict === 'already' && ticket && !isHere && isOnline.value) {
    void nameDoor(next.number, ticket)
  }
}

/** Whether they came in by this phone: not if that was taken back since, if they went out, or if the server has it otherwise. */
const isLastEntryHere = (publicId: string) => {
  const last = scans.value.findLast((scan) => scan.publicId === publicId && isAdmitting(scan.verdict))
  return last?.kind === 'entry' && (last.result === null || last.result === 'accepted')
}

const nameDoor = async (of: number, ticket: Ticket) => {
  const by = await findAdmittingDevice(ticket)
  if (by && shownVerdict.value?.number === of) shownVerdict.value = { ...shownVerdict.value, by }
}

/** A code that a camera, a scanner or a person read. */
export const handleReadings = async (readings: readonly string[]): Promise<void> => {
  const kind = scanMode.value
  const key = keyOf(kind, readings)
  if (underWay.has(key)) return
  latest = key
  waiting.set(key, () => decide(key, kind, () => scanTicket({ readings, kind })))
  await goOn()
}

const keyOf = (kind: AttemptKind, readings: readonly string[]) => [kind, ...readings].join(' ')

/**
 * A camera sees what it is held before: while somebody has to be told something the next code does not count, and is read
 * when that is done. Says whether it is done with this one, as with the code that it is told about.
 */
export const handleCameraCode = (text: string): boolean => {
  const shown = shownVerdict.value
  const isTelling = shown !== null && (shown.verdict !== 'in' || document.querySelector('.party') !== null)
  if (isHeld() || isTelling || currentView.value !== 'scan') return latest === keyOf(scanMode.value, [text])
  void handleReadings([text])
  return true
}

export const scanKnownTicket = (ticket: Ticket): Promise<void> => handleReadings([ticket.publicId])

/** The rest of a party; whoever cannot come in after all is what is shown. */
export const admitTickets = (tickets: readonly Ticket[]): Promise<void> => {
  const ids = tickets.map(({ publicId }) => publicId)
  return decide(keyOf('entry', ids), 'entry', async () => {
    const judged = await Promise.all(ids.map((id) => scanTicket({ readings: [id], kind: 'entry' })))
    return judged.find(({ verdict }) => !isAdmitting(verdict)) ?? judged[0]!
  })
}

export const annulEntry = (ticket: Ticket, reason: string): Promise<void> =>
  decide(keyOf('annulment', [ticket.publicId]), 'annulment', () =>
    scanTicket({ readings: [ticket.publicId], kind: 'annulment', reason }),
  )

export const admitByOverride = (ticket: Ticket): Promise<void> =>
  decide(keyOf('entry', [ticket.publicId]), 'entry', () =>
    scanTicket({ readings: [ticket.publicId], kind: 'entry', isOverride: true }),
  )

export const closeVerdict = (): void => {
  shownVerdict.value = null
  void goOn()
}
