import { organizerOfEvent } from '../../access/access.ts'
import { ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_SETUPS } from '../example-setups.ts'
import { cancelParties, resendTicketsOfParties } from './change-parties.ts'
import { movePartiesToTicket } from './move-parties.ts'
import { PartiesBody, PartyResults, TicketChangeBody, showResults } from './wire.ts'

const cancellations = endpoint({
  method: 'POST',
  path: '/admin/events/:event_slug/guest_parties/cancellations',
  operationId: 'cancelGuestParties',
  says: 'Cancels up to 500 parties, each that can be, and says for each what became of it.',
  access: organizerOfEvent('write'),
  body: PartiesBody,
  example: { public_ids: ['Qm4Zr8uVtYp2LkNs6HdWcE'] },
  exampleSetup: EXAMPLE_SETUPS.parties,
  answers: { 200: PartyResults },
  handle: async ({ event, body: { public_ids: ids } }) => ok(showResults(ids, await cancelParties(event, ids))),
})

const deliveries = endpoint({
  method: 'POST',
  path: '/admin/events/:event_slug/guest_parties/deliveries',
  operationId: 'deliverGuestParties',
  says: 'Mails the tickets of up to 500 parties again, of each that has an address, and says for each what became of it.',
  access: organizerOfEvent('write'),
  body: PartiesBody,
  example: { public_ids: ['Qm4Zr8uVtYp2LkNs6HdWcE'] },
  exampleSetup: EXAMPLE_SETUPS.parties,
  answers: { 200: PartyResults },
  handle: async ({ event, body: { public_ids: ids } }) =>
    ok(showResults(ids, await resendTicketsOfParties(event, ids))),
})

const ticketChanges = endpoint({
  method: 'POST',
  path: '/admin/events/:event_slug/guest_parties/ticket_changes',
  operationId: 'moveGuestParties',
  says: 'Gives up to 500 parties another ticket, each whole or not at all; their codes stay. For a ticket with numbered places `event_place_ids_by_party` names free places of it for each party by its public ID, one for each person and in their order. With `deliver` the new tickets are mailed.',
  access: organizerOfEvent('write'),
  body: TicketChangeBody,
  example: { public_ids: ['Qm4Zr8uVtYp2LkNs6HdWcE'], ticket_id: 6 },
  exampleSetup: EXAMPLE_SETUPS.movedParties,
  answers: { 200: PartyResults },
  handle: async ({ event, body: { public_ids: ids, ...change } }) =>
    ok(showResults(ids, await movePartiesToTicket(event, ids, change))),
})

export const bulkEndpoints = [cancellations, deliveries, ticketChanges]
