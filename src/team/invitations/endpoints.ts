import { z } from 'zod'
import { teamManagement } from '../../access/access.ts'
import { created, noContent, ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { queryText } from '../../http/fields.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { parsePathId } from '../../http/path-ids.ts'
import { invite } from './invite.ts'
import { findPendingInvitation, findPendingInvitations } from './records.ts'
import { resendInvitation } from './resend-invitation.ts'
import { revokeInvitation } from './revoke-invitation.ts'
import { EXAMPLE_SETUPS } from './example-setups.ts'
import { PendingInvitation, PendingInvitations, invitationBody, showInvitation } from './wire.ts'

const invitationCreation = endpoint({
  method: 'POST',
  path: '/admin/invitations',
  operationId: 'invite',
  says: 'Invites someone by mail; event_slug instead of a role invites a co-organizer for that event.',
  access: teamManagement('write'),
  query: z.object({ event_slug: queryText() }),
  body: invitationBody,
  example: { invitation: { email: 'nora@partner.example', role: 'co_organizer', event_ids: [3] } },
  answers: { 201: PendingInvitation },
  creates: true,
  handle: async ({ account, query, body }) => {
    const invitation = await invite(account, query.event_slug, body)
    return created(showInvitation(invitation), `/admin/invitations/${invitation.id}`)
  },
})

const invitations = endpoint({
  method: 'GET',
  path: '/admin/invitations',
  operationId: 'listInvitations',
  says: 'The invitations that nobody has accepted yet, newest first.',
  access: teamManagement('read'),
  answers: { 200: PendingInvitations },
  handle: async ({ account }) => ok((await findPendingInvitations(account.rows)).map(showInvitation)),
})

const invitation = endpoint({
  method: 'GET',
  path: '/admin/invitations/:id',
  operationId: 'getInvitation',
  integerParams: ['id'],
  says: 'One invitation that nobody has accepted yet.',
  access: teamManagement('read'),
  exampleSetup: EXAMPLE_SETUPS.reading,
  answers: { 200: PendingInvitation },
  handle: async ({ account, params }) =>
    ok(showInvitation(requireFound(await findPendingInvitation(account.rows, parsePathId(params.id))))),
})

const invitationResending = endpoint({
  method: 'POST',
  path: '/admin/invitations/:id/resend',
  operationId: 'resendInvitation',
  integerParams: ['id'],
  says: 'Mails an invitation again, with the same link for another 14 days.',
  access: teamManagement('write'),
  exampleSetup: EXAMPLE_SETUPS.resending,
  answers: { 200: PendingInvitation },
  handle: async ({ account, params }) => ok(showInvitation(await resendInvitation(account, parsePathId(params.id)))),
})

const invitationRevocation = endpoint({
  method: 'DELETE',
  path: '/admin/invitations/:id',
  operationId: 'revokeInvitation',
  integerParams: ['id'],
  says: 'Withdraws an invitation; its link stops working.',
  access: teamManagement('write'),
  exampleSetup: EXAMPLE_SETUPS.revoking,
  answers: { 204: null },
  handle: async ({ account, params }) => {
    await revokeInvitation(account, parsePathId(params.id))
    return noContent()
  },
})

export const invitationEndpoints = [
  invitationCreation,
  invitations,
  invitation,
  invitationResending,
  invitationRevocation,
]
