import type { CallerScope } from '../../access/scopes.ts'
import { revokeInvitationsMadeByOrTo } from '../invitations/records.ts'
import { lockTeamAndCaller } from '../lock-team.ts'
import { recordDeactivation } from '../records.ts'
import { refuseLosingLastOwner, requireChangeableMember } from './protections.ts'

/**
 * From the next request on, nothing the member holds opens this account, and no invitation that is out leads back in:
 * neither one to their address nor one that they made for another. Repeating it changes nothing.
 */
export const deactivateMember = (scope: CallerScope, id: number): Promise<void> =>
  refuseLosingLastOwner(
    scope.transaction(async (tx) => {
      await lockTeamAndCaller(tx, scope)
      const member = await requireChangeableMember(scope, tx, id)
      if (member.deactivatedAt !== null) return
      await recordDeactivation(tx, id)
      const revoked = await revokeInvitationsMadeByOrTo(tx, member)
      if (revoked.length > 0) scope.note?.add({ revoked_invitation_ids: revoked })
    }),
  )
