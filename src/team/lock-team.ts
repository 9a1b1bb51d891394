import type { CallerScope, Tx } from '../access/scopes.ts'
import { Unauthorized } from '../kernel/refusals.ts'
import { lockTeam, lockCaller } from './records.ts'

/** Whoever was shut out after this request was admitted changes nothing any more; tells the epoch of the member. */
export const lockLiveCaller = async (tx: Tx, scope: CallerScope): Promise<number | null> => {
  const caller = await lockCaller(tx, scope.credential.id)
  if (!caller) throw new Unauthorized()
  return caller.epoch
}

/** Changes of the team come one after the other, each by someone who still belongs to it. */
export const lockTeamAndCaller = async (tx: Tx, scope: CallerScope): Promise<void> => {
  await lockTeam(tx)
  await lockLiveCaller(tx, scope)
}
