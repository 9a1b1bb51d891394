import type { CallerScope } from '../../access/scopes.ts'
import { BLANK_MESSAGE } from '../../kernel/messages.ts'
import { Invalid, NotFound, found } from '../../kernel/refusals.ts'
import { revokeInvitationsBy } from '../invitations/records.ts'
import { lockTeamFor } from '../lock-team.ts'
import { findMember, findOwnEvents, recordRole } from '../records.ts'
import { type GivenRole, isAssignable, managesTeam, type Member } from '../rules.ts'
import { keepingAnOwner, requireChangeable } from './protections.ts'

export interface RoleChangeInput {
  role: GivenRole
  event_ids?: number[] | undefined
}

/** Replaces the role and the whole assignment together. Whoever no longer invites has no invitation out either. */
export const changeRole = (scope: CallerScope, id: number, input: RoleChangeInput): Promise<Member> =>
  keepingAnOwner(
    scope.transaction(async (tx) => {
      await lockTeamFor(tx, scope)
      await requireChangeable(scope, tx, id)
      const eventIds = isAssignable(input.role) ? [...new Set(requireEvents(input))] : []
      if ((await findOwnEvents(tx, eventIds)).size < eventIds.length) throw new NotFound()

      await recordRole(tx, id, input.role, eventIds)
      const revoked = managesTeam(input.role) ? [] : await revokeInvitationsBy(tx, id)
      scope.note?.add({
        role: input.role,
        ...(isAssignable(input.role) && { event_ids: eventIds }),
        ...(revoked.length > 0 && { revoked_invitation_ids: revoked }),
      })
      return found(await findMember(tx, id))
    }),
  )

const requireEvents = ({ event_ids: eventIds }: RoleChangeInput) => {
  if (eventIds === undefined) throw new Invalid({ event_ids: [BLANK_MESSAGE] })
  return eventIds
}
