import { eventEndpoints } from '../events/endpoints.ts'
import { venueEndpoints } from '../events/venues/endpoints.ts'
import type { ShownEvent } from './events-by-name.ts'
import { findOneByName } from './names.ts'
import { containsQuery, pageOf } from './pages.ts'
import { flag, integer, jsonObject, omitUndefined, text } from './parameters.ts'
import { type ToolAction, type ToolCall, endpointFinder, defineTool } from './tool.ts'

const endpoint = endpointFinder(eventEndpoints)
const allVenues = endpointFinder(venueEndpoints)('GET /admin/venues')

const EVENTS_MAX = 25

const TIME = 'like 2030-04-15T20:00:00+02:00'

const parameters = {
  query: text('Part of a title or slug.'),
  archived: flag('True lists the archived events instead.'),
  page: integer('Which page of the list, from 1.', { minimum: 1 }),
  title: text('The title of the new event, or the new title of this one.'),
  slug: text('The last part of its address at the shop; made from the title where it is left out.'),
  description: text('The text at the shop, as plain text or HTML; an update replaces it.'),
  starts_at: text(`When it begins, with its offset, ${TIME}.`),
  doors_open_at: text(`When doors open, ${TIME}; an empty text clears it.`),
  ends_at: text(`When it ends, ${TIME}; an empty text clears it.`),
  venue_name: text('Where it is: the name of a venue of the account, or an empty text for none.'),
  capacity: integer('How many people there is room for in all.', { minimum: 0 }),
  details: jsonObject(
    'Further fields of the event, as createEvent and updateEvent of the API have them, like {"minimum_age": 18}. ' +
      'At its creation also tickets, standing_areas, places, questions, performers and faq_items.',
  ),
  lock_version: integer('The lock_version the change is based on; if the event has changed since, it is refused.'),
  notify: flag('True mails everybody who has a ticket that the event is cancelled.'),
  dry_run: flag(
    'True changes nothing and says what the action would do. Left out or false, the action is carried out at once.',
  ),
}

type EventCall = ToolCall<typeof parameters>

const FIELDS = [
  'slug',
  'description',
  'doors_open_at',
  'ends_at',
  'venue_name',
  'capacity',
  'details',
] as const satisfies (keyof typeof parameters)[]

const eventOf = async (call: EventCall) => {
  const { title, slug, description, starts_at, doors_open_at, ends_at, capacity, details, lock_version } = call.given
  const given = { title, slug, description, starts_at, doors_open_at, ends_at, capacity, lock_version }
  return { event: { ...details, ...omitUndefined({ ...given, venue_id: await venueOf(call) }) } }
}

interface ShownVenue {
  id: number
  name: string
  city: string | null
}

const venueOf = async (call: EventCall): Promise<number | null | undefined> => {
  const { venue_name: name } = call.given
  if (name === undefined) return undefined
  if (name.trim() === '') return null
  const { venues } = await call.ask<{ venues: ShownVenue[] }>(allVenues)
  const naming = {
    namesOf: (venue: ShownVenue) => [venue.name],
    show: ({ id, name: called, city }: ShownVenue) => ({ id, name: called, city }),
  }
  return findOneByName('venue_name', name, venues, naming).id
}

/** Something that is done to an event as a whole and can be taken back. */
const stateAction = (
  line: `${'POST' | 'DELETE'} /admin/events/:event_slug/${string}`,
  says: string,
  effect: string,
): ToolAction<typeof parameters> => ({ says, calls: endpoint(line), dryRun: effect, previews: true })

export const manageEvents = defineTool({
  name: 'manage_events',
  title: 'Events',
  says: 'Finds the events of the venue, and sets them up. Start here to learn the title or slug that the other tools call event_title.',
  parameters,
  renames: { venue_id: 'venue_name' },
  actions: {
    list: {
      says: 'The events: upcoming ones by their start, then past ones, newest first.',
      calls: endpoint('GET /admin/events'),
      query: { archived: 'archived' },
      takes: ['query', 'page'],
      show: ({ events }: { events: ShownEvent[] }, { given }) => {
        const found = events.filter(({ title, slug }) => containsQuery(given.query, [title, slug]))
        const { shown, next_page } = pageOf(found, given.page, EVENTS_MAX)
        return { count: found.length, next_page, events: shown.map(showShort) }
      },
    },
    show: {
      says: 'One event with all its settings, performers and FAQ items.',
      calls: endpoint('GET /admin/events/:event_slug'),
    },
    create: {
      says: 'Creates an event that nobody sees until it is published, with the tickets, areas, places and questions of details.',
      calls: endpoint('POST /admin/events'),
      needs: ['title', 'starts_at'],
      takes: FIELDS,
      body: eventOf,
      dryRun: 'Creates an unpublished event.',
    },
    update: {
      says: 'Changes what is sent of an event and keeps the rest; the shop and the door show it at once.',
      calls: endpoint('PATCH /admin/events/:event_slug'),
      takes: ['title', 'starts_at', ...FIELDS, 'lock_version'],
      body: eventOf,
      dryRun: 'Changes the event; if it is published, the shop and the door show it at once.',
      previews: true,
    },
    copy: {
      says: 'Copies an event to another start with its tickets, areas, places, questions and texts, unpublished and without guests. Clocks stay and days move.',
      calls: endpoint('POST /admin/events/:event_slug/copy'),
      needs: ['starts_at'],
      takes: ['title', 'slug'],
      body: ({ given: { title, slug, starts_at } }) => ({ event: omitUndefined({ title, slug, starts_at }) }),
      dryRun: 'Creates an unpublished event like this one at another time.',
    },
    publish: {
      says: 'Shows an event at the shop.',
      calls: endpoint('POST /admin/events/:event_slug/publication'),
      confirm: 'Publishes the event: everybody sees it at the shop, and its tickets go on sale as their times say.',
    },
    unpublish: stateAction(
      'DELETE /admin/events/:event_slug/publication',
      'Takes an event off the shop; tickets that were sold stay valid.',
      'Takes the event off the shop.',
    ),
    cancel: {
      says: 'Cancels an event, which the shop then says; with notify everybody who has a ticket is told by mail, once.',
      calls: endpoint('POST /admin/events/:event_slug/cancellation'),
      takes: ['notify'],
      body: ({ given: { notify } }) => omitUndefined({ notify }),
      confirm:
        'Cancels the event: the shop says so to everybody, and with notify so does a mail to each ticket’s address.',
    },
    uncancel: stateAction(
      'DELETE /admin/events/:event_slug/cancellation',
      'Takes the cancellation of an event back; nobody is mailed.',
      'Takes the cancellation back: the event is on again.',
    ),
    archive: stateAction(
      'POST /admin/events/:event_slug/archival',
      'Puts an event away, out of the lists of those that are on.',
      'Archives the event.',
    ),
    restore: stateAction(
      'DELETE /admin/events/:event_slug/archival',
      'Brings an archived event back.',
      'Brings the event back from the archive.',
    ),
  },
})

const showShort = ({ slug, title, starts_at, ends_at, published, cancelled_at }: ShownEvent) => ({
  slug,
  title,
  starts_at,
  ends_at,
  published,
  cancelled_at,
})
