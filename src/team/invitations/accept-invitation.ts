import type { SecretHolderScope } from '../../access/access.ts'
import { recordAudit } from '../../access/audit.ts'
import { hashPassword, passwordFault } from '../../access/passwords.ts'
import type { Tx } from '../../access/scopes.ts'
import { startSession } from '../../access/sessions.ts'
import { readFields } from '../../http/body.ts'
import { type ErrorMap, Invalid, Refusal, requireFound } from '../../kernel/refusals.ts'
import { insertMissingAssignments, lockTeam, recordReactivation, recordRole } from '../records.ts'
import { isAssignedToEvents } from '../rules.ts'
import {
  type OpenInvitation,
  findPersonIdByEmail,
  insertMembership,
  insertPerson,
  lockMembership,
  lockOpenInvitation,
  readOpenInvitation,
  recordAcceptance,
} from './records.ts'
import { reasonNotAcceptable } from './rules.ts'
import { NewPersonFields } from './wire.ts'

/** The invitation was real, but its time is over. */
export class InvitationGone extends Refusal {
  readonly status = 410

  constructor(message: string) {
    super({ base: [message] })
  }
}

export interface AcceptanceResult {
  /** Signs the browser in. Only for someone new: a known person shows who they are first. */
  sessionToken: string | null
}

/** Makes whoever holds the mailed link a member. A known person keeps name, password and, while active, the role. */
export const acceptInvitation = async (
  scope: SecretHolderScope,
  sent: Record<string, unknown>,
  browser: string,
): Promise<AcceptanceResult> => {
  const shown = requireOpen(requireFound(await readOpenInvitation(scope, scope.id)))
  const newcomer = shown.personId === null ? await readNewcomer(sent) : null

  return scope.transaction(async (tx) => {
    await lockTeam(tx)
    const invitation = requireOpen(requireFound(await lockOpenInvitation(tx, scope.id)))
    const newId = newcomer && (await insertPerson(tx, { ...newcomer, email: invitation.email }))
    const personId = newId ?? requireFound(await findPersonIdByEmail(tx, invitation.email))

    const membershipId = await join(tx, invitation, personId)
    await recordAcceptance(tx, invitation.id, membershipId)
    await recordAudit(tx, {
      action: 'accept invitation',
      subject: { invitation_id: invitation.id, role: invitation.role },
      by: { actor: { membershipId, name: newcomer?.name ?? invitation.personName ?? invitation.email } },
    })
    const session = { personId, accountId: tx.accountId, membershipId, browser, by: 'invitation' }
    return { sessionToken: newId ? await startSession(tx, session) : null }
  })
}

const requireOpen = (invitation: OpenInvitation) => {
  const obstacle = reasonNotAcceptable(invitation)
  if (obstacle) throw new InvitationGone(obstacle)
  return invitation
}

const readNewcomer = async (sent: Record<string, unknown>) => {
  const errors: ErrorMap = {}
  let name = ''
  try {
    name = readFields(NewPersonFields, sent).name
  } catch (fault) {
    if (!(fault instanceof Invalid)) throw fault
    Object.assign(errors, fault.errors)
  }
  const password = sent['password']
  const fault = passwordFault(password)
  if (fault) errors['password'] = [fault]
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  return { name, passwordDigest: await hashPassword(password as string) }
}

const join = async (tx: Tx, { role, events }: OpenInvitation, personId: number): Promise<number> => {
  const eventIds = events.map(({ id }) => id)
  const membership = await lockMembership(tx, personId)
  if (!membership) {
    const id = await insertMembership(tx, personId, role)
    await insertMissingAssignments(tx, id, eventIds)
    return id
  }
  if (!membership.isActive) {
    await recordReactivation(tx, membership.id)
    await recordRole(tx, membership.id, role, eventIds)
  } else if (isAssignedToEvents(membership.role) && isAssignedToEvents(role)) {
    await insertMissingAssignments(tx, membership.id, eventIds)
  }
  return membership.id
}
