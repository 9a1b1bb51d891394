import type { CallerScope } from '../../access/scopes.ts'
import { revokeInvitationsOf } from '../invitations/records.ts'
import { lockTeamFor } from '../lock-team.ts'
import { recordDeactivation } from '../records.ts'
import { keepingAnOwner, requireChangeable } from './protections.ts'

/**
 * From the next request on, nothing the member holds opens this account, and no invitation that is out leads back in:
 * neither one to their address nor one that they made for another. Repeating it changes nothing.
 */
export const deactivateMember = (scope: CallerScope, id: number): Promise<void> =>
  keepingAnOwner(
    scope.transaction(async (tx) => {
      await lockTeamFor(tx, scope)
      const member = await requireChangeable(scope, tx, id)
      if (member.deactivatedAt !== null) return
      await recordDeactivation(tx, id)
      const revoked = await revokeInvitationsOf(tx, member)
      if (revoked.length > 0) scope.note?.add({ revoked_invitation_ids: revoked })
    }),
  )
