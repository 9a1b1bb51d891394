import { setupManagementOfEvent } from '../../access/access.ts'
import type { EventScope } from '../../access/scopes.ts'
import { requireVersion } from '../../definitions/change.ts'
import { created, noContent, ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { readLockVersion, readLockVersionInEnvelope } from '../../http/lock-version.ts'
import { parsePathId } from '../../http/path-ids.ts'
import type { PrecedingCall } from '../../http/example-setup.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { setupOnNewEvent } from '../parts/example-setups.ts'
import { PositionBody } from '../parts/wire.ts'
import { changeTicket, createTicket, moveTicket, removeTicket } from './keep-tickets.ts'
import { findTicket, findTickets } from './records.ts'
import { NewTicketBody, TicketAnswer, TicketAnswers, TicketChangesBody, showTicket } from './wire.ts'

const newTicket: PrecedingCall = {
  call: 'POST /admin/events/$event_slug/tickets',
  body: { ticket: { title: 'Early bird', price: '19.00', stock: 100 } },
  take: [{ key: 'id', as: 'id' }],
}

const requireTicket = async ({ event, params }: { event: EventScope; params: { id: string } }) =>
  requireFound(await findTicket(event.rows, event.event.id, parsePathId(params.id)))

const tickets = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/tickets',
  operationId: 'listTicketTypes',
  says: 'The tickets of an event in the order of the shop, hidden ones too, each with how many of it are claimed.',
  access: setupManagementOfEvent('read'),
  answers: { 200: TicketAnswers },
  handle: async ({ event }) => {
    const all = await findTickets(event.rows, event.event.id)
    return ok({ tickets: all.map((ticket) => showTicket(ticket, event.account)) })
  },
})

const ticketCreation = endpoint({
  method: 'POST',
  path: '/admin/events/:event_slug/tickets',
  operationId: 'createTicket',
  says: 'Adds a ticket to an event, last in the order of the shop.',
  access: setupManagementOfEvent('write'),
  body: NewTicketBody,
  example: { ticket: { title: 'Early bird', price: '19.00', stock: 100, max_per_order: 6 } },
  exampleSetup: setupOnNewEvent(),
  answers: { 201: TicketAnswer },
  creates: true,
  handle: async ({ event, body }) => {
    const made = await createTicket(event, body)
    return created(showTicket(made, event.account), `/admin/events/${event.event.slug}/tickets`)
  },
})

const ticketChange = endpoint({
  method: 'PATCH',
  path: '/admin/events/:event_slug/tickets/:id',
  operationId: 'updateTicket',
  says: 'Changes what is sent of a ticket and keeps the rest. Stock never falls below what is claimed, and orders keep their prices.',
  access: setupManagementOfEvent('write'),
  integerParams: ['id'],
  body: TicketChangesBody,
  example: { ticket: { price: '24.00', stock: 150, lock_version: 0 } },
  exampleSetup: setupOnNewEvent(newTicket),
  answers: { 200: TicketAnswer },
  exists: async (asked) =>
    requireVersion(await requireTicket(asked), readLockVersionInEnvelope(asked.sent, 'ticket'), 'ticket'),
  handle: async ({ event, params, body }) =>
    ok(showTicket(await changeTicket(event, parsePathId(params.id), body), event.account)),
})

const ticketPosition = endpoint({
  method: 'PATCH',
  path: '/admin/events/:event_slug/tickets/:id/position',
  operationId: 'moveTicket',
  says: 'Moves a ticket to a position from 1; the others close up and make room.',
  access: setupManagementOfEvent('write'),
  integerParams: ['id'],
  body: PositionBody,
  example: { position: 1 },
  exampleSetup: setupOnNewEvent(newTicket),
  answers: { 200: TicketAnswer },
  exists: async (asked) => requireVersion(await requireTicket(asked), readLockVersion(asked.sent), 'ticket'),
  handle: async ({ event, params, body }) =>
    ok(showTicket(await moveTicket(event, parsePathId(params.id), body), event.account)),
})

const ticketRemoval = endpoint({
  method: 'DELETE',
  path: '/admin/events/:event_slug/tickets/:id',
  operationId: 'deleteTicket',
  says: 'Deletes a ticket that was never issued and that no places, standing areas or signup links refer to.',
  access: setupManagementOfEvent('write'),
  integerParams: ['id'],
  exampleSetup: setupOnNewEvent(newTicket),
  answers: { 204: null },
  handle: async ({ event, params }) => {
    await removeTicket(event, parsePathId(params.id))
    return noContent()
  },
})

export const ticketEndpoints = [tickets, ticketCreation, ticketChange, ticketPosition, ticketRemoval]
