import type { z } from 'zod'
import { NotFound } from '../kernel/refusals.ts'
import { teamEndpoints } from '../team/endpoints.ts'
import type { PendingInvitation } from '../team/invitations/wire.ts'
import type { Membership, Team } from '../team/memberships/wire.ts'
import { ASSIGNABLE_ROLES } from '../team/rules.ts'
import { findEventByName, listEvents } from './events-by-name.ts'
import { UnresolvedName } from './names.ts'
import { pageOf } from './pages.ts'
import { choice, integer, omitUndefined, text, textList } from './parameters.ts'
import { type ToolCall, endpointFinder, defineTool } from './tool.ts'

const endpoint = endpointFinder(teamEndpoints)
const wholeTeam = endpoint('GET /admin/memberships')

const MEMBERS_MAX = 50

const parameters = {
  membership_id: integer('A member of the team, as list calls them; their email works instead.'),
  invitation_id: integer('A pending invitation, as list calls it; its email works instead.'),
  email: text('The address of a person: whom to invite, or whose membership or invitation is meant.'),
  role: choice(
    ASSIGNABLE_ROLES,
    'scanner: the door only; manager: everything but owners; co_organizer: the assigned events only; promoter.',
  ),
  event_titles: textList(
    'The events of a co-organizer by title or slug, such as ["Winter Gala"]. On update_access the complete new assignment; [] removes all.',
  ),
  page: integer('Which page of the list, from 1.', { minimum: 1 }),
}

type TeamCall = ToolCall<typeof parameters>
type ShownTeam = z.output<typeof Team>
type ShownMember = z.output<typeof Membership>
type ShownInvitation = z.output<typeof PendingInvitation>

const askTeam = (call: TeamCall) => call.once('team', () => call.ask<ShownTeam>(wholeTeam))

const findMember = async (call: TeamCall): Promise<ShownMember> => {
  const { membership_id: id, email } = call.given
  const { active, deactivated } = await askTeam(call)
  return theOne('membership_id', [...active, ...deactivated], { id, email, emailOf: ({ user }) => user.email })
}

const findMemberId = async (call: TeamCall): Promise<string> => {
  const { membership_id: id, email } = call.given
  return String(id !== undefined && email === undefined ? id : (await findMember(call)).id)
}

const findInvitationId = async (call: TeamCall): Promise<string> => {
  const { invitation_id: id, email } = call.given
  if (id !== undefined && email === undefined) return String(id)
  const { pending_invitations: invitations } = await askTeam(call)
  return String(theOne('invitation_id', invitations, { id, email, emailOf: (each) => each.email }).id)
}

/** Whoever names two people by one call has mistaken one of them for the other. */
const theOne = <T extends { id: number }>(
  parameter: string,
  all: readonly T[],
  { id, email, emailOf }: { id: number | undefined; email: string | undefined; emailOf: (one: T) => string },
): T => {
  if (id === undefined && email === undefined) throw new UnresolvedName(parameter, 'or email must be given', [])
  const one = all.find((each) => (id === undefined ? emailOf(each) === email?.trim().toLowerCase() : each.id === id))
  if (!one) throw new NotFound()
  if (email !== undefined && emailOf(one) !== email.trim().toLowerCase()) {
    throw new UnresolvedName(parameter, 'and email are not of the same person', [])
  }
  return one
}

/** An empty list removes every event; none at all leaves the decision to the endpoint. */
const eventIds = async (call: TeamCall): Promise<number[] | undefined> => {
  const { event_titles: titles, event_title: title } = call.given
  const names = titles ?? (title === undefined ? undefined : [title])
  if (names === undefined) return undefined
  const events = await Promise.all(names.map((name) => findEventByName(call, 'event_titles', name)))
  return events.map(({ id }) => id)
}

const showMember = (member: ShownMember) => ({ membership_id: member.id, ...member })

const showInvitation = (invitation: ShownInvitation) => ({ invitation_id: invitation.id, ...invitation })

const showTeam = async (team: ShownTeam, call: TeamCall) => {
  const events = [...(await listEvents(call, false)), ...(await listEvents(call, true))]
  const titled = <T extends { event_ids?: number[] | undefined }>(one: T) => ({
    ...one,
    ...(one.event_ids && {
      events: events.filter(({ id }) => one.event_ids!.includes(id)).map(({ slug, title }) => ({ slug, title })),
    }),
  })
  const paged = <T>(all: readonly T[]) => pageOf(all, call.given.page, MEMBERS_MAX)
  const active = paged(team.active)
  const deactivated = paged(team.deactivated)
  const invitations = paged(team.pending_invitations)
  return {
    next_page: active.next_page ?? deactivated.next_page ?? invitations.next_page,
    active: active.shown.map(showMember).map(titled),
    deactivated: deactivated.shown.map(showMember).map(titled),
    pending_invitations: invitations.shown.map(showInvitation).map(titled),
  }
}

export const manageTeam = defineTool({
  name: 'manage_team',
  title: 'Team',
  says: 'Who works for the venue, and with which access: members, their roles and events, and invitations.',
  parameters,
  renames: { event_ids: 'event_titles' },
  actions: {
    list: {
      says: 'Active and deactivated members and pending invitations.',
      calls: wholeTeam,
      takes: ['page'],
      show: showTeam,
    },
    invite: {
      says: 'Invites somebody by mail; a co_organizer needs at least one event.',
      calls: endpoint('POST /admin/invitations'),
      needs: ['email', 'role'],
      takes: ['event_titles', 'event_title'],
      confirm: 'Mails an invitation that gives this person access to the venue’s data.',
      body: async (call) => ({
        invitation: omitUndefined({ email: call.given.email, role: call.given.role, event_ids: await eventIds(call) }),
      }),
      show: showInvitation,
    },
    update_access: {
      says: 'Gives a member another role, or a co_organizer other events; both together replace what was.',
      calls: endpoint('PATCH /admin/memberships/:id/role'),
      path: { id: findMemberId },
      takes: ['membership_id', 'email', 'role', 'event_titles'],
      confirm: 'Replaces what this person may do and see; another role ends their tokens and sessions.',
      previews: true,
      body: async (call) => ({
        membership: omitUndefined({
          role: call.given.role ?? (await findMember(call)).role,
          event_ids: await eventIds(call),
        }),
      }),
      show: showMember,
    },
    deactivate: {
      says: 'Takes a member’s access away, with every token and session of theirs.',
      calls: endpoint('DELETE /admin/memberships/:id'),
      path: { id: findMemberId },
      takes: ['membership_id', 'email'],
      confirm: 'Locks this person out at once; their tokens and sessions end for good.',
    },
    reactivate: {
      says: 'Gives a deactivated member the same role and events back, without the old tokens.',
      calls: endpoint('POST /admin/memberships/:id/reactivation'),
      path: { id: findMemberId },
      takes: ['membership_id', 'email'],
      confirm: 'Gives this person their former access back.',
      previews: true,
      show: showMember,
    },
    resend: {
      says: 'Mails an invitation again.',
      calls: endpoint('POST /admin/invitations/:id/resend'),
      path: { id: findInvitationId },
      takes: ['invitation_id', 'email'],
      confirm: 'Mails the invitation to this person again.',
      previews: true,
      show: showInvitation,
    },
    revoke_invitation: {
      says: 'Withdraws an invitation; its link stops working.',
      calls: endpoint('DELETE /admin/invitations/:id'),
      path: { id: findInvitationId },
      takes: ['invitation_id', 'email'],
      confirm: 'Withdraws the invitation: its link stops working.',
    },
  },
})
