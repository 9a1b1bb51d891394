import { type Member, type Model, activeOwners } from './model.ts'
import { type Doing, byStatus, pick } from './outcome.ts'

const ACTORS = ['office', 'olga', 'olaf', 'una', 'cem'] as const
const TARGETS = ['olga', 'olaf', 'una'] as const
const ROLES = ['manager', 'scanner', 'promoter', 'co_organizer'] as const

/** Whether the team is open to somebody at all, and whether they count as an owner. */
const standingOf = ({ members }: Model, who: string): { status: number | null; isOwner: boolean } => {
  if (who === 'office') return { status: null, isOwner: true }
  const { role, hasToken } = members[who]!
  if (!hasToken || role === 'scanner' || role === 'promoter') return { status: 401, isOwner: false }
  if (role === 'co_organizer') return { status: 403, isOwner: false }
  return { status: null, isOwner: role === 'owner' }
}

/** The account's own tokens act in the name of its first owner. */
const selfOf = ({ members }: Model, who: string): Member | undefined =>
  who === 'office' ? Object.values(members).find(({ role, isActive }) => role === 'owner' && isActive) : members[who]

const foretell = (model: Model, who: string, target: Member, granted: number) => {
  const { status, isOwner } = standingOf(model, who)
  if (status) return status
  if (selfOf(model, who) === target || (target.role === 'owner' && !isOwner)) return 403
  if (target.role === 'owner' && target.isActive && activeOwners(model) === 1) return 403
  return granted
}

const withdrawInvitationsBy = ({ invited }: Model, member: Member) => {
  for (const [email, { by }] of invited) if (by === member) invited.delete(email)
}

const changeRole: Doing = async ({ actors, model, eventId }, { actor, a, b }) => {
  const who = pick(ACTORS, actor)!
  const target = model.members[pick(TARGETS, a)!]!
  const role = pick(ROLES, b)!
  const input = { membership: { role, ...(role === 'co_organizer' && { event_ids: [eventId] }) } }
  const foretold = foretell(model, who, target, 200)
  const reply = await actors[who]!.patch(`/admin/memberships/${target.id}/role`, input)
  return byStatus(reply, foretold, () => {
    if (target.role !== role) target.hasToken = false
    target.role = role
    if (role !== 'manager') withdrawInvitationsBy(model, target)
  })
}

const deactivate: Doing = async ({ actors, model }, { actor, a }) => {
  const who = pick(ACTORS, actor)!
  const target = model.members[pick(TARGETS, a)!]!
  const foretold = foretell(model, who, target, 204)
  const reply = await actors[who]!.delete(`/admin/memberships/${target.id}`)
  return byStatus(reply, foretold, () => {
    if (target.isActive) withdrawInvitationsBy(model, target)
    Object.assign(target, { isActive: false, hasToken: false })
  })
}

const reactivate: Doing = async ({ actors, model }, { actor, a }) => {
  const who = pick(ACTORS, actor)!
  const target = model.members[pick(TARGETS, a)!]!
  const { status, isOwner } = standingOf(model, who)
  const foretold = status ?? (target.role === 'owner' && !isOwner ? 403 : 200)
  const reply = await actors[who]!.post(`/admin/memberships/${target.id}/reactivation`)
  return byStatus(reply, foretold, () => void (target.isActive = true))
}

const invite: Doing = async ({ actors, model }, { actor, a, b }) => {
  const who = pick(ACTORS, actor)!
  const email = `invited${a % 4}@team.example`
  const invited = model.invited.get(email)
  const { status } = standingOf(model, who)
  if (invited !== undefined && b % 2) {
    const withdrawn = await actors[who]!.delete(`/admin/invitations/${invited.id}`)
    return byStatus(withdrawn, status ?? 204, () => void model.invited.delete(email))
  }
  const reply = await actors[who]!.post('/admin/invitations', { invitation: { email, role: 'scanner' } })
  const by = selfOf(model, who)!
  return byStatus(
    reply,
    status ?? (invited === undefined ? 201 : 422),
    ({ id }) => void model.invited.set(email, { id, by }),
  )
}

export const teamActs = { changeRole, deactivate, reactivate, invite }
