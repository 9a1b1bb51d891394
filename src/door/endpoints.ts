import { z } from 'zod'
import { scanner, scannerEvent } from '../access/access.ts'
import type { CallerScope } from '../access/scopes.ts'
import { ok } from '../http/answers.ts'
import { endpoint } from '../http/endpoint.ts'
import { queryName, queryText } from '../http/fields.ts'
import { found } from '../kernel/refusals.ts'
import { attemptEndpoints } from './attempts/endpoints.ts'
import { findTickets, readTicket } from './find-tickets.ts'
import { findEventBySlug, findScannableEvents } from './records.ts'
import { scanTimeOf } from './rules.ts'
import { streamValidTickets, takeSnapshot } from './snapshot.ts'
import {
  type EventAtTheDoor,
  Me,
  ScannerEvents,
  ScannerTicket,
  ScannerTickets,
  Snapshot,
  type TicketAtTheDoor,
  showEvent,
  showMe,
  showTicket,
} from './wire.ts'
import { TRIALS } from './trials.ts'

const showTickets = (scope: CallerScope, event: EventAtTheDoor | null, tickets: TicketAtTheDoor[]) =>
  ok({ event: event && showEvent(event, scope), tickets: tickets.map(showTicket) })

const eventNamed = async (scope: CallerScope, slug: string) =>
  slug === '' ? null : found(await findEventBySlug(scope, slug))

export const scannerIdentity = endpoint({
  method: 'GET',
  path: '/scanner/me',
  operationId: 'getScanner',
  says: 'Who is scanning: the account and the credential of this request.',
  access: scanner('read'),
  answers: { 200: Me },
  handle: async ({ account }) => ok(showMe(account.caller)),
})

export const scannerEvents = endpoint({
  method: 'GET',
  path: '/scanner/events',
  operationId: 'listScannerEvents',
  says: 'The events that can be scanned: those not yet over by their start, then past ones, newest first.',
  access: scanner('read'),
  answers: { 200: ScannerEvents },
  handle: async ({ account }) => {
    const events = await findScannableEvents(account)
    return ok({ events: events.map((event) => showEvent(event, account)) })
  },
})

export const eventSnapshot = endpoint({
  method: 'GET',
  path: '/scanner/events/:event_slug/snapshot',
  operationId: 'getSnapshot',
  says: 'Every ticket of the event, blocked ones included, for checks without a network. With `since`, the `generated_at` of an earlier snapshot, only what changed; with `If-None-Match` 304 when nothing did.',
  access: scannerEvent('read'),
  query: z.object({ since: queryText() }),
  answers: { 200: Snapshot, 304: null },
  handle: ({ event, query, headers }) =>
    takeSnapshot(event, { since: scanTimeOf(query.since), knownTags: headers['if-none-match'] }),
})

export const eventTickets = endpoint({
  method: 'GET',
  path: '/scanner/events/:event_slug/tickets',
  operationId: 'listEventTickets',
  says: 'The valid tickets of the event: all of them, or those that `query` finds by code, public ID, name or address.',
  access: scannerEvent('read'),
  query: z.object({ query: queryText() }),
  answers: { 200: ScannerTickets },
  handle: async ({ event, query }) => {
    const eventId = event.event.id
    const shown = found(await findEventBySlug(event, event.event.slug))
    if (query.query === '') return streamValidTickets(event, { eventId, shown })
    const search = { text: query.query, event: event.event, showsBlocked: false }
    return showTickets(event, shown, await findTickets(event, search))
  },
})

export const tickets = endpoint({
  method: 'GET',
  path: '/scanner/tickets',
  operationId: 'listTickets',
  says: 'The valid tickets that `query` finds in all events, or in the one of `event_slug`; that event’s whole list without a query.',
  access: scanner('read'),
  query: z.object({ query: queryText(), event_slug: queryName() }),
  answers: { 200: ScannerTickets },
  handle: async ({ account, query }) => {
    const event = await eventNamed(account, query.event_slug)
    if (event && query.query === '') return streamValidTickets(account, { eventId: event.id, shown: null })
    const search = { text: query.query, event, showsBlocked: false }
    return showTickets(account, null, await findTickets(account, search))
  },
})

export const ticketSearch = endpoint({
  method: 'GET',
  path: '/scanner/search',
  operationId: 'searchTickets',
  says: 'Finds a ticket by its code or public ID, blocked ones too, and valid tickets by parts of names and addresses.',
  access: scanner('read'),
  query: z.object({ q: queryText(), event_slug: queryName() }),
  trial: TRIALS.search,
  answers: { 200: ScannerTickets },
  handle: async ({ account, query }) => {
    const event = eventNamed(account, query.event_slug)
    // Waited for below; until then nobody else listens to it.
    event.catch(() => {})
    const tickets = await findTickets(account, { text: query.q, event, showsBlocked: true })
    return showTickets(account, await event, tickets)
  },
})

export const ticket = endpoint({
  method: 'GET',
  path: '/scanner/tickets/:identifier',
  operationId: 'getTicket',
  says: 'One ticket, by its public ID or its check-in code.',
  access: scanner('read'),
  trial: TRIALS.ticket,
  answers: { 200: ScannerTicket },
  handle: async ({ account, params }) => ok(showTicket(await readTicket(account, params.identifier))),
})

export const doorEndpoints = [
  scannerIdentity,
  scannerEvents,
  eventSnapshot,
  eventTickets,
  tickets,
  ticketSearch,
  ticket,
  ...attemptEndpoints,
]
