import { organizer } from '../access/access.ts'
import { RawAnswer, ok } from '../http/answers.ts'
import { endpoint } from '../http/endpoint.ts'
import { openStreamWithinLimits } from '../http/limit-streams.ts'
import { STREAM_HEADERS } from '../http/state-stream.ts'
import { findEventSummaries } from './records.ts'
import { streamSummaries } from './stream-summaries.ts'
import { EventSummaries, showEventSummaries } from './wire.ts'

const eventSummaries = endpoint({
  method: 'GET',
  path: '/admin/event_summaries',
  operationId: 'listEventSummaries',
  says: 'The events the caller may work on that are not over yet, each in figures: guests expected and arrived as the door counts them, signup requests that wait, and how many can still be let on the list; `stock_left` null is no limit.',
  access: organizer('read'),
  answers: { 200: EventSummaries },
  handle: async ({ account }) => ok(showEventSummaries(await findEventSummaries(account))),
})

const eventSummaryStream = endpoint({
  method: 'GET',
  path: '/admin/event_summaries/stream',
  operationId: 'streamEventSummaries',
  says: 'The same as server-sent events `summaries` where text/event-stream is asked for: at once and then after changes, at most one in two seconds.',
  access: organizer('read'),
  answers: { 200: EventSummaries },
  media: ['text/event-stream'],
  handle: async ({ account, headers, stream, readmit, closing }) => {
    // A HEAD would never end what nobody reads.
    if (stream.method === 'GET' && headers.accept?.includes('text/event-stream')) {
      const summaries = await openStreamWithinLimits(account, () => streamSummaries({ account, readmit, closing }))
      return new RawAnswer(200, STREAM_HEADERS, summaries)
    }
    return ok(showEventSummaries(await findEventSummaries(account)))
  },
})

export const eventSummaryEndpoints = [eventSummaries, eventSummaryStream]
