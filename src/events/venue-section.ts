import type { z } from 'zod'
import type { JsonPath } from '../loading/fault.ts'
import { type ReadingContext, list, strictObject } from '../loading/fields.ts'
import {
  type EventSection,
  type LoadContext,
  type LoadedEvent,
  type Section,
  findByKey,
  sharedBetweenSections,
} from '../loading/section.ts'
import { faqItemsSection, performersSection, questionsSection } from './programme-sections.ts'
import { placesSection, standingAreasSection, ticketsSection } from './ticket-sections.ts'
import { keepImageOf, keepImagesOf } from './venue-images.ts'
import { type EventInput, Venue, type VenueInput, eventShape, impossibleTimes } from './venue-inputs.ts'
import { insertEvents, insertVenues } from './venue-records.ts'

const venueIds = sharedBetweenSections<number>()

export const venuesSection: Section<VenueInput[]> = {
  key: 'venues',
  schema: (terms) => list(Venue(terms), 'key'),
  load: async (context, venues) => {
    const ids = await insertVenues(context.tx, venues)
    for (const [n, venue] of venues.entries()) venueIds(context).set(venue.key, ids[n]!)
  },
}

/** An event and, under their keys, its sections, each as its own schema reads it. */
type WholeEvent = EventInput & Record<string, unknown>

const OWN_SECTIONS: readonly EventSection[] = [
  ticketsSection,
  standingAreasSection,
  placesSection,
  questionsSection,
  performersSection,
  faqItemsSection,
]

/** Events with the sections of this room and, after them, those of the rooms above it. */
export const eventsSection = (sectionsAbove: readonly EventSection[]): Section<WholeEvent[]> => {
  const sections = [...OWN_SECTIONS, ...sectionsAbove]

  return {
    key: 'events',
    schema: (terms) => list(WholeEvent(terms, sections), 'slug'),
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
  }
}

const WholeEvent = (terms: ReadingContext, sections: readonly EventSection[]) => {
  const parts = Object.fromEntries(sections.map((section) => [section.key, section.schema(terms)]))
  const whole = strictObject({ ...eventShape(terms), ...parts }) as unknown as z.ZodType<WholeEvent>
  return whole.superRefine((event, context) => {
    for (const [path, message] of impossibleTimes(event)) context.addIssue({ code: 'custom', path: [path], message })
  })
}

const loadEvents = async (context: LoadContext, events: WholeEvent[], place: JsonPath): Promise<LoadedEvent[]> => {
  const venues = venueIds(context)
  const placed = []
  for (const [n, event] of events.entries()) {
    placed.push({
      ...event,
      venueId: event.venue === null ? null : findByKey(venues, event.venue, [...place, n, 'venue'], 'venue'),
      image: await keepImageOf(context, event.image, [...place, n, 'image']),
      background_image: await keepImageOf(context, event.background_image, [...place, n, 'background_image']),
      gallery_images: await keepImagesOf(context, event.gallery_images, [...place, n, 'gallery_images']),
    })
  }
  const ids = await insertEvents(context.tx, placed, context.terms.now)

  return events.map(({ slug: name, title, starts_at: startsAt }, n) => {
    const nothing = { tickets: new Map(), standingAreas: new Map(), places: new Map(), questions: new Map() }
    const event: LoadedEvent = { id: ids[n]!, slug: name, title, startsAt, ...nothing }
    context.events.set(name, event)
    return event
  })
}
