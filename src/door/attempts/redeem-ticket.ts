import { type CallerScope, EventScope } from '../../access/scopes.ts'
import { Conflict, requireFound } from '../../kernel/refusals.ts'
import { lookUpWithinGuessBudget, parseIdentifier, isStorableIdentifier } from '../identifiers.ts'
import type { TicketIdentifier } from '../records.ts'
import type { ScannableTicket } from '../wire.ts'
import { attemptBatched } from './attempt-together.ts'
import type { Attempt } from './attempt.ts'
import type { JudgedAttempt } from './wire.ts'

export interface RedemptionInput {
  identifier: string
  /** Makes a repetition safe, as the client_id of a synced attempt does; the two are one and the same. */
  clientId: string | null
}

/** Redeems the ticket, or says why not. An event's scope takes the tickets of that event only. */
export const redeemTicket = async (
  scope: CallerScope,
  { identifier, clientId }: RedemptionInput,
): Promise<JudgedAttempt & { ticket: NonNullable<JudgedAttempt['ticket']> }> => {
  const attempt: Attempt = {
    accountId: scope.account.id,
    credentialId: scope.credential.id,
    eventId: scope instanceof EventScope ? scope.event.id : null,
    membershipId: scope.boundMembershipId,
    eventSlug: scope instanceof EventScope ? scope.event.slug : '',
    identifier: parseIdentifier(identifier),
    clientId,
    scannedAt: null,
    kind: 'entry',
    reason: null,
    refused: null,
  }
  const { ticket, ...judged } = requireFound(
    await lookUpWithinGuessBudget(scope, async () => {
      if (!isStorableIdentifier(identifier)) return undefined
      const each = await attemptBatched(scope, attempt)
      return each.ticket ? { ...each, ticket: each.ticket } : undefined
    }),
  )
  if (!names(attempt.identifier, ticket)) throw new Conflict('This Idempotency-Key was used for another ticket')
  // What ended an entry lets nobody in.
  if (judged.kind !== 'entry') throw new Conflict('This Idempotency-Key was used for another kind of attempt')
  scope.app.metrics?.countScan('online', judged.result)
  return { ...judged, ticket }
}

const names = ({ publicId, code }: TicketIdentifier, ticket: ScannableTicket) =>
  ticket.publicId === publicId || ticket.checkInCode === code
