import type { CallerScope } from '../../access/scopes.ts'
import { Conflict, Refusal, found } from '../../kernel/refusals.ts'
import { Malformed } from '../../http/body.ts'
import { canBeStored, guessIdentifier, parseIdentifier } from '../identifiers.ts'
import { findTicket } from '../records.ts'
import type { ScannableTicket } from '../wire.ts'
import { attemptOnce } from './attempt-once.ts'
import { readClientId, readReason } from './body.ts'
import type { JudgedAttempt } from './wire.ts'

/** As it was sent. */
export interface EntryEndWish {
  kind: 'exit' | 'annulment'
  reason: unknown
  client_id: unknown
}

/** Ends the last entry of a ticket, or says why not. */
export const endEntry = async (
  scope: CallerScope,
  identifier: string,
  wish: EntryEndWish,
): Promise<JudgedAttempt & { ticket: ScannableTicket }> => {
  const { publicId, eventSlug } = found(
    await guessIdentifier(scope, async () =>
      canBeStored(identifier) ? findTicket(scope, parseIdentifier(identifier)) : undefined,
    ),
  )
  const [judged] = await attemptOnce(scope, scope.credential.id, [
    {
      accountId: scope.account.id,
      credentialId: scope.credential.id,
      eventId: null,
      membershipId: scope.boundMembershipId,
      eventSlug,
      identifier: { publicId, code: null },
      clientId: clientIdOf(wish.client_id),
      scannedAt: null,
      kind: wish.kind,
      reason: wish.kind === 'annulment' ? readReason(wish.reason) : null,
    },
  ])
  const ticket = found(judged!.ticket)
  if (ticket.publicId !== publicId) throw new Conflict('This client_id was used for another ticket')
  if (judged!.kind !== wish.kind) throw new Conflict('This client_id was used for another kind of attempt')
  return { ...judged!, ticket }
}

/** Refused as malformed: at these addresses 422 always brings a ticket along. */
const clientIdOf = (given: unknown) => {
  if (given === undefined || given === null) return null
  try {
    return readClientId(given)
  } catch (error) {
    throw error instanceof Refusal ? new Malformed(`client_id ${error.message}`) : error
  }
}
