import { partyFrom } from './guest-acts.ts'
import { type Link, type Request, companionsInAll, roomOf, waitingOf } from './model.ts'
import { type Doing, byStatus, pick } from './outcome.ts'
import type { Scene } from './scene.ts'

/** What only the guest's mail would tell: the request and the address of its own page. */
const findOwn = async ({ venue }: Scene, email: string): Promise<{ id: string; page: string }> => {
  const { rows } = await venue.app.database.pool.query<{ id: string; sealed: Buffer }>(
    'select public_id as id, sealed_page_token as sealed from signup_requests where account_id = $1 and email = $2',
    [venue.report.account.id, email],
  )
  return { id: rows[0]!.id, page: `/guest_signups/${venue.app.secrets.open('signup page', rows[0]!.sealed)}` }
}

/** The parties of a request as the office sees them, first its own and then those of its additions. */
const partiesOf = async ({ actors, ball }: Scene, id: string) => {
  const { body } = await actors['office']!.get(`${ball}/guest_requests?status=approved`)
  const shown = body.requests.find((each: { public_id: string }) => each.public_id === id)
  if (!shown) return []
  const ids: string[] = [
    shown.order_public_id,
    ...shown.additions.map((each: { order_public_id: string }) => each.order_public_id),
  ]
  return Promise.all(ids.map(async (party) => (await actors['office']!.get(`${ball}/guest_parties/${party}`)).body))
}

/** Takes over parties that the model does not know yet. */
const takeParties = async (scene: Scene, request: Pick<Request, 'id' | 'link'>) => {
  const shown = await partiesOf(scene, request.id)
  const known = new Set(scene.model.parties.map(({ id }) => id))
  const added = shown
    .filter(({ public_id }) => !known.has(public_id))
    .map((each) => partyFrom(each, { ticket: 'ga', link: request.link, isSold: false }))
  scene.model.parties.push(...added)
  return added
}

const signUp: Doing = async (scene, { a, b, c }) => {
  const { model, atShop } = scene
  const link = pick(model.links, a)!
  const email = `guest${b % 12}@signup.example`
  const companions = c % 4
  const reply = await atShop(link.url, { guest_request: { name: `Guest ${b}`, email, companions } })
  const isNew = reply.status === 201
  const own = isNew ? await findOwn(scene, email) : null
  const foretold = foretellSignUp(scene, link, email, companions)
  const parties = isNew && reply.body.status === 'approved' ? await takeParties(scene, { id: own!.id, link }) : []
  return {
    told: `${reply.status} ${reply.body?.status ?? 'refused'}`,
    foretold,
    isDone: isNew,
    apply: () => {
      const state = reply.body.status as 'pending' | 'approved'
      const lastWasApproval = state === 'approved'
      const party = parties[0] ?? null
      model.requests.push({ ...own!, email, link, companions, state, party, additions: [], lastWasApproval })
    },
  }
}

const foretellSignUp = ({ model }: Scene, link: Link, email: string, companions: number) => {
  if (!link.isOpen || companions > link.companionsMost || 1 + companions > link.capacity) return '422 refused'
  if (model.requests.some((each) => each.email === email)) return '200 already_signed_up'
  return `201 ${link.isAutomatic && roomOf(model, link, 1 + companions) ? 'approved' : 'pending'}`
}

const bringMore: Doing = async (scene, { a, b }) => {
  const { model, atShop } = scene
  const request = pick(model.requests, a)
  if (!request) return null
  const companions = 1 + (b % 2)
  const reply = await atShop(`${request.page}/companions`, { guest_addition: { companions } })
  const foretold = mayBringMore(request, companions) ? 200 : 422
  const { link } = request
  const isLetIn =
    request.state === 'approved' && !waitingOf(request) && link.isAutomatic && roomOf(model, link, companions)
  if (reply.status === 200 && request.state === 'approved') await takeParties(scene, request)
  return byStatus(reply, foretold, () => {
    const waiting = waitingOf(request)
    if (request.state === 'pending') request.companions += companions
    else if (waiting) waiting.companions += companions
    else request.additions.push({ companions, state: isLetIn ? 'approved' : 'waiting' })
    if (isLetIn) request.lastWasApproval = true
  })
}

const mayBringMore = (request: Request, companions: number) => {
  const { link, state, party } = request
  if (!link.isOpen || state === 'rejected') return false
  const inAll = companionsInAll(request)
  if (inAll + companions > link.companionsMost || 1 + inAll + companions > link.capacity) return false
  return state === 'pending' || party === null || party.isLive
}

const approve: Doing = async (scene, { a, actor }) => {
  const { model, actors, ball } = scene
  const request = pick(model.requests, a)
  if (!request) return null
  const who = pick(['office', 'mara', 'cem'], actor)!
  const foretold = mayApprove(scene, request) ? 200 : 422
  const reply = await actors[who]!.post(`${ball}/guest_requests/${request.id}/approval`)
  const parties = reply.status === 200 ? await takeParties(scene, request) : []
  return byStatus(reply, foretold, () => {
    const waiting = waitingOf(request)
    request.lastWasApproval = true
    if (request.state === 'pending') {
      request.state = 'approved'
      request.party = parties[0] ?? null
    } else if (waiting) waiting.state = 'approved'
  })
}

const mayApprove = ({ model }: Scene, request: Request) => {
  if (request.state === 'pending') return roomOf(model, request.link, 1 + request.companions)
  const waiting = waitingOf(request)
  return waiting ? roomOf(model, request.link, waiting.companions) : request.lastWasApproval
}

const reject: Doing = async ({ model, actors, ball }, { a }) => {
  const request = pick(model.requests, a)
  if (!request) return null
  const waiting = waitingOf(request)
  const isWaiting = request.state === 'pending' || waiting !== undefined
  const reply = await actors['mara']!.post(`${ball}/guest_requests/${request.id}/rejection`)
  return byStatus(reply, isWaiting || !request.lastWasApproval ? 200 : 422, () => {
    request.lastWasApproval = false
    if (request.state === 'pending') request.state = 'rejected'
    else if (waiting) waiting.state = 'declined'
  })
}

const switchLink: Doing = async ({ model, actors, ball }, { a, b }) => {
  const link = pick(model.links, a)!
  const enabled = b % 3 > 0
  const reply = await actors['office']!.patch(`${ball}/guest_list_forms/${link.id}`, { guest_list_form: { enabled } })
  return byStatus(reply, 200, () => void (link.isOpen = enabled))
}

export const signupActs = { signUp, bringMore, approve, reject, switchLink }
