import { expect } from 'vitest'
import { checkAll } from '../kit/database/consistency.ts'
import {
  COLUMNS,
  type Model,
  SEATS,
  type TicketKey,
  isSeatTaken,
  liveGuests,
  reservedOf,
  roomFor,
  takenOf,
  waitingOf,
} from './model.ts'
import type { Scene } from './scene.ts'

const euros = (cents: number) => (cents / 100).toFixed(2)
const sum = (numbers: number[]) => numbers.reduce((one, other) => one + other, 0)

/** What Foyer shows through its API, and what the model says it shows. */
export const compare = async (scene: Scene) => {
  expect(await showGuests(scene)).toEqual(foretellGuests(scene.model))
  expect(await showLinks(scene)).toEqual(foretellLinks(scene.model))
  expect(await showVouchers(scene)).toEqual(foretellVouchers(scene.model))
  expect(await showBoard(scene)).toEqual(foretellBoard(scene.model))
  expect(await showTeam(scene)).toEqual(foretellTeam(scene.model))
  expect(await checkAll(scene.venue.app)).toEqual([])
}

const showGuests = async ({ actors, ball, tickets }: Scene) => {
  const { body: list } = await actors['office']!.get(`${ball}/guest_list`)
  const { body: stats } = await actors['Door 1']!.get('/scanner/events/winter-ball/stats')
  const options = new Map<number, { available_stock: number; available_places: { key: string }[] }>(
    list.ticket_options.map((each: { id: number }) => [each.id, each]),
  )
  return {
    counts: [list.expected_count, list.arrived_count, list.admission_count],
    door: [stats.expected, stats.arrived],
    rooms: Object.fromEntries(Object.entries(tickets).map(([key, id]) => [key, options.get(id)!.available_stock])),
    freeSeats: options.get(tickets['seat']!)!.available_places.map(({ key }) => key),
    parties: list.guest_parties
      .map((each: { public_id: string; party_size: number; arrived_count: number }) => {
        return `${each.public_id} ${each.arrived_count}/${each.party_size}`
      })
      .toSorted(),
  }
}

const foretellGuests = (model: Model) => {
  const listed = liveGuests(model, ({ isSold }) => !isSold)
  const everyone = model.parties.flatMap(({ guests }) => guests)
  const arrived = listed.filter(({ isIn }) => isIn).length
  return {
    counts: [listed.length - arrived, arrived, listed.length],
    door: [
      everyone.filter(({ isActive, isIn }) => isActive || isIn).length,
      everyone.filter(({ isIn }) => isIn).length,
    ],
    rooms: Object.fromEntries((['ga', 'floor', 'seat'] as TicketKey[]).map((key) => [key, roomFor(model, key)])),
    freeSeats: SEATS.filter((seat) => !isSeatTaken(model, seat)),
    parties: model.parties
      .filter(({ isSold, isLive }) => !isSold && isLive)
      .map(({ id, guests }) => {
        const live = guests.filter(({ isActive }) => isActive)
        return `${id} ${live.filter(({ isIn }) => isIn).length}/${live.length}`
      })
      .toSorted(),
  }
}

const showLinks = async ({ actors, ball, model }: Scene) => {
  const { body } = await actors['office']!.get(`${ball}/guest_list_forms`)
  const { body: waiting } = await actors['office']!.get(`${ball}/guest_requests`)
  const byId = new Map<string, { admission_count: number; enabled: boolean }>(
    body.forms.map((each: { public_id: string }) => [each.public_id, each]),
  )
  return {
    links: model.links.map(({ id }) => [byId.get(id)!.admission_count, byId.get(id)!.enabled]),
    pending: waiting.pending_count,
  }
}

const foretellLinks = (model: Model) => ({
  links: model.links.map((link) => [takenOf(model, link), link.isOpen]),
  pending: model.requests.filter((each) => each.state === 'pending' || waitingOf(each)).length,
})

const showVouchers = async ({ actors }: Scene) => {
  const { body } = await actors['office']!.get('/admin/vouchers?limit=100')
  const { count, issued, redeemed, outstanding, blocked_count: blocked } = body.summary
  return {
    vouchers: body.vouchers
      .map(
        (each: { id: string; balance: { amount: string }; available_balance: { amount: string }; status: string }) => {
          return `${each.id} ${each.balance.amount} ${each.available_balance.amount} ${each.status}`
        },
      )
      .toSorted(),
    summary: [count, issued.amount, redeemed.amount, outstanding.amount, blocked],
  }
}

const foretellVouchers = (model: Model) => ({
  vouchers: model.vouchers
    .map((voucher) => {
      const { id, balance, isBlocked } = voucher
      const status = isBlocked ? 'blocked' : balance === 0 ? 'depleted' : 'active'
      return `${id} ${euros(balance)} ${euros(balance - reservedOf(model, voucher))} ${status}`
    })
    .toSorted(),
  summary: [
    model.vouchers.length,
    euros(sum(model.vouchers.map(({ issued }) => issued))),
    euros(sum(model.vouchers.map(({ spent }) => spent))),
    euros(sum(model.vouchers.map(({ balance }) => balance))),
    model.vouchers.filter(({ isBlocked }) => isBlocked).length,
  ],
})

const showBoard = async ({ actors }: Scene) => {
  const { body } = await actors['mara']!.get('/admin/tasks')
  const { body: archived } = await actors['mara']!.get('/admin/tasks?archived=true')
  interface Shown {
    id: string
    title: string
    status: string
    position: number
    lock_version: number
  }
  const told = ({ id, title, lock_version }: Shown) => `${id} ${title} ${lock_version}`
  return {
    columns: COLUMNS.map((status) =>
      body.tasks
        .filter((each: Shown) => each.status === status)
        .toSorted((one: Shown, other: Shown) => one.position - other.position)
        .map((each: Shown) => `${each.position} ${told(each)}`),
    ),
    archived: archived.tasks.map(told).toSorted(),
  }
}

const foretellBoard = ({ columns, tasks }: Model) => {
  const told = (id: string) => `${id} ${tasks.get(id)!.title} ${tasks.get(id)!.version}`
  return {
    columns: COLUMNS.map((status) => columns[status].map((id, at) => `${at + 1} ${told(id)}`)),
    archived: [...tasks.values()]
      .filter(({ isArchived }) => isArchived)
      .map(({ id }) => told(id))
      .toSorted(),
  }
}

const showTeam = async ({ actors, model }: Scene) => {
  const { body } = await actors['office']!.get('/admin/memberships')
  const byId = new Map<number, { role: string; state: string }>(
    [...body.active, ...body.deactivated].map((each: { id: number }) => [each.id, each as never]),
  )
  return {
    members: Object.values(model.members).map(({ id }) => `${byId.get(id)!.role} ${byId.get(id)!.state}`),
    invited: body.pending_invitations.map((each: { email: string }) => each.email).toSorted(),
  }
}

const foretellTeam = ({ members, invited }: Model) => ({
  members: Object.values(members).map(({ role, isActive }) => `${role} ${isActive ? 'active' : 'deactivated'}`),
  invited: [...invited.keys()].toSorted(),
})
