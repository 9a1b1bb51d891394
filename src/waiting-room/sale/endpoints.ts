import { organizerOfEvent } from '../../access/access.ts'
import type { EventScope } from '../../access/scopes.ts'
import { RawAnswer, ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { openStreamWithinLimits } from '../../http/limit-streams.ts'
import { STREAM_HEADERS, streamState } from '../../http/state-stream.ts'
import { countSale, countSaleByTicket, findSaleVersion } from './records.ts'
import { Sale, type SaleFacts, showSale } from './wire.ts'

const readSale = (scope: EventScope): Promise<SaleFacts> =>
  scope.consistentRead(async (rows) => ({
    counts: await countSale(rows, scope.event.id),
    tickets: await countSaleByTicket(rows, scope.event.id),
  }))

const LOOK_MS = 1_000

interface SaleListener {
  event: EventScope
  readmit: () => Promise<{ event: EventScope }>
  closing: AbortSignal
}

/** The whole sale, at once and then after changes, at most once a second. */
const streamSale = ({ event, readmit, closing }: SaleListener) =>
  streamState({
    watched: {
      app: event.app,
      name: `the sale of event ${event.event.id} of account ${event.account.id}`,
      findVersion: () => findSaleVersion(event),
      everyMs: LOOK_MS,
    },
    event: 'sale',
    read: async ({ event: scope }) => showSale(await readSale(scope)),
    readmit,
    closing,
  })

const eventSale = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/sale',
  operationId: 'getSale',
  says: 'How the sale of an event goes: checkouts under way and what they hold, what is sold and unpaid, by ticket, and who waits in line.',
  access: organizerOfEvent('read'),
  answers: { 200: Sale },
  handle: async ({ event }) => ok(showSale(await readSale(event))),
})

const saleStream = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/sale/stream',
  operationId: 'streamSale',
  says: 'The same as server-sent events `sale` where text/event-stream is asked for: at once and then after changes, at most one a second.',
  access: organizerOfEvent('read'),
  answers: { 200: Sale },
  media: ['text/event-stream'],
  handle: async ({ event, headers, stream, readmit, closing }) => {
    // A HEAD would never end what nobody reads.
    if (stream.method === 'GET' && headers.accept?.includes('text/event-stream')) {
      const sale = await openStreamWithinLimits(event, () => streamSale({ event, readmit, closing }))
      return new RawAnswer(200, STREAM_HEADERS, sale)
    }
    return ok(showSale(await readSale(event)))
  },
})

export const saleEndpoints = [eventSale, saleStream]
