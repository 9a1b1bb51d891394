import type { ActingPerson } from '../access/callers.ts'
import { type EventScope, type Tx, writePendingAuditEntries } from '../access/scopes.ts'
import { type NewAdmission, type NewOrder, issueOrders } from '../admissions/issue-order.ts'
import { lockGuestEmails } from '../admissions/records.ts'
import {
  NO_ROOM_MESSAGE,
  SEATS_GONE_MESSAGE,
  chooseStandingArea,
  isEligibleForGuestList,
  validateAnswers,
} from '../admissions/rules.ts'
import { type OrderPreconditions, findOrderPreconditions } from '../admissions/terms/records.ts'
import { batchPerEvent } from '../inventory/per-event.ts'
import type { Shortage } from '../inventory/rules.ts'
import { BLANK_MESSAGE, NOT_INCLUDED_MESSAGE } from '../kernel/messages.ts'
import { newPublicId } from '../kernel/public-ids.ts'
import { type ErrorMap, Invalid, Refusal, requireFound } from '../kernel/refusals.ts'
import { queueTicketMails } from '../tickets-by-mail/queue-tickets.ts'
import { publishPartyWebhook } from './announce.ts'
import type { NewPartyInput } from './inputs.ts'
import {
  type Party,
  chooseSeats,
  omitEmptyFaults,
  validateAttendeeAnswers,
  validateAttendeeNames,
  questionsOfScope,
} from './rules.ts'

/** Adds a party and takes its inventory. Where its tickets have somewhere to go, they are queued with it. */
export const createParty = async (event: EventScope, input: NewPartyInput): Promise<Party> => {
  const terms = await findOrderPreconditions(event.keyLookups, event.event.id, {
    ticketId: input.ticket_id,
    placeIds: input.event_place_ids,
  })
  const party = { ...validateParty(terms, event.event.id, event.actor, input), publicId: newPublicId() }
  event.note?.add({ public_id: party.publicId })

  const outcome = await addParty({ event, party })
  if (outcome instanceof Refusal) throw outcome
  return outcome
}

interface Asked {
  event: EventScope
  party: NewOrder
}

/** Numbered places are locked in one order for each party, which would be none for several of them. */
const addParty = async (asked: Asked): Promise<Party | Refusal> => {
  const { event, party } = asked
  if (!event.isWithinTransaction && party.places.length === 0) return arrivals(asked)
  const [outcome] = await event.transaction((tx) => addParties(tx, [asked]), { isKeyed: true })
  return requireFound(outcome)
}

const REFUSALS: Record<Shortage, ErrorMap> = {
  event: { base: [NO_ROOM_MESSAGE] },
  ticket: { base: [NO_ROOM_MESSAGE] },
  area: { event_capacity_pool_id: [NO_ROOM_MESSAGE] },
  places: { event_place_ids: [SEATS_GONE_MESSAGE] },
}

/** Each party with its inventory, or the refusal that names what was short. One that is refused leaves no trace. */
const addParties = async (tx: Tx, asked: readonly Asked[]): Promise<(Party | Refusal)[]> => {
  const { eventId } = asked[0]!.party
  const guests = asked.flatMap(({ party }) => (party.deliversToCreator ? [] : (party.deliveryEmail ?? [])))
  await lockGuestEmails(tx, eventId, guests)
  const issues = await issueOrders(
    tx,
    eventId,
    asked.map(({ party }) => party),
  )

  const added = issues.flatMap(({ order }, n) => (order ? [{ ...asked[n]!, order }] : []))
  await writePendingAuditEntries(
    tx,
    added.map(({ event }) => event),
  )
  const mailed = added.filter(({ order }) => order.deliveryEmail !== null)
  if (mailed.length > 0) {
    const ids = mailed.map(({ order }) => order.id)
    await queueTicketMails(tx, ids, 'issued')
  }
  for (const { event, order } of added) await publishPartyWebhook(tx, event, 'guest_party.created', order)
  return issues.map(({ refused, order }) => order ?? new Invalid(REFUSALS[refused]))
}

/** Parties of one event that arrive together are one transaction, because they would wait for each other anyway. */
const arrivals = batchPerEvent(addParties)

/** The party as it will be written, or everything that is wrong with what was asked for. */
export const validateParty = (
  terms: OrderPreconditions,
  eventId: number,
  actor: Pick<ActingPerson, 'personId' | 'name' | 'email'>,
  input: NewPartyInput,
): NewOrder => {
  const placeIds = input.event_place_ids
  const { ticket, questions } = terms
  if (!isEligibleForGuestList(ticket))
    throw new Invalid({ ticket_id: [input.ticket_id === null ? BLANK_MESSAGE : NOT_INCLUDED_MESSAGE] })

  const seats = chooseSeats(ticket, terms.places, placeIds)
  const standing = chooseStandingArea(ticket, input.event_capacity_pool_id)
  const size = seats.places.length || (input.party_size ?? placeIds.length)
  const keys = Array.from({ length: size }, (_, position) => String(position))

  const order = validateAnswers(questionsOfScope('order', questions), input.custom_field_answers ?? {})
  const attendees = validateAttendeeAnswers(questions, keys, input.attendee_custom_field_answers ?? {})
  const { names, fault } = validateAttendeeNames(keys.slice(1), input.attendee_names ?? {})

  const faults = omitEmptyFaults({
    event_place_ids: seats.fault,
    event_capacity_pool_id: standing.fault,
    custom_field_answers: order.faults,
    attendee_custom_field_answers: attendees.faults,
    attendee_names: fault,
  })
  if (Object.keys(faults).length > 0) throw new Invalid(faults)

  return {
    eventId,
    origin: 'guest_list',
    status: 'paid',
    customerName: input.customer_name,
    deliveryEmail: input.send_to_creator ? actor.email : input.delivery_email,
    deliversToCreator: input.send_to_creator,
    staffNote: input.staff_note,
    customerPhone: input.customer_phone,
    customerCompany: input.customer_company,
    billing: {
      street: input.billing_street,
      postalCode: input.billing_postal_code,
      city: input.billing_city,
      country: input.billing_country,
      vatId: input.billing_vat_id,
    },
    answers: order.answers,
    creator: { personId: actor.personId, name: actor.name },
    ticket: { id: ticket.id, title: ticket.title },
    standingArea: standing.area,
    places: seats.places,
    admissions: attendees.attendees.map(({ key, answers }, position): NewAdmission => {
      return { isLead: position === 0, attendeeName: names.get(key) ?? null, answers }
    }),
  }
}
