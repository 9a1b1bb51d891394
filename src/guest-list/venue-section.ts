import { z } from 'zod'
import { importOrders, asImportedOrder } from '../admissions/import-orders.ts'
import type { NewOrder } from '../admissions/issue-order.ts'
import { type OrderTerms, findTerms } from '../admissions/terms/records.ts'
import { idsOfAnswers, showItem } from '../admissions/venue-section.ts'
import { shortageAt } from '../inventory/venue-section.ts'
import { Invalid } from '../kernel/refusals.ts'
import { type JsonPath, faultAt } from '../loading/fault.ts'
import { key, list, optional, text, strictObject } from '../loading/fields.ts'
import { type EventSection, type LoadContext, type LoadedEvent, findByKey } from '../loading/section.ts'
import { judgeParty } from './create-party.ts'
import { NewParty } from './inputs.ts'

const asPosted = z.unknown().optional()

const GuestPartyOfFile = strictObject({
  key: key(),
  customer_name: text(),
  ticket: key(),
  standing_area: optional(key()),
  places: list(key(), 'itself'),
  custom_field_answers: optional(z.record(z.string(), z.unknown())),
  attendee_custom_field_answers: optional(z.record(z.string(), z.record(z.string(), z.unknown()))),
  party_size: asPosted,
  delivery_email: asPosted,
  send_to_creator: asPosted,
  staff_note: asPosted,
  customer_phone: asPosted,
  customer_company: asPosted,
  billing_street: asPosted,
  billing_postal_code: asPosted,
  billing_city: asPosted,
  billing_country: asPosted,
  billing_vat_id: asPosted,
  attendee_names: asPosted,
})

type GuestPartyInput = z.output<typeof GuestPartyOfFile>

/** Parties as if the account owner had added them by hand, but all at once, and nothing is mailed. */
export const guestPartiesSection: EventSection<GuestPartyInput[]> = {
  key: 'guest_parties',
  schema: () => list(GuestPartyOfFile, 'key'),
  load: async (context, event, parties, place) => {
    const { tx, terms } = context
    const owner = ownerOf(context)
    const placeIds = Array.from(event.places.values(), ({ id }) => id)
    const termsOf = new Map<number | null, OrderTerms>()

    const orders: NewOrder[] = []
    for (const [n, party] of parties.entries()) {
      const at = [...place, n]
      const input = tellPlace(at, () => NewParty.read({ guest_party: withIds(event, party, at) }))
      const ticketId = input.ticket_id
      const ticketTerms = termsOf.get(ticketId) ?? (await findTerms(tx, event.id, { ticketId, placeIds }))
      termsOf.set(ticketId, ticketTerms)
      orders.push(tellPlace(at, () => judgeParty(ticketTerms, event.id, owner, input)))
    }

    const issue = await importOrders(
      tx,
      event.id,
      orders.map((order) => asImportedOrder(order, terms.now)),
    )
    if (issue.refused) throw shortageAt(place, issue.refused)
    return Object.fromEntries(
      parties.map(({ key: name }, n) => {
        const { publicId, items } = issue.orders[n]!
        return [name, { public_id: publicId, admissions: items.map(showItem) }]
      }),
    )
  },
}

const withIds = (event: LoadedEvent, party: GuestPartyInput, at: JsonPath) => {
  const {
    key: _key,
    ticket,
    standing_area,
    places,
    custom_field_answers,
    attendee_custom_field_answers,
    ...rest
  } = party
  const attendees = Object.entries(attendee_custom_field_answers ?? {})
  return {
    ...rest,
    ticket_id: findByKey(event.tickets, ticket, [...at, 'ticket'], 'ticket').id,
    event_place_ids: places.map((name, n) => findByKey(event.places, name, [...at, 'places', n], 'place').id),
    event_capacity_pool_id:
      standing_area === null
        ? null
        : findByKey(event.standingAreas, standing_area, [...at, 'standing_area'], 'standing area').id,
    custom_field_answers: idsOfAnswers(event, custom_field_answers ?? {}, [...at, 'custom_field_answers']),
    attendee_custom_field_answers: Object.fromEntries(
      attendees.map(([attendee, answers]) => [
        attendee,
        idsOfAnswers(event, answers, [...at, 'attendee_custom_field_answers', attendee]),
      ]),
    ),
  }
}

const ownerOf = ({ people }: LoadContext) => {
  const owner = Array.from(people.values()).find(({ role, isActive }) => role === 'owner' && isActive)
  if (!owner) throw faultAt(['people'], 'there is no active owner')
  return owner
}

/** Fields of the API that the file calls by another name. */
const FILE_NAMES: Record<string, string> = {
  ticket_id: 'ticket',
  event_place_ids: 'places',
  event_capacity_pool_id: 'standing_area',
}

const tellPlace = <T>(at: JsonPath, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    const [field, messages] = Object.entries(error.errors)[0]!
    throw faultAt(field === 'base' ? at : [...at, FILE_NAMES[field] ?? field], messages[0]!)
  }
}
