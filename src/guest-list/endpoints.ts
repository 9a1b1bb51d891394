import { z } from 'zod'
import { anyone, organizerOfEvent } from '../access/access.ts'
import { RawAnswer, created, ok, redirect } from '../http/answers.ts'
import { endpoint } from '../http/endpoint.ts'
import { queryChoice, queryText } from '../http/fields.ts'
import { requireFound } from '../kernel/refusals.ts'
import { bulkEndpoints } from './bulk/endpoints.ts'
import { cancelAdmission, cancelParty } from './cancel-party.ts'
import { createParty } from './create-party.ts'
import { historyEndpoints } from './history/endpoints.ts'
import { guestImportEndpoints } from './imports/endpoints.ts'
import { ChangedParty, NewParty } from './inputs.ts'
import { findTicketOptions, listGuests } from './list-guests.ts'
import { printTickets } from './print-tickets.ts'
import { findParty } from './records.ts'
import { GUEST_FILTERS } from './rules.ts'
import { EXAMPLE_SETUPS } from './example-setups.ts'
import { partySummaryEndpoints } from './summaries/endpoints.ts'
import { updateParty } from './update-party.ts'
import { GuestList, GuestParty, TicketOptions, showGuestList, showParty, showTicketOption } from './wire.ts'

const pathOf = (slug: string, publicId: string) => `/admin/events/${slug}/guest_parties/${publicId}`

const guestList = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/guest_list',
  operationId: 'getGuestList',
  says: 'The guest list of an event: its live parties by lead name, what they count, and what parties can be made of.',
  access: organizerOfEvent('read'),
  query: z.object({ query: queryText(), filter: queryChoice('all', GUEST_FILTERS) }),
  answers: { 200: GuestList },
  handle: async ({ event, query }) => ok(showGuestList(await listGuests(event, query))),
})

const ticketOptions = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/ticket_options',
  operationId: 'listTicketOptions',
  says: 'What parties of an event can be made of: its standard tickets with their standing areas and free places.',
  access: organizerOfEvent('read'),
  answers: { 200: TicketOptions },
  handle: async ({ event }) => ok({ ticket_options: (await findTicketOptions(event)).map(showTicketOption) }),
})

const guestParty = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/guest_parties/:public_id',
  operationId: 'getGuestParty',
  says: 'One guest party, live or cancelled. A browser that asks for HTML is sent to its edit screen.',
  access: organizerOfEvent('read'),
  exampleSetup: EXAMPLE_SETUPS.party,
  answers: { 200: GuestParty },
  handle: async ({ event, params }) => {
    const party = await event.consistentRead((rows) => findParty(rows, event.event.id, params.public_id))
    return ok(showParty(requireFound(party)))
  },
  page: async ({ event, params }) => {
    const party = await event.consistentRead((rows) => findParty(rows, event.event.id, params.public_id))
    return redirect(`${pathOf(event.event.slug, requireFound(party).publicId)}/edit`)
  },
})

const editScreen = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/guest_parties/:public_id/edit',
  says: 'The edit screen of a party, which is its view in the console: that asks who is not signed in to do so.',
  access: anyone(),
  answers: {},
  undocumented: true,
  handle: async ({ params }) =>
    redirect(
      `/console/events/${encodeURIComponent(params.event_slug)}/guests/${encodeURIComponent(params.public_id)}`,
      303,
    ),
})

const newGuestParty = endpoint({
  method: 'POST',
  path: '/admin/events/:event_slug/guest_parties',
  operationId: 'createGuestParty',
  says: 'Adds a complimentary party and takes its inventory at once; with a delivery address its tickets are mailed.',
  access: organizerOfEvent('write'),
  body: NewParty,
  example: {
    guest_party: {
      customer_name: 'Petra Press',
      ticket_id: 6,
      party_size: 2,
      delivery_email: 'petra@press.example',
      staff_note: 'Side entrance',
      attendee_names: { '1': 'Paul Photo' },
    },
  },
  answers: { 201: GuestParty },
  creates: true,
  handle: async ({ event, body }) => {
    const party = await createParty(event, body)
    return created(showParty(party), pathOf(event.event.slug, party.publicId))
  },
})

const changedGuestParty = endpoint({
  method: 'PATCH',
  path: '/admin/events/:event_slug/guest_parties/:public_id',
  operationId: 'updateGuestParty',
  says: 'Changes what was sent and keeps the rest; `deliver` mails the tickets after saving. With `before`, what was read of a field, it answers 409 where somebody has changed that field since.',
  access: organizerOfEvent('write'),
  body: ChangedParty,
  example: { deliver: true, guest_party: { staff_note: 'Bring to the green room' } },
  exampleSetup: EXAMPLE_SETUPS.party,
  answers: { 200: GuestParty },
  exists: async ({ event, params }) => requireFound(await findParty(event.rows, event.event.id, params.public_id)),
  handle: async ({ event, params, body: { guest_party: change, deliver, before } }) => {
    if (deliver) event.note?.add({ deliver })
    return ok(showParty(await updateParty(event, params.public_id, { ...(change && { change }), deliver, before })))
  },
})

const partyTickets = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/guest_parties/:public_id/tickets',
  operationId: 'getGuestPartyTickets',
  says: 'The tickets of a live party to print, one page for each person, as they are mailed.',
  access: organizerOfEvent('read'),
  exampleSetup: EXAMPLE_SETUPS.party,
  answers: {},
  media: ['application/pdf'],
  handle: async ({ event, params }) => {
    const { fileName, pdf } = await printTickets(event, params.public_id)
    const headers = {
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="${fileName}"`,
      // It holds the codes that open the door.
      'cache-control': 'private, no-store',
    }
    return new RawAnswer(200, headers, pdf)
  },
})

const partyCancellation = endpoint({
  method: 'POST',
  path: '/admin/events/:event_slug/guest_parties/:public_id/cancellation',
  operationId: 'cancelGuestParty',
  says: 'Cancels a party of which nobody has come in, and gives its inventory back.',
  access: organizerOfEvent('write'),
  exampleSetup: EXAMPLE_SETUPS.party,
  answers: { 200: GuestParty },
  handle: async ({ event, params }) => ok(showParty(await cancelParty(event, params.public_id))),
})

const admissionCancellation = endpoint({
  method: 'POST',
  path: '/admin/events/:event_slug/guest_parties/:public_id/admissions/:admission_public_id/cancellation',
  operationId: 'cancelAdmission',
  says: 'Releases one admission that nobody has come in with; with its last admission the party is cancelled.',
  access: organizerOfEvent('write'),
  exampleSetup: EXAMPLE_SETUPS.admission,
  answers: { 200: GuestParty },
  handle: async ({ event, params }) =>
    ok(showParty(await cancelAdmission(event, params.public_id, params.admission_public_id))),
})

export const guestListEndpoints = [
  guestList,
  ticketOptions,
  guestParty,
  editScreen,
  partyTickets,
  newGuestParty,
  changedGuestParty,
  partyCancellation,
  admissionCancellation,
  ...partySummaryEndpoints,
  ...bulkEndpoints,
  ...historyEndpoints,
  ...guestImportEndpoints,
]
