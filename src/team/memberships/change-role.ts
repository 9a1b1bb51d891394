import type { CallerScope } from '../../access/scopes.ts'
import { Invalid, NotFound, found } from '../../kernel/refusals.ts'
import { BLANK } from '../../kernel/texts.ts'
import { type GivenRole, isAssignable } from '../rules.ts'
import { keepingAnOwner, requireChangeable } from './protections.ts'
import { findMember, findOwnEvents, lockTeam, recordRole } from './records.ts'
import type { Member } from './wire.ts'

export interface RoleChangeInput {
  role: GivenRole
  event_ids?: number[] | undefined
}

/** Replaces the role and the whole assignment together. */
export const changeRole = (scope: CallerScope, id: number, input: RoleChangeInput): Promise<Member> =>
  keepingAnOwner(
    scope.transaction(async (tx) => {
      await lockTeam(tx)
      await requireChangeable(scope, tx, id)
      const eventIds = isAssignable(input.role) ? [...new Set(requireEvents(input))] : []
      if ((await findOwnEvents(tx, eventIds)).size < eventIds.length) throw new NotFound()

      await recordRole(tx, id, input.role, eventIds)
      scope.note?.add({ role: input.role, ...(isAssignable(input.role) && { event_ids: eventIds }) })
      return found(await findMember(tx, id))
    }),
  )

const requireEvents = ({ event_ids: eventIds }: RoleChangeInput) => {
  if (eventIds === undefined) throw new Invalid({ event_ids: [BLANK] })
  return eventIds
}
