import type { CallerScope } from '../../access/scopes.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { NotFound, requireFound } from '../../kernel/refusals.ts'
import { lockTeamAndCaller } from '../lock-team.ts'
import { mailInvitation } from './jobs.ts'
import { findPendingInvitation, renewInvitation } from './records.ts'
import type { Invitation } from './wire.ts'

/** Mails the same link again and gives it its full time back; the earlier mail stays good. */
export const resendInvitation = (scope: CallerScope, id: number): Promise<Invitation> =>
  scope.transaction(async (tx) => {
    await lockTeamAndCaller(tx, scope)
    if (!(await renewInvitation(tx, id))) throw new NotFound()
    await enqueue(tx.db, mailInvitation, { accountId: tx.accountId, invitationId: id })
    return requireFound(await findPendingInvitation(tx, id))
  })
