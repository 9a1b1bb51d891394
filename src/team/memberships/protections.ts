import type { CallerScope, Rows } from '../../access/scopes.ts'
import { constraintOf } from '../../database/database.ts'
import { Forbidden, requireFound } from '../../kernel/refusals.ts'
import { countActiveOwners, findMember } from '../records.ts'
import { actsAsOwner, type Member } from '../rules.ts'

/** Nobody changes their own place in the team, and only owners change an owner's. */
const isProtected = (scope: CallerScope, member: Member) =>
  member.id === scope.actor.membershipId || (member.role === 'owner' && !actsAsOwner(scope.caller))

const isActiveOwner = (member: Member) => member.role === 'owner' && member.deactivatedAt === null

/** A member whose role or state this caller may take away. The last active owner keeps both. */
export const requireChangeableMember = async (scope: CallerScope, rows: Rows, id: number): Promise<Member> => {
  const member = requireFound(await findMember(rows, id))
  if (isProtected(scope, member)) throw new Forbidden()
  if (isActiveOwner(member) && (await countActiveOwners(rows)) === 1) throw new Forbidden()
  return member
}

export const requireReactivatable = async (scope: CallerScope, rows: Rows, id: number): Promise<Member> => {
  const member = requireFound(await findMember(rows, id))
  if (member.role === 'owner' && !actsAsOwner(scope.caller)) throw new Forbidden()
  return member
}

/** The polite answer comes before the constraint can say no; should the constraint say it, it means the same. */
export const refuseLosingLastOwner = async <T>(change: Promise<T>): Promise<T> => {
  try {
    return await change
  } catch (error) {
    if (constraintOf(error) === 'an_account_has_an_active_owner') throw new Forbidden()
    throw error
  }
}
