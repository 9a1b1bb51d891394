import type { CallerScope } from '../../access/scopes.ts'
import { BLANK_MESSAGE } from '../../kernel/messages.ts'
import { Invalid, NotFound, requireFound } from '../../kernel/refusals.ts'
import { endPairingsStartedBy } from '../credentials/records.ts'
import { revokeInvitationsMadeBy } from '../invitations/records.ts'
import { lockTeamAndCaller } from '../lock-team.ts'
import { findMember, filterEventsOfAccount, recordRole } from '../records.ts'
import { type AssignableRole, isAssignedToEvents, canManageTeam, type Member } from '../rules.ts'
import { refuseLosingLastOwner, requireChangeableMember } from './protections.ts'

export interface RoleChangeInput {
  role: AssignableRole
  event_ids?: number[] | undefined
}

/** Replaces the role and the whole assignment together. Whoever no longer invites and pairs has no invitation and no code out either. */
export const changeRole = (scope: CallerScope, id: number, input: RoleChangeInput): Promise<Member> =>
  refuseLosingLastOwner(
    scope.transaction(async (tx) => {
      await lockTeamAndCaller(tx, scope)
      await requireChangeableMember(scope, tx, id)
      const eventIds = isAssignedToEvents(input.role) ? [...new Set(requireEvents(input))] : []
      if ((await filterEventsOfAccount(tx, eventIds)).size < eventIds.length) throw new NotFound()

      await recordRole(tx, id, input.role, eventIds)
      const revoked = canManageTeam(input.role) ? [] : await revokeInvitationsMadeBy(tx, id)
      const ended = canManageTeam(input.role) ? [] : await endPairingsStartedBy(tx, id)
      scope.note?.add({
        role: input.role,
        ...(isAssignedToEvents(input.role) && { event_ids: eventIds }),
        ...(revoked.length > 0 && { revoked_invitation_ids: revoked }),
        ...(ended.length > 0 && { ended_pairing_ids: ended }),
      })
      return requireFound(await findMember(tx, id))
    }),
  )

const requireEvents = ({ event_ids: eventIds }: RoleChangeInput) => {
  if (eventIds === undefined) throw new Invalid({ event_ids: [BLANK_MESSAGE] })
  return eventIds
}
