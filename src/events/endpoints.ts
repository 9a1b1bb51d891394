import { z } from 'zod'
import { organizer, organizerOfEvent } from '../access/access.ts'
import { ok } from '../http/answers.ts'
import { endpoint } from '../http/endpoint.ts'
import { querySwitch } from '../http/fields.ts'
import { requireFound } from '../kernel/refusals.ts'
import { copyEndpoints } from './copy/endpoints.ts'
import { placeEndpoints } from './places/endpoints.ts'
import { questionEndpoints } from './questions/endpoints.ts'
import { findEvents } from './records.ts'
import { setUpEndpoints } from './set-up/endpoints.ts'
import { findEventWithLists } from './set-up/records.ts'
import { WholeEventAnswer, showWholeEvent } from './set-up/wire.ts'
import { standingAreaEndpoints } from './standing-areas/endpoints.ts'
import { ticketEndpoints } from './tickets/endpoints.ts'
import { OrganizerEvents, showEvent } from './wire.ts'

export const eventsEndpoint = endpoint({
  method: 'GET',
  path: '/admin/events',
  operationId: 'listEvents',
  says: 'The events the caller may work on: those not yet over by their start, then past ones, newest first.',
  access: organizer('read'),
  query: z.object({ archived: querySwitch() }),
  answers: { 200: OrganizerEvents },
  handle: async ({ account, query }) => ok({ events: (await findEvents(account, query)).map(showEvent) }),
})

export const eventEndpoint = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug',
  operationId: 'getEvent',
  says: 'One event with all its settings, performers and FAQ items.',
  access: organizerOfEvent('read'),
  answers: { 200: WholeEventAnswer },
  handle: async ({ event: scope }) => {
    const whole = await scope.consistentRead((rows) => findEventWithLists(rows, scope.event.id))
    return ok(showWholeEvent(scope, requireFound(whole)))
  },
})

export const eventEndpoints = [
  eventsEndpoint,
  eventEndpoint,
  ...setUpEndpoints,
  ...copyEndpoints,
  ...ticketEndpoints,
  ...standingAreaEndpoints,
  ...placeEndpoints,
  ...questionEndpoints,
]
