import type { AttemptKind } from '../../../src/door/rules.ts'
import { isCode, isPublicId, normalizeCode } from '../../../src/kernel/rules.ts'
import { NoServerAnswer } from '../base/ask.ts'
import { serverNow } from '../base/clock.ts'
import { storeChangedTickets } from '../base/kept-tickets.ts'
import { type Scan, isAdmitting } from '../base/scan-record.ts'
import { chosenEvents, isOnline, isRevoked, isStorageBroken, scans } from '../base/state.ts'
import type { Ticket } from '../base/ticket.ts'
import { findTicket, unsentScansOf } from '../base/tickets.ts'
import { submitScanOnline, findTicketOnline } from '../queue/ask-online.ts'
import { writeScan } from '../queue/scan-log.ts'
import {
  type Judgement,
  STORAGE_FULL_REASON,
  WRONG_EVENT_REASON,
  judgeTicket,
  judgeByReason,
  unknownJudgement,
} from '../verdict/judge.ts'

export interface ScanInput {
  /** The same thing as it may have been meant, likeliest first. */
  readings: readonly string[]
  kind: AttemptKind
  reason?: string | null
  isOverride?: boolean
}

/** Of what it may have been, what is a ticket. */
const findFirst = async (readings: readonly string[]): Promise<Ticket | null> => {
  for (const text of readings) {
    const found = await findTicket(text, codeOf(text))
    if (found) return found
  }
  return null
}

const codeOf = (text: string) => {
  const code = normalizeCode(text)
  return isCode(code) ? code : null
}

/** From a scan to its verdict, whatever fails: where there was none, the last guest's would stand for this one. */
export const scanTicket = (input: ScanInput): Promise<Judgement> =>
  judgeScan(input).catch((error: unknown) => {
    console.warn(error)
    isStorageBroken.value = true
    return storageFull(null)
  })

/** It is on the disk before this comes back. */
const judgeScan = async ({ readings, kind, reason = null, isOverride = false }: ScanInput): Promise<Judgement> => {
  const startedAt = performance.now()
  const ticket = await findFirst(readings)
  const identifier = ticket?.publicId ?? readings.find((text) => isPublicId(text) || codeOf(text)) ?? readings[0]!
  const local = isOverride && ticket ? judgeByReason(ticket, null) : judgeTicket(ticket, kind, reason)
  performance.measure('foyer-judge', { start: startedAt })
  // While somebody was let in or out by it and that is on its way the server knows less of it than this phone.
  const asks = isOnline.value && !isOverride && !unsentScansOf(identifier).some(({ verdict }) => isAdmitting(verdict))
  const scan: Scan = {
    eventSlug: ticket?.eventSlug ?? chosenEvents.value[0]?.slug ?? '',
    publicId: identifier,
    kind,
    reason,
    scannedAt: serverNow().toISOString(),
    verdict: null,
    refusal: null,
    isOverride,
    state: 'asking',
    result: null,
    message: null,
    acceptedAt: null,
    // What was under way when the phone was switched off goes on, as the same attempt.
    ...findUndecided(identifier, kind),
    clientId: findUndecided(identifier, kind)?.clientId ?? crypto.randomUUID(),
  }
  return asks ? decideOnline(scan, ticket, local) : decideLocally(scan, local)
}

const findUndecided = (identifier: string, kind: AttemptKind) =>
  scans.value.findLast(
    (scan) => scan.publicId === identifier && scan.kind === kind && scan.state === 'asking' && scan.verdict === null,
  )

const decided = (scan: Scan, { verdict, reason }: Judgement): Scan => ({
  ...scan,
  verdict,
  refusal: isAdmitting(verdict) ? null : reason,
  state: 'unsent',
})

/** Nobody is let in by what could be forgotten. */
const storageFull = (ticket: Ticket | null): Judgement => ({
  verdict: 'refused',
  reason: STORAGE_FULL_REASON,
  ticket,
  eventTitle: null,
})

const decideLocally = async (scan: Scan, local: Judgement): Promise<Judgement> => {
  const written = await writeScan(decided(scan, local)).catch(() => null)
  return written ? local : storageFull(local.ticket)
}

const decideOnline = async (scan: Scan, ticket: Ticket | null, local: Judgement): Promise<Judgement> => {
  const asking = await writeScan(scan).catch(() => null)
  const answered = await (ticket ? judgeOnline(scan, ticket, local) : judgeUnknown(scan)).catch((error: unknown) => {
    if (error instanceof NoServerAnswer) return null
    throw error
  })
  if (!answered) return asking ? decideLocally(asking, local) : storageFull(ticket)

  const { judgement, isSent, eventSlug } = answered
  // Also what the queue brings there: scanned once more it must be found with what is unsent.
  await storeChangedTickets(judgement.ticket ? [judgement.ticket] : []).catch(() => undefined)
  if (isRevoked.value) return local
  const result = {
    ...decided(asking ?? scan, judgement),
    eventSlug: eventSlug ?? scan.eventSlug,
    // The sync finds nothing by a code that was typed.
    publicId: judgement.ticket?.publicId ?? scan.publicId,
  }
  if (!isSent) return (await writeScan(result).catch(() => null)) ? judgement : storageFull(judgement.ticket)
  // The server has it, so the verdict stands even where this phone can write nothing any more.
  await writeScan({
    ...result,
    state: 'sent',
    result: isAdmitting(judgement.verdict) ? 'accepted' : judgement.verdict === 'already' ? 'conflict' : 'blocked',
    message: judgement.reason,
    acceptedAt: isAdmitting(judgement.verdict) ? serverNow().toISOString() : null,
  }).catch(() => undefined)
  return judgement
}

interface Answered {
  judgement: Judgement
  /** Whether the server has the scan now; else the queue brings it there. */
  isSent: boolean
  eventSlug?: string
}

const judgeOnline = async (scan: Scan, ticket: Ticket, local: Judgement): Promise<Answered | null> => {
  // Nothing of another event is redeemed, so there is nothing to ask.
  if (local.verdict === 'wrong_event') return null
  const word = await submitScanOnline(scan, ticket)
  return word && { judgement: judgeByReason(word.ticket, word.error), isSent: true }
}

/** Bought after the snapshot was made, for another event, or nothing at all. */
const judgeUnknown = async (scan: Scan): Promise<Answered | null> => {
  const found = await findTicketOnline(scan.publicId)
  if (found === null) return null
  if (found === undefined) return { judgement: unknownJudgement, isSent: false }
  const { ticket, eventTitle } = found
  if (!chosenEvents.value.some(({ slug }) => slug === ticket.eventSlug)) {
    return {
      judgement: { verdict: 'wrong_event', reason: WRONG_EVENT_REASON, ticket, eventTitle },
      isSent: false,
      eventSlug: ticket.eventSlug,
    }
  }
  const word = await submitScanOnline({ ...scan, eventSlug: ticket.eventSlug }, ticket).catch((error: unknown) => {
    // The ticket is known by now, so an answer that does not come leaves it to this phone.
    if (error instanceof NoServerAnswer) return null
    throw error
  })
  if (word) return { judgement: judgeByReason(word.ticket, word.error), isSent: true, eventSlug: ticket.eventSlug }
  return { judgement: judgeTicket(ticket, scan.kind, scan.reason), isSent: false, eventSlug: ticket.eventSlug }
}
