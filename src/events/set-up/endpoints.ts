import { setupManagement, setupManagementOfEvent } from '../../access/access.ts'
import type { EventScope } from '../../access/scopes.ts'
import { requireVersion } from '../../definitions/change.ts'
import { created, ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { readLockVersionInEnvelope } from '../../http/lock-version.ts'
import type { PrecedingCall } from '../../http/example-setup.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { type EventState, changeEvent, setEventState } from './change-event.ts'
import { createEvent } from './create-event.ts'
import { findStoredEvent } from './records.ts'
import { CancellationBody, EventChangesBody, NewEventBody, WholeEventAnswer, showWholeEvent } from './wire.ts'

/** Five thousand places with all their keys, and long texts. */
const BODY_MAX = 8 * 1024 * 1024

const newEvent: PrecedingCall = {
  call: 'POST /admin/events',
  body: { event: { title: 'Spring Gala', starts_at: '2030-04-15T18:00:00Z' } },
  take: [{ key: 'slug', as: 'event_slug' }],
}

const eventCreation = endpoint({
  method: 'POST',
  path: '/admin/events',
  operationId: 'createEvent',
  says: 'Creates an unpublished event, with the tickets, standing areas, places, questions, performers and FAQ items that come along.',
  access: setupManagement('write'),
  body: NewEventBody,
  bodyLimit: BODY_MAX,
  example: {
    event: {
      title: 'Spring Gala',
      starts_at: '2030-04-15T18:00:00Z',
      doors_open_at: '2030-04-15T17:00:00Z',
      capacity: 400,
      tickets: [
        { key: 'ga', title: 'General admission', price: '25.00', stock: 300 },
        { key: 'floor', title: 'Floor', price: '20.00', inventory_kind: 'standing' },
      ],
      standing_areas: [{ name: 'In front of the stage', capacity: 100, tickets: ['floor'] }],
      questions: [{ label: 'How did you hear of us?', type: 'text', scope: 'order' }],
    },
  },
  answers: { 201: WholeEventAnswer },
  creates: true,
  handle: async ({ account, body }) => {
    const made = await createEvent(account, body)
    return created(showWholeEvent(account, made), `/admin/events/${made.thing.slug}`)
  },
})

const eventChange = endpoint({
  method: 'PATCH',
  path: '/admin/events/:event_slug',
  operationId: 'updateEvent',
  says: 'Changes what is sent of an event and keeps the rest; performers and FAQ items are sent as whole lists.',
  access: setupManagementOfEvent('write'),
  body: EventChangesBody,
  bodyLimit: BODY_MAX,
  example: { event: { title: 'Spring Gala', capacity: 500, lock_version: 0 } },
  exampleSetup: { before: [newEvent], values: { event_slug: '$event_slug' } },
  answers: { 200: WholeEventAnswer },
  exists: async ({ event, sent }: { event: EventScope; sent: unknown }) =>
    requireVersion(
      requireFound(await findStoredEvent(event.rows, event.event.id)),
      readLockVersionInEnvelope(sent, 'event'),
      'event',
    ),
  handle: async ({ event: scope, body }) => ok(showWholeEvent(scope, await changeEvent(scope, body))),
})

const stateOn = (state: EventState, noun: string, operationId: string, says: string) =>
  endpoint({
    method: 'POST',
    path: `/admin/events/:event_slug/${noun}`,
    operationId,
    says,
    access: setupManagementOfEvent('write'),
    exampleSetup: { before: [newEvent], values: { event_slug: '$event_slug' } },
    answers: { 200: WholeEventAnswer },
    handle: async ({ event: scope }) => ok(showWholeEvent(scope, await setEventState(scope, state, true))),
  })

const stateOff = (state: EventState, noun: string, operationId: string, says: string) =>
  endpoint({
    method: 'DELETE',
    path: `/admin/events/:event_slug/${noun}`,
    operationId,
    says,
    access: setupManagementOfEvent('write'),
    exampleSetup: { before: [newEvent], values: { event_slug: '$event_slug' } },
    answers: { 200: WholeEventAnswer },
    handle: async ({ event: scope }) => ok(showWholeEvent(scope, await setEventState(scope, state, false))),
  })

const cancellation = endpoint({
  method: 'POST',
  path: '/admin/events/:event_slug/cancellation',
  operationId: 'cancelEvent',
  says: 'Cancels an event; with `notify` everybody who has a ticket is told by mail.',
  access: setupManagementOfEvent('write'),
  body: CancellationBody,
  example: { notify: false },
  exampleSetup: { before: [newEvent], values: { event_slug: '$event_slug' } },
  answers: { 200: WholeEventAnswer },
  handle: async ({ event: scope, body }) =>
    ok(showWholeEvent(scope, await setEventState(scope, 'cancelled', true, body))),
})

export const setUpEndpoints = [
  eventCreation,
  eventChange,
  stateOn('published', 'publication', 'publishEvent', 'Shows an event at the shop. Doing it again changes nothing.'),
  stateOff('published', 'publication', 'withdrawEvent', 'Takes an event off the shop; what was sold stays valid.'),
  cancellation,
  stateOff('cancelled', 'cancellation', 'reinstateEvent', 'Takes the cancellation of an event back.'),
  stateOn('archived', 'archival', 'archiveEvent', 'Puts an event away, out of the lists of those that are on.'),
  stateOff('archived', 'archival', 'restoreEvent', 'Brings an archived event back.'),
]
