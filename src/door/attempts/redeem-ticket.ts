import { type CallerScope, EventScope } from '../../access/scopes.ts'
import { Conflict, found } from '../../kernel/refusals.ts'
import { guessIdentifier, parseIdentifier, canBeStored } from '../identifiers.ts'
import type { Identifier } from '../records.ts'
import type { ScannableTicket } from '../wire.ts'
import { attemptTogether } from './attempt-together.ts'
import type { Attempt } from './attempt.ts'
import type { JudgedAttempt } from './wire.ts'

export interface Redemption {
  identifier: string
  /** Makes a repetition safe, as the client_id of a synced attempt does; the two are one and the same. */
  clientId: string | null
}

/** Redeems the ticket, or says why not. An event's scope takes the tickets of that event only. */
export const redeemTicket = async (
  scope: CallerScope,
  { identifier, clientId }: Redemption,
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
  }
  const { ticket, ...judged } = found(
    await guessIdentifier(scope, async () => {
      if (!canBeStored(identifier)) return undefined
      const each = await attemptTogether(scope, attempt)
      return each.ticket ? { ...each, ticket: each.ticket } : undefined
    }),
  )
  if (!names(attempt.identifier, ticket)) throw new Conflict('This Idempotency-Key was used for another ticket')
  // What ended an entry lets nobody in.
  if (judged.kind !== 'entry') throw new Conflict('This Idempotency-Key was used for another kind of attempt')
  return { ...judged, ticket }
}

const names = ({ publicId, code }: Identifier, ticket: ScannableTicket) =>
  ticket.publicId === publicId || ticket.checkInCode === code
