import { signal } from '@preact/signals'
import type { AttemptKind } from '../../../src/door/rules.ts'
import { isAdmitting } from '../base/scan-record.ts'
import { events, isOnline, scanMode, scans, currentView } from '../base/state.ts'
import type { Ticket } from '../base/ticket.ts'
import { findAdmittingDevice } from '../queue/ask-online.ts'
import { syncScans } from '../queue/sync.ts'
import { type Judgement } from '../verdict/judge.ts'
import { playVerdict } from '../verdict/sounds.ts'
import type { ShownVerdict } from '../verdict/verdict-screen.tsx'
import { scanTicket } from './scan-ticket.ts'

/** What fills the screen now. */
export const shownVerdict = signal<ShownVerdict | null>(null)
export const isDeciding = signal(false)
/** When somebody last scanned; who is idle may be updated. */
export const lastScanAt = signal(0)

/** The ticket whose entry is to be taken back. */
export const ticketIdToUndo = signal<string | null>(null)

let number = 0
/** What a scanner read while a note was waiting to be touched. */
let waiting: (() => Promise<void>) | null = null

const isHeld = () => isDeciding.value || shownVerdict.value?.verdict === 'in_note'

const decide = async (kind: AttemptKind, work: () => Promise<Judgement>): Promise<void> => {
  isDeciding.value = true
  lastScanAt.value = Date.now()
  try {
    const judgement = await work()
    show(judgement, kind)
  } finally {
    isDeciding.value = false
  }
  if (isOnline.value) void syncScans()
}

const show = (judgement: Judgement, kind: AttemptKind) => {
  const { ticket, verdict } = judgement
  const isHere =
    ticket !== null && scans.value.some((scan) => scan.publicId === ticket.publicId && isAdmitting(scan.verdict))
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

const nameDoor = async (of: number, ticket: Ticket) => {
  const by = await findAdmittingDevice(ticket)
  if (by && shownVerdict.value?.number === of) shownVerdict.value = { ...shownVerdict.value, by }
}

/** A code that a camera, a scanner or a person read. */
export const handleReadings = async (readings: readonly string[]): Promise<void> => {
  const kind = scanMode.value
  const work = () => decide(kind, () => scanTicket({ readings, kind }))
  if (isHeld()) waiting = work
  else await work()
}

/** A camera sees what it is held before: while somebody has to be told something it does not count. */
export const handleCameraCode = async (text: string): Promise<void> => {
  if (isHeld() || currentView.value !== 'scan') return
  if (shownVerdict.value !== null && (shownVerdict.value.verdict !== 'in' || document.querySelector('.party') !== null))
    return
  await handleReadings([text])
}

export const scanKnownTicket = (ticket: Ticket): Promise<void> => handleReadings([ticket.publicId])

/** The rest of a party; whoever cannot come in after all is what is shown. */
export const admitTickets = (tickets: readonly Ticket[]): Promise<void> =>
  decide('entry', async () => {
    const judged = await Promise.all(tickets.map(({ publicId }) => scanTicket({ readings: [publicId], kind: 'entry' })))
    return judged.find(({ verdict }) => !isAdmitting(verdict)) ?? judged[0]!
  })

export const annulEntry = (ticket: Ticket, reason: string): Promise<void> =>
  decide('annulment', () => scanTicket({ readings: [ticket.publicId], kind: 'annulment', reason }))

export const admitByOverride = (ticket: Ticket): Promise<void> =>
  decide('entry', () => scanTicket({ readings: [ticket.publicId], kind: 'entry', isOverride: true }))

export const closeVerdict = (): void => {
  shownVerdict.value = null
  const next = waiting
  waiting = null
  void next?.()
}
