import type { CallerScope, Tx } from '../../../access/scopes.ts'
import { type AttemptKind, entryEndRefusalReason } from '../../rules.ts'
import type { Attempt } from '../attempt.ts'
import type { JudgedAttempt } from '../wire.ts'
import {
  type EndableTicket,
  type EntryEndAttempt,
  findEndableTickets,
  findScannableTickets,
  insertEndAttempts,
  updateEndedTickets,
} from './records.ts'

const DONE: Record<Exclude<AttemptKind, 'entry'>, string> = { exit: 'Exit recorded', annulment: 'Entry annulled' }

/**
 * Exits, annulments and what a device refused, in this order, of tickets that are locked. Each is added to the log,
 * whatever becomes of it.
 */
export const endEntries = async (
  scope: CallerScope,
  tx: Tx,
  attempts: readonly Attempt[],
): Promise<JudgedAttempt[]> => {
  const publicIds = [...new Set(attempts.map(({ identifier }) => identifier.publicId))]
  const tickets = await findEndableTickets(scope, tx, publicIds)
  const ended = new Set<EndableTicket>()
  const judged = attempts.map((attempt): EntryEndAttempt => {
    const ticket = tickets.get(attempt.identifier.publicId)
    if (!ticket || (attempt.eventId !== null && attempt.eventId !== ticket.eventId)) {
      return { attempt, ticket: undefined, result: 'not_found', message: 'Ticket not found', entryNumber: null }
    }
    const message = judge(scope, attempt, ticket)
    if (message) return { attempt, ticket, result: 'blocked', message, entryNumber: null }

    endEntryOf(ticket, kindOf(attempt))
    ended.add(ticket)
    const { endedEntries: entryNumber } = ticket
    return { attempt, ticket, result: 'accepted', message: DONE[kindOf(attempt)], entryNumber }
  })
  const now = await insertEndAttempts(tx, judged)
  if (ended.size > 0) await updateEndedTickets(tx, [...ended])
  return show(judged, now, await findScannableTickets(tx, publicIds))
}

const kindOf = ({ kind }: Attempt) => {
  if (kind === 'entry') throw new Error('An entry does not end one')
  return kind
}

const judge = (scope: CallerScope, attempt: Attempt, ticket: EndableTicket) => {
  if (attempt.refused !== null) return attempt.refused
  const { credentialId, reason } = attempt
  const annulsAny = credentialId === scope.credential.id && mayAnnulAny(scope)
  return entryEndRefusalReason(ticket, { kind: kindOf(attempt), reason, credentialId, annulsAny, now: ticket.now })
}

/** Devices and members who only scan take back what they did themselves. */
const mayAnnulAny = ({ credential: { kind, role } }: CallerScope) =>
  kind === 'account_token' || role === 'owner' || role === 'manager' || role === 'co_organizer'

/** An annulment puts back what was before the entry: outside for who had gone out, else never here. */
const endEntryOf = (ticket: EndableTicket, kind: 'exit' | 'annulment') => {
  ticket.endedEntries += 1
  ticket.entry = null
  if (kind === 'exit') {
    ticket.leftAt = ticket.now
    ticket.lastExitAt = ticket.now
    return
  }
  ticket.leftAt = ticket.lastExitAt
  if (!ticket.lastExitAt) ticket.redeemedAt = null
}

const show = (
  judged: readonly EntryEndAttempt[],
  now: Date,
  shown: ReadonlyMap<string, JudgedAttempt['ticket']>,
): JudgedAttempt[] =>
  judged.map(({ attempt, ticket, result, message }) => ({
    clientId: attempt.clientId,
    eventSlug: attempt.eventSlug,
    publicId: attempt.identifier.publicId,
    kind: attempt.kind,
    result,
    message,
    scannedAt: attempt.scannedAt ?? now,
    syncedAt: now,
    acceptedAt: result === 'accepted' ? now : null,
    ticket: (ticket && shown.get(ticket.publicId)) ?? null,
  }))
