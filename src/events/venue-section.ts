import { fileSchema } from '../definitions/define.ts'
import { insertThings } from '../definitions/records.ts'
import type { JsonPath } from '../loading/fault.ts'
import { type ReadingContext, list } from '../loading/fields.ts'
import {
  type EventSection,
  type LoadContext,
  type LoadedEvent,
  type Section,
  findByKey,
  emptyLoadedEvent,
  createSharedLookup,
} from '../loading/section.ts'
import { type EventFileInput, type VenueFileInput, eventDefinition, venueDefinition } from './definitions.ts'
import { EVENT_PART_SECTIONS } from './event-sections.ts'
import { exportEvents, exportVenues } from './export/export-events.ts'
import { storeImageOfVenueFile, storeImagesOfVenueFile } from './venue-images.ts'

const venueIds = createSharedLookup<number>()

export const venuesSection: Section<VenueFileInput[]> = {
  key: 'venues',
  schema: (terms) => list(fileSchema(venueDefinition, terms), 'key'),
  load: async (context, venues) => {
    const { now } = context.terms
    const ids = await insertThings(context.tx, 'venues', venueDefinition, venues, { now })
    for (const [n, venue] of venues.entries()) venueIds(context).set(venue.key, ids[n]!)
  },
  export: exportVenues,
}

/** An event and, under their keys, its sections, each as its own schema reads it. */
type WholeEvent = EventFileInput & Record<string, unknown>

/** Events with the sections of this room and, after them, those of the rooms above it. */
export const eventsSection = (sectionsAbove: readonly EventSection[]): Section<WholeEvent[]> => {
  const sections = [...EVENT_PART_SECTIONS, ...sectionsAbove]
  const wholeEvent = (terms: ReadingContext) => {
    const parts = sections.map((section) => [section.key, section.schema(terms)])
    return fileSchema(eventDefinition, terms, Object.fromEntries(parts))
  }

  return {
    key: 'events',
    schema: (terms) => list(wholeEvent(terms), 'slug'),
    load: async (context, events, place) => {
      const loaded = await loadEvents(context, events, place)

      const printed: [string, unknown][] = []
      for (const [n, event] of loaded.entries()) {
        const parts: [string, unknown][] = []
        for (const section of sections) {
          const part = await section.load(context, event, events[n]![section.key], [...place, n, section.key])
          if (part !== undefined) parts.push([section.key, part])
        }
        printed.push([event.slug, { id: event.id, ...Object.fromEntries(parts) }])
      }
      return Object.fromEntries(printed)
    },
    export: (context) => exportEvents(context, sections),
  }
}

const loadEvents = async (context: LoadContext, events: WholeEvent[], place: JsonPath): Promise<LoadedEvent[]> => {
  const venues = venueIds(context)
  const placed = []
  for (const [n, event] of events.entries()) {
    placed.push({
      ...event,
      venue_id: event.venue === null ? null : findByKey(venues, event.venue, [...place, n, 'venue'], 'venue'),
      image: await storeImageOfVenueFile(context, event.image, [...place, n, 'image']),
      background_image: await storeImageOfVenueFile(context, event.background_image, [...place, n, 'background_image']),
      gallery_images: await storeImagesOfVenueFile(context, event.gallery_images, [...place, n, 'gallery_images']),
    })
  }
  const ids = await insertThings(context.tx, 'events', eventDefinition, placed, { now: context.terms.now })

  return events.map(({ slug, title, starts_at: startsAt }, n) => {
    const event = emptyLoadedEvent({ id: ids[n]!, slug, title, startsAt })
    context.events.set(slug, event)
    return event
  })
}
