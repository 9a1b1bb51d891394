import { z } from 'zod'
import { exampleOf, named } from '../http/wire.ts'
import type { EventSummary } from './records.ts'

const EventSummaryOnWire = named(
  'EventSummary',
  z.object({
    event_id: z.int(),
    event_slug: z.string(),
    expected: z.int(),
    arrived: z.int(),
    requests_waiting: z.int(),
    /** Null: no limit. */
    stock_left: z.int().nullable(),
  }),
  { event_id: 7, event_slug: 'winter-gala', expected: 480, arrived: 212, requests_waiting: 3, stock_left: 20 },
)

export const EventSummaries = named('EventSummaries', z.object({ event_summaries: z.array(EventSummaryOnWire) }), {
  event_summaries: [exampleOf(EventSummaryOnWire)!],
})

export const showEventSummaries = (summaries: readonly EventSummary[]): z.output<typeof EventSummaries> => ({
  event_summaries: summaries.map((summary) => ({
    event_id: summary.eventId,
    event_slug: summary.eventSlug,
    expected: summary.expected,
    arrived: summary.arrived,
    requests_waiting: summary.requestsWaiting,
    stock_left: summary.stockLeft,
  })),
})
