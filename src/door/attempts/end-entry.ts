import type { CallerScope } from '../../access/scopes.ts'
import { Conflict, Refusal, requireFound } from '../../kernel/refusals.ts'
import { MalformedRequest } from '../../http/body.ts'
import { isStorableIdentifier, lookUpWithinGuessBudget, parseIdentifier } from '../identifiers.ts'
import { findTicket } from '../records.ts'
import type { ScannableTicket } from '../wire.ts'
import { attemptIdempotently } from './attempt-once.ts'
import { readClientId, readReason } from './body.ts'
import type { JudgedAttempt } from './wire.ts'

/** As it was sent. */
export interface EntryEndRequest {
  kind: 'exit' | 'annulment'
  reason: unknown
  client_id: unknown
}

/** Ends the last entry of a ticket, or says why not. */
export const endEntry = async (
  scope: CallerScope,
  identifier: string,
  input: EntryEndRequest,
): Promise<JudgedAttempt & { ticket: ScannableTicket }> => {
  const { publicId, eventSlug } = requireFound(
    await lookUpWithinGuessBudget(scope, async () =>
      isStorableIdentifier(identifier) ? findTicket(scope, parseIdentifier(identifier)) : undefined,
    ),
  )
  const [judged] = await attemptIdempotently(scope, scope.credential.id, [
    {
      accountId: scope.account.id,
      credentialId: scope.credential.id,
      eventId: null,
      membershipId: scope.boundMembershipId,
      eventSlug,
      identifier: { publicId, code: null },
      clientId: clientIdOf(input.client_id),
      scannedAt: null,
      kind: input.kind,
      reason: input.kind === 'annulment' ? readReason(input.reason) : null,
      refused: null,
    },
  ])
  const ticket = requireFound(judged!.ticket)
  if (ticket.publicId !== publicId) throw new Conflict('This client_id was used for another ticket')
  if (judged!.kind !== input.kind) throw new Conflict('This client_id was used for another kind of attempt')
  return { ...judged!, ticket }
}

/** Refused as malformed: at these addresses 422 always brings a ticket along. */
const clientIdOf = (given: unknown) => {
  if (given === undefined || given === null) return null
  try {
    return readClientId(given)
  } catch (error) {
    throw error instanceof Refusal ? new MalformedRequest(`client_id ${error.message}`) : error
  }
}
