import type { CallerScope } from '../../access/scopes.ts'
import { keepingAnOwner, requireChangeable } from './protections.ts'
import { lockTeam, recordDeactivation } from './records.ts'

/** From the next request on, nothing the member holds opens this account. Repeating it changes nothing. */
export const deactivateMember = (scope: CallerScope, id: number): Promise<void> =>
  keepingAnOwner(
    scope.transaction(async (tx) => {
      await lockTeam(tx)
      await requireChangeable(scope, tx, id)
      await recordDeactivation(tx, id)
    }),
  )
