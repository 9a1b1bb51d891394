import type { Kysely } from 'kysely'
import { type CallerScope, EventScope } from '../../access/scopes.ts'
import { gather } from '../../database/gather.ts'
import type { Tables } from '../../database/table-types.ts'
import { guessIdentifier, identify, isNameable } from '../find-tickets.ts'
import { Conflict, found } from '../../kernel/refusals.ts'
import type { Identifier } from '../records.ts'
import type { JudgedAttempt, TicketAtTheDoor } from '../wire.ts'
import { type Attempt, attemptRedemptions, redeemAtOnce } from './records.ts'
import { attemptOnce } from './sync-attempts.ts'

/**
 * The line in front of each database: redemptions that arrive together leave together. Most are done at once; the rest
 * line up again, to be judged one after the other.
 */
const lines = new WeakMap<Kysely<Tables>, (attempt: Attempt) => Promise<JudgedAttempt>>()

const lineOf = (db: Kysely<Tables>) => {
  let line = lines.get(db)
  if (!line) {
    const redeem = gather((attempts: Attempt[]) => redeemAtOnce(db, attempts), { abreast: 1 })
    const judge = gather((attempts: Attempt[]) => attemptRedemptions(db, attempts), { abreast: 1 })
    line = async (attempt) => (isPlain(attempt) ? await redeem(attempt) : null) ?? judge(attempt)
    lines.set(db, line)
  }
  return line
}

/** A ticket that was scanned, by somebody whom the whole account is open to. */
const isPlain = ({ identifier, membershipId }: Attempt) => identifier.code === null && membershipId === null

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
    identifier: identify(identifier),
    clientId,
    scannedAt: null,
  }
  const { ticket, ...judged } = found(
    await guessIdentifier(scope, async () => {
      if (!isNameable(identifier)) return undefined
      const each =
        clientId === null
          ? await lineOf(scope.express.db)(attempt)
          : (await attemptOnce(scope, new Map([[clientId, attempt]]))).get(clientId)!
      return each.ticket ? { ...each, ticket: each.ticket } : undefined
    }),
  )
  if (!names(attempt.identifier, ticket)) throw new Conflict('This Idempotency-Key was used for another ticket')
  return { ...judged, ticket }
}

const names = ({ publicId, code }: Identifier, ticket: TicketAtTheDoor) =>
  ticket.publicId === publicId || ticket.checkInCode === code
