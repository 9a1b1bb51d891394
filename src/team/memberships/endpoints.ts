import { teamManagement } from '../../access/access.ts'
import { noContent, ok } from '../../http/answers.ts'
import { envelope } from '../../http/body.ts'
import { endpoint } from '../../http/endpoint.ts'
import { findPendingInvitations } from '../invitations/records.ts'
import { showInvitation } from '../invitations/wire.ts'
import { findMembers } from '../records.ts'
import { parsePathId } from '../../http/path-ids.ts'
import { changeRole } from './change-role.ts'
import { deactivateMember } from './deactivate-member.ts'
import { requireChangeableMember } from './protections.ts'
import { reactivateMember } from './reactivate-member.ts'
import { Membership, RoleChange, Team, showMembership } from './wire.ts'

const memberships = endpoint({
  method: 'GET',
  path: '/admin/memberships',
  operationId: 'listTeam',
  says: 'The team: active and deactivated members by name, and the invitations that nobody has accepted yet.',
  access: teamManagement('read'),
  answers: { 200: Team },
  handle: async ({ account }) => {
    const { members, invitations } = await account.consistentRead(async (rows) => ({
      members: await findMembers(rows),
      invitations: await findPendingInvitations(rows),
    }))
    return ok({
      active: members.filter(({ deactivatedAt }) => deactivatedAt === null).map(showMembership),
      deactivated: members.filter(({ deactivatedAt }) => deactivatedAt !== null).map(showMembership),
      pending_invitations: invitations.map(showInvitation),
    })
  },
})

const membershipRole = endpoint({
  method: 'PATCH',
  path: '/admin/memberships/:id/role',
  operationId: 'changeMemberRole',
  integerParams: ['id'],
  says: 'Replaces a member’s role and, for co-organizers, the complete assignment; another role ends their credentials.',
  access: teamManagement('write'),
  body: envelope('membership', RoleChange),
  example: { membership: { role: 'co_organizer', event_ids: [3] } },
  exampleSetup: { values: { id: '2' } },
  answers: { 200: Membership },
  exists: ({ account, params }) => requireChangeableMember(account, account.rows, parsePathId(params.id)),
  handle: async ({ account, params, body }) =>
    ok(showMembership(await changeRole(account, parsePathId(params.id), body))),
})

const membershipDeactivation = endpoint({
  method: 'DELETE',
  path: '/admin/memberships/:id',
  operationId: 'deactivateMember',
  integerParams: ['id'],
  says: 'Deactivates a member and revokes every credential of theirs in this account.',
  access: teamManagement('write'),
  exampleSetup: { values: { id: '5' } },
  answers: { 204: null },
  handle: async ({ account, params }) => {
    await deactivateMember(account, parsePathId(params.id))
    return noContent()
  },
})

const membershipReactivation = endpoint({
  method: 'POST',
  path: '/admin/memberships/:id/reactivation',
  operationId: 'reactivateMember',
  integerParams: ['id'],
  says: 'Makes a deactivated member active again, with the same role and assignments and without the old credentials.',
  access: teamManagement('write'),
  exampleSetup: { values: { id: '6' } },
  answers: { 200: Membership },
  handle: async ({ account, params }) => ok(showMembership(await reactivateMember(account, parsePathId(params.id)))),
})

export const membershipEndpoints = [memberships, membershipRole, membershipDeactivation, membershipReactivation]
