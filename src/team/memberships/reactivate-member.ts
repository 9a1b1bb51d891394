import type { CallerScope } from '../../access/scopes.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { lockTeamAndCaller } from '../lock-team.ts'
import { findMember, recordReactivation } from '../records.ts'
import type { Member } from '../rules.ts'
import { requireReactivatable } from './protections.ts'

/** Brings the role and the assignments back, and none of the old credentials. */
export const reactivateMember = (scope: CallerScope, id: number): Promise<Member> =>
  scope.transaction(async (tx) => {
    await lockTeamAndCaller(tx, scope)
    await requireReactivatable(scope, tx, id)
    await recordReactivation(tx, id)
    return requireFound(await findMember(tx, id))
  })
