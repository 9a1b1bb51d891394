import { z } from 'zod'
import { organizer, organizerOfEvent } from '../access/access.ts'
import { ok } from '../http/answers.ts'
import { endpoint } from '../http/endpoint.ts'
import { querySwitch } from '../http/fields.ts'
import { found } from '../kernel/refusals.ts'
import { venueEndpoints } from './venues/endpoints.ts'
import { findEvent, findEvents } from './records.ts'
import { OrganizerEvent, OrganizerEvents, showEvent } from './wire.ts'

export const events = endpoint({
  method: 'GET',
  path: '/admin/events',
  operationId: 'listEvents',
  says: 'The events the caller may work on: those not yet over by their start, then past ones, newest first.',
  access: organizer('read'),
  query: z.object({ archived: querySwitch() }),
  answers: { 200: OrganizerEvents },
  handle: async ({ account, query }) => ok({ events: (await findEvents(account, query)).map(showEvent) }),
})

export const event = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug',
  operationId: 'getEvent',
  says: 'One event, as organizers see it.',
  access: organizerOfEvent('read'),
  answers: { 200: OrganizerEvent },
  handle: async ({ event: scope }) => ok(showEvent(found(await findEvent(scope.rows, scope.event.id)))),
})

export const eventEndpoints = [events, event, ...venueEndpoints]
