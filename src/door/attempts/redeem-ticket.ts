import type { Kysely } from 'kysely'
import { type CallerScope, EventScope } from '../../access/scopes.ts'
import { gather } from '../../database/gather.ts'
import type { Tables } from '../../database/table-types.ts'
import { identify, isNameable, missed, requireGuesses } from '../find-tickets.ts'
import { Conflict } from '../../kernel/refusals.ts'
import type { Identifier } from '../records.ts'
import type { JudgedAttempt, TicketAtTheDoor } from '../wire.ts'
import { type Attempt, attemptRedemptions } from './records.ts'
import { attemptOnce } from './sync-attempts.ts'

/**
 * The line in front of each database: redemptions that arrive together leave together. One batch at a time is away,
 * so that batches grow: half of what a small one costs is spent on beginning it.
 */
const lines = new WeakMap<Kysely<Tables>, (attempt: Attempt) => Promise<JudgedAttempt>>()

const lineOf = (db: Kysely<Tables>) => {
  let line = lines.get(db)
  if (!line) {
    line = gather((attempts: Attempt[]) => attemptRedemptions(db, attempts), { abreast: 1 })
    lines.set(db, line)
  }
  return line
}

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
  requireGuesses(scope)
  if (!isNameable(identifier)) throw missed(scope)

  const attempt: Attempt = {
    accountId: scope.account.id,
    credentialId: scope.credential.id,
    eventId: scope instanceof EventScope ? scope.event.id : null,
    membershipId: scope.reach === 'account' ? null : scope.actor.membershipId,
    eventSlug: scope instanceof EventScope ? scope.event.slug : '',
    identifier: identify(identifier),
    clientId,
    scannedAt: null,
  }
  const judged =
    clientId === null
      ? await lineOf(scope.express.db)(attempt)
      : (await attemptOnce(scope, new Map([[clientId, attempt]]))).get(clientId)!

  const { ticket } = judged
  if (!ticket) throw missed(scope)
  if (!names(attempt.identifier, ticket)) throw new Conflict('This Idempotency-Key was used for another ticket')
  return { ...judged, ticket }
}

const names = ({ publicId, code }: Identifier, ticket: TicketAtTheDoor) =>
  ticket.publicId === publicId || ticket.checkInCode === code
