import { setupManagementOfEvent } from '../../access/access.ts'
import { created, noContent, ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { PrecedingCall } from '../../http/example-setup.ts'
import { setupOnNewEvent } from '../parts/example-setups.ts'
import { changePlaces, removePlaces } from './change-places.ts'
import { createPlaces } from './create-places.ts'
import { findPlaces } from './records.ts'
import { NewPlacesBody, PlaceAnswers, PlaceChangesBody, PlaceIdsBody, showPlaces } from './wire.ts'

/** Five thousand places with all their keys. */
const BODY_MAX = 8 * 1024 * 1024

const newTicket: PrecedingCall = {
  call: 'POST /admin/events/$event_slug/tickets',
  body: { ticket: { title: 'Gallery seat', inventory_kind: 'places' } },
  take: [{ key: 'id', as: 'ticket_id' }],
}

const newPlace: PrecedingCall = {
  call: 'POST /admin/events/$event_slug/places',
  body: { places: [{ label: 'Gallery seat 1', ticket_id: '$ticket_id' }] },
  take: [{ key: 'id', as: 'place_id' }],
}

const places = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/places',
  operationId: 'listPlaces',
  says: 'All numbered places of an event, each with its ticket and whether it is claimed.',
  access: setupManagementOfEvent('read'),
  answers: { 200: PlaceAnswers },
  handle: async ({ event }) => ok(showPlaces(await findPlaces(event.rows, event.event.id))),
})

const placeCreation = endpoint({
  method: 'POST',
  path: '/admin/events/:event_slug/places',
  operationId: 'createPlaces',
  says: 'Adds up to 5,000 numbered places, all of them or none. Keys and labels are unique within the event.',
  access: setupManagementOfEvent('write'),
  body: NewPlacesBody,
  bodyLimit: BODY_MAX,
  example: {
    places: [
      { label: 'Gallery seat 1', section: 'Gallery', seat: '1', ticket_id: 5 },
      { key: 'G-2', label: 'Gallery seat 2', ticket_id: 5, accessibility: 'wheelchair', pair: 'G-2C' },
      { key: 'G-2C', label: 'Gallery seat 2, companion', ticket_id: 5, accessibility: 'companion', pair: 'G-2' },
    ],
  },
  exampleSetup: {
    ...setupOnNewEvent(newTicket),
    body: {
      places: [
        { label: 'Gallery seat 1', section: 'Gallery', seat: '1', ticket_id: '$ticket_id' },
        { key: 'G-2', label: 'Gallery seat 2', ticket_id: '$ticket_id', accessibility: 'wheelchair', pair: 'G-2C' },
        {
          key: 'G-2C',
          label: 'Gallery seat 2, companion',
          ticket_id: '$ticket_id',
          accessibility: 'companion',
          pair: 'G-2',
        },
      ],
    },
  },
  answers: { 201: PlaceAnswers },
  creates: true,
  handle: async ({ event, body }) =>
    created(showPlaces(await createPlaces(event, body.places)), `/admin/events/${event.event.slug}/places`),
})

const placeChange = endpoint({
  method: 'PATCH',
  path: '/admin/events/:event_slug/places',
  operationId: 'updatePlaces',
  says: 'Changes the named places alike, all of them or none; `pair` changes the place it names too. Claimed places cannot be blocked and keep label, ticket and pair. Answers with every place that was named or changed.',
  access: setupManagementOfEvent('write'),
  body: PlaceChangesBody,
  example: { place_ids: [41, 42], place: { blocked: true } },
  exampleSetup: {
    ...setupOnNewEvent(newTicket, newPlace),
    body: { place_ids: ['$place_id'], place: { blocked: true } },
  },
  answers: { 200: PlaceAnswers },
  handle: async ({ event, body }) => ok(showPlaces(await changePlaces(event, body.place_ids, body.place))),
})

const placeRemoval = endpoint({
  method: 'DELETE',
  path: '/admin/events/:event_slug/places',
  operationId: 'deletePlaces',
  says: 'Deletes the named places, all of them or none. Claimed places cannot be deleted.',
  access: setupManagementOfEvent('write'),
  body: PlaceIdsBody,
  example: { place_ids: [41] },
  exampleSetup: { ...setupOnNewEvent(newTicket, newPlace), body: { place_ids: ['$place_id'] } },
  answers: { 204: null },
  handle: async ({ event, body }) => {
    await removePlaces(event, body.place_ids)
    return noContent()
  },
})

export const placeEndpoints = [places, placeCreation, placeChange, placeRemoval]
