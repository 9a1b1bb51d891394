import { z } from 'zod'
import { Timestamp, exampleOf, named, showTimestamp, showTimestampOrNull } from '../http/wire.ts'

export const OrganizerEvent = named(
  'Event',
  z.object({
    id: z.int(),
    slug: z.string(),
    title: z.string(),
    starts_at: Timestamp,
    doors_open_at: Timestamp.nullable(),
    ends_at: Timestamp,
    time_zone: z.string(),
    published: z.boolean(),
    listed: z.boolean(),
    cancelled_at: Timestamp.nullable(),
    archived_at: Timestamp.nullable(),
    capacity: z.int().nullable(),
    venue: z.object({ name: z.string(), city: z.string() }).nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  {
    id: 7,
    slug: 'winter-gala',
    title: 'Winter Gala of the Kaispeicher',
    starts_at: '2026-12-15T19:00:00.000Z',
    doors_open_at: '2026-12-15T18:00:00.000Z',
    ends_at: '2026-12-16T00:00:00.000Z',
    time_zone: 'Europe/Berlin',
    published: true,
    listed: true,
    cancelled_at: null,
    archived_at: null,
    capacity: 500,
    venue: { name: 'Kaispeicher, Great Hall', city: 'Hamburg' },
    created_at: '2026-10-01T09:00:00.000Z',
    updated_at: '2026-10-01T09:00:00.000Z',
  },
)

export const OrganizerEvents = named('Events', z.object({ events: z.array(OrganizerEvent) }), {
  events: [exampleOf(OrganizerEvent)!],
})

export interface EventDetails {
  id: number
  slug: string
  title: string
  startsAt: Date
  doorsOpenAt: Date | null
  endsAt: Date
  timeZone: string
  publishedAt: Date | null
  unlistedAt: Date | null
  cancelledAt: Date | null
  archivedAt: Date | null
  capacity: number | null
  venueName: string | null
  venueCity: string | null
  createdAt: Date
  updatedAt: Date
}

export const showEvent = (event: EventDetails): z.output<typeof OrganizerEvent> => ({
  id: event.id,
  slug: event.slug,
  title: event.title,
  starts_at: showTimestamp(event.startsAt),
  doors_open_at: showTimestampOrNull(event.doorsOpenAt),
  ends_at: showTimestamp(event.endsAt),
  time_zone: event.timeZone,
  published: event.publishedAt !== null,
  listed: event.unlistedAt === null,
  cancelled_at: showTimestampOrNull(event.cancelledAt),
  archived_at: showTimestampOrNull(event.archivedAt),
  capacity: event.capacity,
  venue: event.venueName === null ? null : { name: event.venueName, city: event.venueCity ?? '' },
  created_at: showTimestamp(event.createdAt),
  updated_at: showTimestamp(event.updatedAt),
})
