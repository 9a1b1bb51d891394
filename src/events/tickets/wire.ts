import { z } from 'zod'
import { showThing, wireShape } from '../../definitions/answers.ts'
import { changeBody, creationBody } from '../../definitions/bodies.ts'
import type { ShowContext } from '../../definitions/kinds.ts'
import { optionalInteger } from '../../http/fields.ts'
import { Timestamp, exampleOf, named, showTimestamp } from '../../http/wire.ts'
import { ticketDefinition } from '../definitions.ts'
import type { Ticket } from './records.ts'

export const NewTicketBody = creationBody('ticket', ticketDefinition, () => ({}))
export const TicketChangesBody = changeBody('ticket', ticketDefinition, () => ({ lock_version: optionalInteger() }))

export type NewTicketInput = ReturnType<typeof NewTicketBody.read>
export type TicketChangesInput = ReturnType<typeof TicketChangesBody.read>

export const TicketAnswer = named(
  'Ticket',
  z.object({
    id: z.int(),
    ...wireShape(ticketDefinition),
    position: z.int(),
    claimed_count: z.int(),
    lock_version: z.int(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  {
    id: 4,
    key: 'floor',
    title: 'Standing',
    kind: 'StandardTicket',
    color: '#2f6fed',
    features: ['Welcome drink'],
    price: '25.00',
    inventory_kind: 'standing',
    stock: 300,
    max_per_order: 8,
    hidden: false,
    access_codes: [],
    group_size: null,
    tax_rate: '19.00',
    position: 1,
    claimed_count: 120,
    lock_version: 0,
    created_at: '2026-10-01T09:00:00.000Z',
    updated_at: '2026-10-01T09:00:00.000Z',
  },
)

export const TicketAnswers = named('Tickets', z.object({ tickets: z.array(TicketAnswer) }), {
  tickets: [exampleOf(TicketAnswer)!],
})

export const showTicket = (ticket: Ticket, terms: ShowContext): z.output<typeof TicketAnswer> => ({
  ...showThing(ticketDefinition, ticket.thing, terms),
  id: ticket.id,
  position: ticket.position + 1,
  claimed_count: ticket.claimedCount,
  lock_version: ticket.lockVersion,
  created_at: showTimestamp(ticket.createdAt),
  updated_at: showTimestamp(ticket.updatedAt),
})
