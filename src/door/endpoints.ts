import { z } from 'zod'
import { doorStaff, doorStaffOfEvent } from '../access/access.ts'
import type { CallerScope } from '../access/scopes.ts'
import { ok } from '../http/answers.ts'
import { endpoint } from '../http/endpoint.ts'
import { queryName, queryText, strictQueryChoice } from '../http/fields.ts'
import { requireFound } from '../kernel/refusals.ts'
import { attemptEndpoints } from './attempts/endpoints.ts'
import { heartbeatEndpoints } from './heartbeats/endpoints.ts'
import { nightEndpoints } from './night/endpoints.ts'
import { findEventBySlug, findScannableEvents } from './records.ts'
import { parseScanTime } from './rules.ts'
import { type FoundTickets, findTickets, requireTicketByIdentifier } from './search/find-tickets.ts'
import { streamValidTickets, answerSnapshot } from './snapshot/take-snapshot.ts'
import { EXAMPLE_SETUPS } from './example-setups.ts'
import {
  AnySnapshot,
  ScannerMeAnswer,
  ScannerEvents,
  ScannerTicket,
  ScannerTickets,
  showEvent,
  showScannerMe,
  showTicket,
} from './wire.ts'

const showTickets = (scope: CallerScope, { event, tickets }: FoundTickets) =>
  ok({ event: event && showEvent(event, scope), tickets: tickets.map(showTicket) })

export const scannerIdentityEndpoint = endpoint({
  method: 'GET',
  path: '/scanner/me',
  operationId: 'getScanner',
  says: 'Who is scanning: the account and the credential of this request.',
  access: doorStaff('read'),
  answers: { 200: ScannerMeAnswer },
  handle: async ({ account }) => ok(showScannerMe(account.caller)),
})

export const scannerEventsEndpoint = endpoint({
  method: 'GET',
  path: '/scanner/events',
  operationId: 'listScannerEvents',
  says: 'The events that can be scanned: those not yet over by their start, then past ones, newest first.',
  access: doorStaff('read'),
  answers: { 200: ScannerEvents },
  handle: async ({ account }) => {
    const events = await findScannableEvents(account)
    return ok({ events: events.map((event) => showEvent(event, account)) })
  },
})

export const eventSnapshotEndpoint = endpoint({
  method: 'GET',
  path: '/scanner/events/:event_slug/snapshot',
  operationId: 'getSnapshot',
  says: 'Every ticket of the event, blocked ones included, for checks without a network. With `since`, the `generated_at` of an earlier snapshot, only what changed; with `If-None-Match` 304 when nothing did. `with=parties` adds which admissions are of one order or of one pair of wheelchair places, who is inside, and whether the event allows `reentry`.',
  access: doorStaffOfEvent('read'),
  query: z.object({ since: queryText(), with: strictQueryChoice('', ['', 'parties']) }),
  answers: { 200: AnySnapshot, 304: null },
  handle: ({ event, query, headers }) =>
    answerSnapshot(event, {
      since: parseScanTime(query.since),
      withParties: query.with === 'parties',
      knownTags: headers['if-none-match'],
    }),
})

export const eventTicketsEndpoint = endpoint({
  method: 'GET',
  path: '/scanner/events/:event_slug/tickets',
  operationId: 'listEventTickets',
  says: 'The valid tickets of the event: all of them, or those that `query` finds by code, public ID, name or address.',
  access: doorStaffOfEvent('read'),
  query: z.object({ query: queryText() }),
  answers: { 200: ScannerTickets },
  handle: async ({ event, query }) => {
    const { slug } = event.event
    if (query.query === '') {
      const shown = requireFound(await findEventBySlug(event, slug))
      return streamValidTickets(event, { event: shown, isShown: true })
    }
    return showTickets(event, await findTickets(event, { text: query.query, slug, showsBlocked: false }))
  },
})

export const ticketsEndpoint = endpoint({
  method: 'GET',
  path: '/scanner/tickets',
  operationId: 'listTickets',
  says: 'The valid tickets that `query` finds in all events, or in the one of `event_slug`; that event’s whole list without a query.',
  access: doorStaff('read'),
  query: z.object({ query: queryText(), event_slug: queryName() }),
  answers: { 200: ScannerTickets },
  handle: async ({ account, query }) => {
    const slug = query.event_slug
    if (slug !== '' && query.query === '') {
      const event = requireFound(await findEventBySlug(account, slug))
      return streamValidTickets(account, { event, isShown: false })
    }
    const { tickets } = await findTickets(account, { text: query.query, slug, showsBlocked: false })
    return showTickets(account, { event: null, tickets })
  },
})

export const ticketSearchEndpoint = endpoint({
  method: 'GET',
  path: '/scanner/search',
  operationId: 'searchTickets',
  says: 'Finds a ticket by its code or public ID, blocked ones too, and valid tickets by parts of names and addresses.',
  access: doorStaff('read'),
  query: z.object({ q: queryText(), event_slug: queryName() }),
  exampleSetup: EXAMPLE_SETUPS.search,
  answers: { 200: ScannerTickets },
  handle: async ({ account, query }) =>
    showTickets(account, await findTickets(account, { text: query.q, slug: query.event_slug, showsBlocked: true })),
})

export const ticketEndpoint = endpoint({
  method: 'GET',
  path: '/scanner/tickets/:identifier',
  operationId: 'getTicket',
  says: 'One ticket, by its public ID or its check-in code.',
  access: doorStaff('read'),
  exampleSetup: EXAMPLE_SETUPS.ticket,
  answers: { 200: ScannerTicket },
  handle: async ({ account, params }) => ok(showTicket(await requireTicketByIdentifier(account, params.identifier))),
})

export const doorEndpoints = [
  scannerIdentityEndpoint,
  scannerEventsEndpoint,
  eventSnapshotEndpoint,
  eventTicketsEndpoint,
  ticketsEndpoint,
  ticketSearchEndpoint,
  ticketEndpoint,
  ...attemptEndpoints,
  ...heartbeatEndpoints,
  ...nightEndpoints,
]
