import {
  ALREADY_REDEEMED_MESSAGE,
  type AttemptKind,
  ORDER_UNPAID_MESSAGE,
  entryRefusalReason,
  entryEndRefusalReason,
} from '../../../src/door/rules.ts'
import { serverNow } from '../base/clock.ts'
import { type VerdictKind, isAdmitting } from '../base/scan-record.ts'
import { chosenEvents, scans } from '../base/state.ts'
import type { Ticket } from '../base/ticket.ts'

export interface Judgement {
  verdict: VerdictKind
  /** Why not, in the server's words; null where they may. */
  reason: string | null
  /** As it stood when it was judged. */
  ticket: Ticket | null
  /** Where the ticket is for another event. */
  eventTitle: string | null
}

export const WRONG_EVENT_REASON = 'Ticket of another event'
export const UNKNOWN_TICKET_REASON = 'Ticket not found'
/** Nothing was written down, so nobody is let in. */
export const STORAGE_FULL_REASON = 'Storage full'

export const unknownJudgement: Judgement = {
  verdict: 'unknown',
  reason: UNKNOWN_TICKET_REASON,
  ticket: null,
  eventTitle: null,
}

/** The verdict on a ticket by what this phone knows, through the server's own rules. */
export const judgeTicket = (
  ticket: Ticket | null,
  kind: AttemptKind,
  annulmentReason: string | null = null,
): Judgement => {
  if (!ticket) return unknownJudgement
  const event = chosenEvents.value.find(({ slug }) => slug === ticket.eventSlug)
  if (!event) return judgeByReason(ticket, WRONG_EVENT_REASON)
  // The snapshot tells who is inside; when they left is not told, and does not matter.
  const stay = {
    redeemedAt: ticket.redeemedAt === null ? null : new Date(ticket.redeemedAt),
    leftAt: ticket.redeemedAt === null || ticket.isInside ? null : new Date(ticket.redeemedAt),
  }
  if (kind === 'entry')
    return judgeByReason(ticket, entryRefusalReason({ lastingReason: ticket.lastingReason, ...stay }))
  const facts = { ...stay, reentry: event.reentry ?? false, entry: ownEntryOf(ticket.publicId) }
  const end = { kind, reason: annulmentReason, credentialId: THIS_PHONE, annulsAny: false, now: serverNow() }
  return judgeByReason(ticket, entryEndRefusalReason(facts, end))
}

const THIS_PHONE = 1

/** The last entry, if it was made here; the time of the scan stands for that of the server where there was none yet. */
const ownEntryOf = (publicId: string) => {
  const entry = scans.value.findLast(
    (scan) => scan.publicId === publicId && scan.kind === 'entry' && isAdmitting(scan.verdict),
  )
  return entry ? { credentialId: THIS_PHONE, acceptedAt: new Date(entry.acceptedAt ?? entry.scannedAt) } : null
}

/** A refusal by its reason, whoever gave it. */
export const judgeByReason = (ticket: Ticket, reason: string | null, eventTitle: string | null = null): Judgement => ({
  verdict: verdictOf(ticket, reason),
  reason,
  ticket,
  eventTitle,
})

const verdictOf = (ticket: Ticket, reason: string | null): VerdictKind => {
  switch (reason) {
    case null:
      return ticket.staffNote ? 'in_note' : 'in'
    case ALREADY_REDEEMED_MESSAGE:
      return 'already'
    case ORDER_UNPAID_MESSAGE:
      return 'unpaid'
    case WRONG_EVENT_REASON:
      return 'wrong_event'
    case UNKNOWN_TICKET_REASON:
      return 'unknown'
    default:
      return 'refused'
  }
}
