import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { CallerScope, EventScope, Rows } from '../../access/scopes.ts'
import { RawAnswer } from '../../http/answers.ts'
import { isKnownTag } from '../../http/negotiation.ts'
import { serializerOf } from '../../http/serializers.ts'
import { found } from '../../kernel/refusals.ts'
import {
  type ScannableEvent,
  ScannerEvent,
  ScannerTicket,
  type ScannableTicket,
  showEvent,
  showTicket,
} from '../wire.ts'
import { type TicketsOfEvent, findSnapshotVersion, readTickets } from './records.ts'

const serializeEvent = serializerOf(ScannerEvent)
const serializeTicket = serializerOf(ScannerTicket)

export interface SnapshotRequest {
  since: Date | null
  /** As the device sent it: the tags of what it has. */
  knownTags: string | string[] | undefined
}

/** Every ticket of the event, or those that changed since an earlier snapshot was made; 304 when nothing did. */
export const takeSnapshot = async (scope: EventScope, request: SnapshotRequest): Promise<RawAnswer> => {
  const { event, generatedAt, fingerprint } = found(await findSnapshotVersion(scope.rows, scope.event.id))
  const tag = `W/"${fingerprint}-${event.updatedAt.getTime()}"`
  if (isKnownTag(tag, request.knownTags)) return new RawAnswer(304, { etag: tag, vary: 'Accept-Encoding' }, '')

  const { since } = request
  const head = `{"generated_at":"${generatedAt.toISOString()}"${since ? `,"since":"${since.toISOString()}"` : ''}`
  return streamTickets(scope, {
    head: `${head},"event":${serializeEvent(showEvent(event, scope))}`,
    event,
    tickets: { eventId: event.id, changedSince: since },
    headers: { etag: tag },
  })
}

/** Every valid ticket of an event, in the envelope of a search. */
export const streamValidTickets = (
  scope: CallerScope,
  { event, isShown }: { event: ScannableEvent; isShown: boolean },
): Promise<RawAnswer> =>
  streamTickets(scope, {
    head: `{"event":${isShown ? serializeEvent(showEvent(event, scope)) : 'null'}`,
    event,
    tickets: { eventId: event.id, onlyValid: true },
    headers: {},
  })

interface TicketStream {
  head: string
  /** Every ticket calls it what the head does, also when it is renamed while the tickets go out. */
  event: ScannableEvent
  tickets: TicketsOfEvent
  headers: Record<string, string>
}

/**
 * Batches go out as the reader takes them, so that the memory needed does not depend on the number of tickets. The first
 * one is awaited: what fails before it is still a proper refusal.
 */
const streamTickets = async (scope: CallerScope, stream: TicketStream): Promise<RawAnswer> => {
  const pieces = Readable.from(piecesOf(scope.rows, stream), { highWaterMark: 1 })
  await once(pieces, 'readable')
  // From here on a failure ends the connection; until the server listens for it, somebody must.
  pieces.on('error', () => {})
  return new RawAnswer(200, { 'content-type': 'application/json; charset=utf-8', ...stream.headers }, pieces)
}

async function* piecesOf(rows: Rows, { head, event, tickets }: TicketStream) {
  const named = (ticket: ScannableTicket) => {
    // Written into the row, which was made for this: a copy of each of 50,000 would be felt.
    ticket.eventSlug = event.slug
    ticket.eventTitle = event.title
    return ticket
  }
  let opening = `${head},"tickets":[`
  for await (const some of readTickets(rows, tickets)) {
    const texts = some.map((ticket, n) => (n === 0 ? opening : ',') + serializeTicket(showTicket(named(ticket))))
    yield bytesOf(texts)
    opening = ','
  }
  yield Buffer.from(opening === ',' ? ']}' : `${opening}]}`)
}

const UTF8_BYTES_MAX = 3

/** Each text by itself: one name in another script would make all the others as slow to encode. */
const bytesOf = (texts: readonly string[]): Buffer => {
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, { length }) => sum + length * UTF8_BYTES_MAX, 0))
  let end = 0
  for (const text of texts) end += bytes.write(text, end)
  return bytes.subarray(0, end)
}
