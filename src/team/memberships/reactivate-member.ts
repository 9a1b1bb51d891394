import type { CallerScope } from '../../access/scopes.ts'
import { found } from '../../kernel/refusals.ts'
import { requireReactivatable } from './protections.ts'
import { findMember, lockTeam, recordReactivation } from './records.ts'
import type { Member } from './wire.ts'

/** Brings the role and the assignments back, and none of the old credentials. */
export const reactivateMember = (scope: CallerScope, id: number): Promise<Member> =>
  scope.transaction(async (tx) => {
    await lockTeam(tx)
    await requireReactivatable(scope, tx, id)
    await recordReactivation(tx, id)
    return found(await findMember(tx, id))
  })
