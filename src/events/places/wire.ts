import { z } from 'zod'
import { showThing, wireShape } from '../../definitions/answers.ts'
import { changeBody, creationListBody } from '../../definitions/bodies.ts'
import { defineThing } from '../../definitions/define.ts'
import { type BodyReader, readFields } from '../../http/body.ts'
import { unwrappedBody } from '../../http/body.ts'
import { requiredRowIds } from '../../http/fields.ts'
import { exampleOf, named } from '../../http/wire.ts'
import { placeDefinition } from '../definitions.ts'
import type { Place } from './records.ts'

const PLACES_MAX = 5_000

export const NewPlacesBody = creationListBody('places', placeDefinition, { most: PLACES_MAX, unique: ['key', 'label'] })

export type NewPlaceInput = ReturnType<typeof NewPlacesBody.read>['places'][number]

const { label, ticket_id, accessibility, pair, blocked } = placeDefinition.fields

/** What can be changed of places that are there. */
export const changedPlaceDefinition = defineThing({ label, ticket_id, accessibility, pair, blocked })

const Named = z.object({ place_ids: requiredRowIds(PLACES_MAX) })
const Changed = changeBody('place', changedPlaceDefinition, () => ({}))

export type PlaceChangesInput = ReturnType<typeof Changed.read>

/** `{place_ids: […], place: {…}}` */
export const PlaceChangesBody: BodyReader<{ place_ids: number[]; place: PlaceChangesInput }> = {
  schema: (Changed.schema as z.ZodObject).extend(Named.shape),
  read: (json, terms) => {
    const place = Changed.read(json, terms)
    return { ...readFields(Named, json), place }
  },
}

export const PlaceIdsBody = unwrappedBody(Named)

export const PlaceAnswer = named(
  'Place',
  z.object({ id: z.int(), ...wireShape(placeDefinition), claimed: z.boolean() }),
  {
    id: 41,
    key: 'A-1',
    label: 'Row A Seat 1',
    section: 'Balcony',
    row: 'A',
    seat: '1',
    ticket_id: 5,
    accessibility: null,
    pair: null,
    blocked: false,
    claimed: false,
  },
)

export const PlaceAnswers = named('Places', z.object({ places: z.array(PlaceAnswer) }), {
  places: [exampleOf(PlaceAnswer)!],
})

export const showPlaces = (places: readonly Place[]): z.output<typeof PlaceAnswers> => ({
  places: places.map((place) => ({
    ...showThing(
      placeDefinition,
      { ...place, ticket_id: place.ticketId, blocked: place.blockedAt !== null },
      ANY_CURRENCY,
    ),
    id: place.id,
    claimed: place.isClaimed,
  })),
})

/** A place has no price of its own. */
const ANY_CURRENCY = { currency: 'EUR' }
