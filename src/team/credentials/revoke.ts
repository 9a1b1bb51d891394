import type { CallerScope } from '../../access/scopes.ts'
import { NotFound } from '../../kernel/refusals.ts'
import { actsAsOwner } from '../rules.ts'
import { type CredentialFilter, recordRevocation } from './records.ts'

/** Owners see and end everyone's keys and sessions; others their own. */
export const membershipFilterOf = (scope: CallerScope): number | null =>
  actsAsOwner(scope.caller) ? null : scope.actor.membershipId

/** What is revoked is refused at its next request. */
export const revokeCredential = (
  scope: CallerScope,
  kinds: CredentialFilter['kinds'],
  membershipId: number | null,
  id: number,
) =>
  scope.transaction(async (tx) => {
    if (!(await recordRevocation(tx, { kinds, membershipId }, id))) throw new NotFound()
  })
