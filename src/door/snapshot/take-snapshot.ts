import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { CallerScope, EventScope, Rows } from '../../access/scopes.ts'
import { RawAnswer } from '../../http/answers.ts'
import { matchesEtag } from '../../http/negotiation.ts'
import { serializerOf } from '../../http/serializers.ts'
import { requireFound } from '../../kernel/refusals.ts'
import {
  PartyEvent,
  type TicketWithParty,
  ScannerTicketWithParty,
  type ScannableEvent,
  ScannerEvent,
  ScannerTicket,
  type ScannableTicket,
  showEvent,
  showPartyEvent,
  showTicketWithParty,
  showTicket,
} from '../wire.ts'
import {
  TICKET_WITH_PARTY_READER,
  PLAIN_TICKET_READER,
  type TicketReader,
  type SnapshotSelection,
  findSnapshotVersion,
  readTickets,
} from './records.ts'

const serializeEvent = serializerOf(ScannerEvent)
const serializeTicket = serializerOf(ScannerTicket)
const serializePartyEvent = serializerOf(PartyEvent)
const serializePartyTicket = serializerOf(ScannerTicketWithParty)

/** What is read of a ticket, and how it is written. */
interface TicketForm<Ticket> {
  shape: TicketReader<Ticket>
  write: (ticket: Ticket) => string
}

const PLAIN_TICKETS: TicketForm<ScannableTicket> = {
  shape: PLAIN_TICKET_READER,
  write: (ticket) => serializeTicket(showTicket(ticket)),
}

const PARTY_MEMBERS: TicketForm<TicketWithParty> = {
  shape: TICKET_WITH_PARTY_READER,
  write: (ticket) => serializePartyTicket(showTicketWithParty(ticket)),
}

export interface SnapshotRequest {
  since: Date | null
  /** Whether each ticket tells whose party and pair it is of, and who is inside. */
  withParties: boolean
  /** As the device sent it: the tags of what it has. */
  knownTags: string | string[] | undefined
}

/** Every ticket of the event, or those that changed since an earlier snapshot was made; 304 when nothing did. */
export const answerSnapshot = async (scope: EventScope, request: SnapshotRequest): Promise<RawAnswer> => {
  const { event, generatedAt, fingerprint } = requireFound(await findSnapshotVersion(scope.rows, scope.event.id))
  const { since, withParties } = request
  const tag = `W/"${fingerprint}-${event.updatedAt.getTime()}${withParties ? '-parties' : ''}"`
  if (matchesEtag(tag, request.knownTags)) return new RawAnswer(304, { etag: tag, vary: 'Accept-Encoding' }, '')

  const head = `{"generated_at":"${generatedAt.toISOString()}"${since ? `,"since":"${since.toISOString()}"` : ''}`
  const shown = withParties
    ? serializePartyEvent(showPartyEvent(event, scope))
    : serializeEvent(showEvent(event, scope))
  const stream = {
    head: `${head},"event":${shown}`,
    event,
    tickets: { eventId: event.id, changedSince: since },
    headers: { etag: tag },
  }
  return withParties ? streamTickets(scope, stream, PARTY_MEMBERS) : streamTickets(scope, stream, PLAIN_TICKETS)
}

/** Every valid ticket of an event, in the envelope of a search. */
export const streamValidTickets = (
  scope: CallerScope,
  { event, isShown }: { event: ScannableEvent; isShown: boolean },
): Promise<RawAnswer> =>
  streamTickets(
    scope,
    {
      head: `{"event":${isShown ? serializeEvent(showEvent(event, scope)) : 'null'}`,
      event,
      tickets: { eventId: event.id, onlyValid: true },
      headers: {},
    },
    PLAIN_TICKETS,
  )

interface TicketStream {
  head: string
  /** Every ticket calls it what the head does, also when it is renamed while the tickets go out. */
  event: ScannableEvent
  tickets: SnapshotSelection
  headers: Record<string, string>
}

/**
 * Batches go out as the reader takes them, so that the memory needed does not depend on the number of tickets. The first
 * one is awaited: what fails before it is still a proper refusal.
 */
const streamTickets = async <Ticket extends ScannableTicket>(
  scope: CallerScope,
  stream: TicketStream,
  form: TicketForm<Ticket>,
): Promise<RawAnswer> => {
  // Asked for after the head: a standby that has caught up by now has everything the head speaks of.
  const rows = await scope.replicaRows()
  const pieces = Readable.from(piecesOf(rows, stream, form), { highWaterMark: 1 })
  await once(pieces, 'readable')
  // From here on a failure ends the connection; until the server listens for it, somebody must.
  pieces.on('error', () => {})
  return new RawAnswer(200, { 'content-type': 'application/json; charset=utf-8', ...stream.headers }, pieces)
}

async function* piecesOf<Ticket extends ScannableTicket>(
  rows: Rows,
  { head, event, tickets }: TicketStream,
  { shape, write }: TicketForm<Ticket>,
) {
  const named = (ticket: Ticket) => {
    // Written into the row, which was made for this: a copy of each of 50,000 would be felt.
    ticket.eventSlug = event.slug
    ticket.eventTitle = event.title
    return ticket
  }
  let opening = `${head},"tickets":[`
  for await (const some of readTickets(rows, tickets, shape)) {
    const texts = some.map((ticket, n) => (n === 0 ? opening : ',') + write(named(ticket)))
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
