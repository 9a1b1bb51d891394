import type { CallerScope } from '../../access/scopes.ts'
import { NotFound } from '../../kernel/refusals.ts'
import { recordRevocation } from './records.ts'

export const revokeInvitation = (scope: CallerScope, id: number): Promise<void> =>
  scope.transaction(async (tx) => {
    if (!(await recordRevocation(tx, id))) throw new NotFound()
  })
