import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Gzip, constants, createGzip } from 'node:zlib'
import type { CallerScope, EventScope, Rows } from '../access/scopes.ts'
import { RawAnswer } from '../http/answers.ts'
import { serializerOf } from '../http/serializers.ts'
import { found } from '../kernel/refusals.ts'
import { type TicketsOfEvent, findStand, readTickets } from './records.ts'
import { type EventAtTheDoor, ScannerEvent, ScannerTicket, showEvent, showTicket } from './wire.ts'

const serializeEvent = serializerOf(ScannerEvent)
const serializeTicket = serializerOf(ScannerTicket)

export interface SnapshotRequest {
  since: Date | null
  knownTag: string
  acceptsGzip: boolean
}

/** Every ticket of the event, or those that changed since an earlier snapshot was made; 304 when nothing did. */
export const takeSnapshot = async (scope: EventScope, request: SnapshotRequest): Promise<RawAnswer> => {
  const { event, generatedAt, fingerprint } = found(await findStand(scope.rows, scope.event.id))
  const tag = `W/"${fingerprint}-${event.updatedAt.getTime()}"`
  if (matches(request.knownTag, tag)) return new RawAnswer(304, { etag: tag, vary: 'accept-encoding' }, '')

  const { since } = request
  const head = `{"generated_at":"${generatedAt.toISOString()}"${since ? `,"since":"${since.toISOString()}"` : ''}`
  return streamTickets(scope, {
    head: `${head},"event":${serializeEvent(showEvent(event, scope))}`,
    tickets: { eventId: scope.event.id, changedSince: since },
    acceptsGzip: request.acceptsGzip,
    headers: { etag: tag },
  })
}

/** Every valid ticket of an event, in the envelope of a search. */
export const streamValidTickets = (
  scope: CallerScope,
  { eventId, shown, acceptsGzip }: { eventId: number; shown: EventAtTheDoor | null; acceptsGzip: boolean },
): Promise<RawAnswer> =>
  streamTickets(scope, {
    head: `{"event":${shown ? serializeEvent(showEvent(shown, scope)) : 'null'}`,
    tickets: { eventId, onlyValid: true },
    acceptsGzip,
    headers: {},
  })

interface TicketStream {
  head: string
  tickets: TicketsOfEvent
  acceptsGzip: boolean
  headers: Record<string, string>
}

/**
 * Batches go out as the reader takes them, so that the memory needed does not depend on the number of tickets. The first
 * one is awaited: what fails before it is still a proper refusal.
 */
const streamTickets = async (scope: CallerScope, stream: TicketStream): Promise<RawAnswer> => {
  // Level 1 is as fast as the tickets come, and they repeat themselves enough for it to shrink them tenfold.
  const body = stream.acceptsGzip ? createGzip({ level: 1 }) : new PassThrough()
  const written = pipeline(piecesOf(scope.rows, stream, body), body)
  await Promise.race([once(body, 'readable'), written])
  // A reader that goes away ends the writing; a failure half-way ends the connection.
  written.catch(() => {})

  return new RawAnswer(
    200,
    {
      'content-type': 'application/json; charset=utf-8',
      vary: 'accept-encoding',
      ...(stream.acceptsGzip && { 'content-encoding': 'gzip' }),
      ...stream.headers,
    },
    body,
  )
}

async function* piecesOf(rows: Rows, { head, tickets }: TicketStream, body: PassThrough | Gzip) {
  let opening = `${head},"tickets":[`
  for await (const batch of readTickets(rows, tickets)) {
    if (batch.length > 0) {
      yield opening + batch.map((ticket) => serializeTicket(showTicket(ticket))).join(',')
      // Compression would keep the first tickets until it has enough of them.
      if (opening !== ',' && 'flush' in body) body.flush(constants.Z_SYNC_FLUSH)
      opening = ','
    }
  }
  yield opening === ',' ? ']}' : `${opening}]}`
}

/** Whether the device already has what this tag stands for. */
const matches = (known: string, tag: string) =>
  known.split(',').some((each) => each.trim() === '*' || weak(each.trim()) === tag)

const weak = (tag: string) => (tag.startsWith('W/') ? tag : `W/${tag}`)
