import type { z } from 'zod'
import { doorEndpoints } from '../door/endpoints.ts'
import type { ScannerEvents, ScannerTicket, ScannerTickets } from '../door/wire.ts'
import { pageOf, omitKeys } from './pages.ts'
import { integer, text } from './parameters.ts'
import { endpointFinder, defineTool } from './tool.ts'

const endpoint = endpointFinder(doorEndpoints)

const EVENTS_MAX = 25
const TICKETS_MAX = 20

type ShownTicket = z.output<typeof ScannerTicket>

const showTicket = (ticket: ShownTicket) => ({
  ticket_id: ticket.public_id,
  ...omitKeys(ticket, 'ticket_color', 'place_snapshot', 'updated_at'),
})

export const manageDoor = defineTool({
  name: 'manage_door',
  title: 'Door',
  says: 'The door: which events can be scanned, who is on a ticket, letting somebody in, and the figures of the night.',
  parameters: {
    query: text('A check-in code, a ticket’s ID, or part of a name or email.'),
    ticket_id: text('A ticket: its ID as search calls it, or its check-in code.'),
    page: integer('Which page of a list, from 1.', { minimum: 1 }),
  },
  actions: {
    events: {
      says: 'The events that can be scanned: upcoming ones by their start, then past ones.',
      calls: endpoint('GET /scanner/events'),
      takes: ['page'],
      show: ({ events }: z.output<typeof ScannerEvents>, { given }) => {
        const { shown, next_page } = pageOf(events, given.page, EVENTS_MAX)
        return {
          count: events.length,
          next_page,
          events: shown.map(({ slug, title, starts_at, ends_at, venue }) => ({
            slug,
            title,
            starts_at,
            ends_at,
            venue,
          })),
        }
      },
    },
    search: {
      says: 'Finds tickets by code, ID, name or email, in all events or in one; a code finds a blocked ticket too.',
      calls: endpoint('GET /scanner/search'),
      query: {
        q: 'query',
        event_slug: (call) => (call.given.event_title === undefined ? undefined : call.eventSlug()),
      },
      needs: ['query'],
      takes: ['event_title', 'page'],
      show: ({ tickets }: z.output<typeof ScannerTickets>, { given }) => {
        const { shown, next_page } = pageOf(tickets, given.page, TICKETS_MAX)
        return { count: tickets.length, next_page, tickets: shown.map(showTicket) }
      },
    },
    redeem: {
      says: 'Lets one guest in: redeems a ticket of the event, once and for good.',
      calls: endpoint('POST /scanner/events/:event_slug/tickets/:identifier/redemption'),
      path: { identifier: 'ticket_id' },
      confirm: 'Marks the ticket as used: nobody else comes in with it, and it cannot be undone.',
      foresee: async ({ ask, given }) =>
        showTicket(
          await ask(endpoint('GET /scanner/tickets/:identifier'), { params: { identifier: given.ticket_id! } }),
        ),
      show: showTicket,
    },
    stats: {
      says: 'How many are expected and how many have come in, by ticket and over time.',
      calls: endpoint('GET /scanner/events/:event_slug/stats'),
    },
  },
})
