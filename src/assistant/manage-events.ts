import { eventEndpoints } from '../events/endpoints.ts'
import type { ShownEvent } from './events-by-name.ts'
import { containsWords, pageOf } from './pages.ts'
import { flag, integer, text } from './parameters.ts'
import { endpointsOf, tool } from './tool.ts'

const endpoint = endpointsOf(eventEndpoints)

const EVENTS_MAX = 25

export const manageEvents = tool({
  name: 'manage_events',
  title: 'Events',
  says: 'Finds the events of the venue. Start here to learn the title or slug that the other tools call event_title.',
  parameters: {
    query: text('Part of a title or slug.'),
    archived: flag('True lists the archived events instead.'),
    page: integer('Which page of the list, from 1.', { minimum: 1 }),
  },
  actions: {
    list: {
      says: 'The events: upcoming ones by their start, then past ones, newest first.',
      calls: endpoint('GET /admin/events'),
      query: { archived: 'archived' },
      takes: ['query', 'page'],
      show: ({ events }: { events: ShownEvent[] }, { given }) => {
        const found = events.filter(({ title, slug }) => containsWords(given.query, [title, slug]))
        const { shown, next_page } = pageOf(found, given.page, EVENTS_MAX)
        return { count: found.length, next_page, events: shown.map(showShort) }
      },
    },
    show: {
      says: 'One event, with its times, its venue and whether it is published.',
      calls: endpoint('GET /admin/events/:event_slug'),
    },
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
