import type { CallerScope, Tx } from '../../access/scopes.ts'
import { digestOf, newSecret } from '../../access/tokens.ts'
import { constraintOf, isUniqueViolation } from '../../database/database.ts'
import { readFields } from '../../http/body.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { BLANK_MESSAGE, MUST_BE_BLANK_MESSAGE, MUST_EXIST_MESSAGE, TAKEN_MESSAGE } from '../../kernel/messages.ts'
import { Forbidden, Invalid, Unauthorized, requireFound } from '../../kernel/refusals.ts'
import { lockTeamAndCaller } from '../lock-team.ts'
import { filterEventsOfAccount } from '../records.ts'
import { type AssignableRole, isAssignedToEvents } from '../rules.ts'
import { mailInvitation } from './jobs.ts'
import { findEventId, findPendingInvitation, insertInvitation } from './records.ts'
import { INVITATION_LINK_SEAL_PURPOSE } from './rules.ts'
import { type Invitation, InvitationToEvent, InvitationFields } from './wire.ts'

interface InvitationInput {
  email: string
  role: AssignableRole
  eventIds: number[]
}

/** Invites someone; with an event's slug, as co-organizer of that event and nothing else. */
export const invite = async (
  scope: CallerScope,
  eventSlug: string,
  sent: Record<string, unknown>,
): Promise<Invitation> => {
  const input = eventSlug === '' ? readInput(sent) : await readInputForEvent(scope, eventSlug, sent)
  if (isOwnAddress(scope, input.email)) throw new Forbidden()

  try {
    return await scope.transaction((tx) => insert(scope, tx, input))
  } catch (error) {
    if (isUniqueViolation(error, 'an_address_is_invited_once')) throw new Invalid({ email: [TAKEN_MESSAGE] })
    if (constraintOf(error) === 'an_active_member_invites') throw new Unauthorized()
    throw error
  }
}

/** A person's own place in the team is not theirs to change. An account token is nobody's own. */
const isOwnAddress = ({ credential, actor }: CallerScope, email: string) =>
  credential.role !== null && actor.email === email

const readInput = (sent: Record<string, unknown>): InvitationInput => {
  const { email, role, event_ids: eventIds } = readFields(InvitationFields, sent)
  if (!isAssignedToEvents(role)) return { email, role, eventIds: [] }
  if (eventIds.length === 0) throw new Invalid({ event_ids: [BLANK_MESSAGE] })
  return { email, role, eventIds: [...new Set(eventIds)] }
}

const readInputForEvent = async (
  scope: CallerScope,
  slug: string,
  sent: Record<string, unknown>,
): Promise<InvitationInput> => {
  const eventId = requireFound(await findEventId(scope.rows, slug))
  const { email } = readFields(InvitationToEvent, sent)
  const beside = ['role', 'event_ids'].filter((field) => isGiven(sent[field]))
  if (beside.length > 0) throw new Invalid(Object.fromEntries(beside.map((field) => [field, [MUST_BE_BLANK_MESSAGE]])))
  return { email, role: 'co_organizer', eventIds: [eventId] }
}

const isGiven = (value: unknown) =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

const insert = async (scope: CallerScope, tx: Tx, { email, role, eventIds }: InvitationInput): Promise<Invitation> => {
  await lockTeamAndCaller(tx, scope)
  if ((await filterEventsOfAccount(tx, eventIds)).size < eventIds.length)
    throw new Invalid({ event_ids: [MUST_EXIST_MESSAGE] })

  const token = newSecret()
  const id = await insertInvitation(tx, {
    email,
    role,
    eventIds,
    invitedBy: scope.actor.membershipId,
    digest: digestOf(token),
    sealedToken: scope.app.secrets.seal(INVITATION_LINK_SEAL_PURPOSE, token),
  })
  await enqueue(tx.db, mailInvitation, { accountId: tx.accountId, invitationId: id })
  scope.note?.add({ invitation_id: id, role, ...(isAssignedToEvents(role) && { event_ids: eventIds }) })
  return requireFound(await findPendingInvitation(tx, id))
}
