import { z } from 'zod'
import { showThing, wireShape } from '../../definitions/answers.ts'
import { changeBody, creationBody } from '../../definitions/bodies.ts'
import type { ShowContext } from '../../definitions/kinds.ts'
import { optionalInteger } from '../../http/fields.ts'
import { Timestamp, exampleOf, named, showTimestamp } from '../../http/wire.ts'
import { venueDefinition } from '../definitions.ts'
import type { Venue } from './records.ts'

export const NewVenueBody = creationBody('venue', venueDefinition, () => ({}))
export const VenueChangesBody = changeBody('venue', venueDefinition, () => ({ lock_version: optionalInteger() }))

export type NewVenueInput = ReturnType<typeof NewVenueBody.read>
export type VenueChangesInput = ReturnType<typeof VenueChangesBody.read>

export const VenueAnswer = named(
  'Venue',
  z.object({
    id: z.int(),
    ...wireShape(venueDefinition),
    lock_version: z.int(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  {
    id: 3,
    key: 'kaispeicher',
    name: 'Kaispeicher',
    address: 'Am Kai 1',
    postal_code: '20457',
    city: 'Hamburg',
    country: 'DE',
    latitude: 53.5413,
    longitude: 9.9841,
    time_zone: 'Europe/Berlin',
    lock_version: 0,
    created_at: '2026-10-01T09:00:00.000Z',
    updated_at: '2026-10-01T09:00:00.000Z',
  },
)

export const VenueAnswers = named('Venues', z.object({ venues: z.array(VenueAnswer) }), {
  venues: [exampleOf(VenueAnswer)!],
})

export const showVenue = (venue: Venue, terms: ShowContext): z.output<typeof VenueAnswer> => ({
  ...showThing(venueDefinition, venue.thing, terms),
  id: venue.id,
  lock_version: venue.lockVersion,
  created_at: showTimestamp(venue.createdAt),
  updated_at: showTimestamp(venue.updatedAt),
})
