import { issueOrder } from '../../src/admissions/issue-order.ts'
import { NO_BILLING } from '../../src/admissions/rules.ts'
import {
  type Guest,
  type Model,
  type Party,
  SEATS,
  type TicketKey,
  isCancellable,
  isSeatTaken,
  roomFor,
} from './model.ts'
import { type Doing, byStatus, pick } from './outcome.ts'

const STAFF = ['office', 'mara', 'cem', 'reader'] as const
const TICKETS: readonly TicketKey[] = ['ga', 'floor', 'seat']

interface ShownParty {
  public_id: string
  admissions: { public_id: string; check_in_code: string; place_label: string | null }[]
}

export const partyFrom = (shown: ShownParty, facts: Pick<Party, 'ticket' | 'link' | 'isSold'>): Party => ({
  ...facts,
  id: shown.public_id,
  isLive: true,
  guests: shown.admissions.map((each) => ({
    id: each.public_id,
    code: each.check_in_code,
    isActive: true,
    isIn: false,
    seat: facts.ticket === 'seat' ? each.place_label : null,
  })),
})

const listed = (model: Model) => model.parties.filter(({ isSold }) => !isSold)

const addParty: Doing = async ({ actors, ball, model, tickets, seats, front }, { actor, a, b, c }) => {
  const who = pick(STAFF, actor)!
  const ticket = pick(TICKETS, a)!
  const size = 1 + (b % 3)
  const wanted = Array.from({ length: size }, (_, n) => pick(SEATS, c + n)!)
  const reply = await actors[who]!.post(`${ball}/guest_parties`, {
    guest_party: {
      customer_name: `Guest ${a}`,
      ticket_id: tickets[ticket],
      ...(ticket === 'seat' ? { event_place_ids: wanted.map((seat) => seats[seat]) } : { party_size: size }),
      ...(ticket === 'floor' && { event_capacity_pool_id: front }),
    },
  })
  const isFree = ticket !== 'seat' || wanted.every((seat) => !isSeatTaken(model, seat))
  const foretold = who === 'reader' ? 401 : size <= roomFor(model, ticket) && isFree ? 201 : 422
  return byStatus(reply, foretold, (shown) =>
    model.parties.push(partyFrom(shown, { ticket, link: null, isSold: false })),
  )
}

const changeParty: Doing = async ({ actors, ball, model }, { actor, a, b }) => {
  const party = pick(listed(model), a)
  if (!party) return null
  const who = pick(STAFF, actor)!
  const change = { customer_name: `Guest ${b}`, staff_note: `Note ${b}` }
  const reply = await actors[who]!.patch(`${ball}/guest_parties/${party.id}`, { guest_party: change })
  return byStatus(reply, who === 'reader' ? 401 : party.isLive ? 200 : 422)
}

const cancelParty: Doing = async ({ actors, ball, model }, { actor, a }) => {
  const party = pick(listed(model), a)
  if (!party) return null
  const who = pick(STAFF, actor)!
  const reply = await actors[who]!.post(`${ball}/guest_parties/${party.id}/cancellation`)
  return byStatus(reply, who === 'reader' ? 401 : isCancellable(party) ? 200 : 422, () => end(party, party.guests))
}

const cancelAdmission: Doing = async ({ actors, ball, model }, { a, b }) => {
  const party = pick(listed(model), a)
  const guest = party && pick(party.guests, b)
  if (!guest) return null
  const reply = await actors['cem']!.post(`${ball}/guest_parties/${party.id}/admissions/${guest.id}/cancellation`)
  return byStatus(reply, guest.isActive && !guest.isIn ? 200 : 422, () => end(party, [guest]))
}

const end = (party: Party, guests: Guest[]) => {
  for (const guest of guests) guest.isActive = false
  if (party.guests.every(({ isActive }) => !isActive)) party.isLive = false
}

const moveSeat: Doing = async ({ actors, model, seats }, { a, b }) => {
  const seated = model.parties.flatMap(({ guests }) => guests.filter(({ seat }) => seat !== null))
  const guest = pick(seated, a)
  if (!guest) return null
  const seat = pick(SEATS, b)!
  const input = { seat_exchange: { event_place_id: seats[seat] } }
  const reply = await actors['mara']!.post(`/admin/order_items/${guest.id}/seat_exchange`, input)
  const foretold = guest.isActive && !guest.isIn && !isSeatTaken(model, seat) ? 200 : 422
  return byStatus(reply, foretold, () => void (guest.seat = seat))
}

/** As a shop's checkout does it. */
const buy: Doing = async ({ scope, model, tickets, eventId }, { a, b }) => {
  const size = 1 + (b % 2)
  const issue = await scope.transaction((tx) =>
    issueOrder(tx, {
      eventId,
      origin: 'shop',
      status: 'paid',
      customerName: `Buyer ${a}`,
      deliveryEmail: null,
      deliversToCreator: false,
      staffNote: null,
      customerPhone: null,
      customerCompany: null,
      billing: NO_BILLING,
      answers: {},
      creator: null,
      ticket: { id: tickets['ga']!, title: 'General admission' },
      standingArea: null,
      places: [],
      admissions: Array.from({ length: size }, () => ({ isLead: false, attendeeName: null, answers: {} })),
    }),
  )
  return {
    told: issue.refused === null,
    foretold: size <= roomFor(model, 'ga'),
    isDone: issue.order !== null,
    apply: () => {
      const { publicId, admissions } = issue.order!
      const guests = admissions.map((each): Guest => {
        return { id: each.publicId, code: each.checkInCode, isActive: true, isIn: false, seat: null }
      })
      model.parties.push({ id: publicId, ticket: 'ga', isLive: true, isSold: true, link: null, guests })
    },
  }
}

export const guestActs = { addParty, changeParty, cancelParty, cancelAdmission, moveSeat, buy }
