import type { CallerScope } from '../../access/scopes.ts'
import { endPairingsStartedBy } from '../credentials/records.ts'
import { revokeInvitationsMadeByOrTo } from '../invitations/records.ts'
import { lockTeamAndCaller } from '../lock-team.ts'
import { recordDeactivation } from '../records.ts'
import { refuseLosingLastOwner, requireChangeableMember } from './protections.ts'

/**
 * From the next request on, nothing the member holds opens this account, and no invitation that is out leads back in:
 * neither one to their address nor one that they made for another, nor the code by which they would pair a device.
 * Repeating it changes nothing.
 */
export const deactivateMember = (scope: CallerScope, id: number): Promise<void> =>
  refuseLosingLastOwner(
    scope.transaction(async (tx) => {
      await lockTeamAndCaller(tx, scope)
      const member = await requireChangeableMember(scope, tx, id)
      if (member.deactivatedAt !== null) return
      await recordDeactivation(tx, id)
      const revoked = await revokeInvitationsMadeByOrTo(tx, member)
      const ended = await endPairingsStartedBy(tx, id)
      scope.note?.add({
        ...(revoked.length > 0 && { revoked_invitation_ids: revoked }),
        ...(ended.length > 0 && { ended_pairing_ids: ended }),
      })
    }),
  )
