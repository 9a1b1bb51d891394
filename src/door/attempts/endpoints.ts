import { z } from 'zod'
import { doorStaff, doorStaffOfEvent, management } from '../../access/access.ts'
import type { CallerScope } from '../../access/scopes.ts'
import { ok } from '../../http/answers.ts'
import { MalformedRequest, unwrappedBody } from '../../http/body.ts'
import { endpoint } from '../../http/endpoint.ts'
import { queryName, queryPageNumber } from '../../http/fields.ts'
import type { RequestHeaders } from '../../http/headers.ts'
import { parsePathId } from '../../http/path-ids.ts'
import { tooLongMessage } from '../../kernel/messages.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { findCredential } from '../../team/credentials/records.ts'
import { CLIENT_ID_MAX } from '../rules.ts'
import { EXAMPLE_SETUPS } from '../example-setups.ts'
import { type ScannableTicket, ScannerTicket, showTicket } from '../wire.ts'
import { attemptsBody, readClientId } from './body.ts'
import { endEntry } from './end-entry.ts'
import { countArrivals, findAttempts } from './log/records.ts'
import { AttemptLog, DoorStats, showLog, showStats } from './log/wire.ts'
import { redeemTicket } from './redeem-ticket.ts'
import { syncAttempts } from './sync-attempts.ts'
import {
  AnnulmentFields,
  ExitFields,
  type JudgedAttempt,
  RedemptionAttempts,
  RefusedRedemption,
  TicketOfExit,
  showAttempt,
  showTicketOfExit,
} from './wire.ts'

/** A device that was offline all night must get through. */
const SYNC_BODY_LIMIT = 4 * 1024 * 1024
const LOG_PAGE = 50

/** Refused as malformed when it is too long: at this address 422 always brings a ticket along. */
const clientIdOf = (headers: RequestHeaders) => {
  const key = headers['idempotency-key']
  const text = typeof key === 'string' ? key.trim() : ''
  if (text.length > CLIENT_ID_MAX) throw new MalformedRequest(`Idempotency-Key ${tooLongMessage(CLIENT_ID_MAX)}`)
  return text === '' ? null : readClientId(text)
}

const redeem = async (scope: CallerScope, identifier: string, headers: RequestHeaders) => {
  const clientId = clientIdOf(headers)
  const { result, message, ticket } = await redeemTicket(scope, { identifier, clientId })
  return result === 'accepted'
    ? ok(showTicket(ticket))
    : { status: 422 as const, body: { error: message, ticket: showTicket(ticket) } }
}

export const eventTicketRedemptionEndpoint = endpoint({
  method: 'POST',
  path: '/scanner/events/:event_slug/tickets/:identifier/redemption',
  operationId: 'redeemEventTicket',
  says: 'Redeems a ticket of this event, by its public ID or its check-in code. With an `Idempotency-Key` a repetition is safe: it is the `client_id` of the attempt.',
  access: doorStaffOfEvent('write'),
  exampleSetup: EXAMPLE_SETUPS.redemption,
  answers: { 200: ScannerTicket, 422: RefusedRedemption },
  handle: ({ event, params, headers }) => redeem(event, params.identifier, headers),
})

export const ticketRedemptionEndpoint = endpoint({
  method: 'POST',
  path: '/scanner/tickets/:identifier/redemption',
  operationId: 'redeemTicket',
  says: 'Redeems a ticket of any event, by its public ID or its check-in code. With an `Idempotency-Key` a repetition is safe: it is the `client_id` of the attempt.',
  access: doorStaff('write'),
  exampleSetup: EXAMPLE_SETUPS.redemptionAnywhere,
  answers: { 200: ScannerTicket, 422: RefusedRedemption },
  handle: ({ account, params, headers }) => redeem(account, params.identifier, headers),
})

const SYNC_EXAMPLE = {
  attempts: [
    {
      client_id: '5f1c1c52-5d0c-4f0e-9d5e-0c6f0f4c2b11',
      event_slug: 'winter-gala',
      public_id: '7Jx3fYkq9TzW2bVn5sLcRd',
      scanned_at: '2026-12-15T18:03:40Z',
    },
  ],
}

export const redemptionAttemptSyncEndpoint = endpoint({
  method: 'POST',
  path: '/scanner/redemption_attempts',
  operationId: 'syncRedemptionAttempts',
  says: 'Takes in what a device scanned while it was offline, in this order. The same `client_id` again gets the same result. What a device let nobody in by has `refused`, and why: it is written down as `blocked`, and lets nobody in whatever the ticket is now.',
  access: doorStaff('write'),
  body: attemptsBody,
  example: SYNC_EXAMPLE,
  bodyLimit: SYNC_BODY_LIMIT,
  exampleSetup: EXAMPLE_SETUPS.sync,
  answers: { 200: RedemptionAttempts },
  handle: async ({ account, body }) =>
    ok({ redemption_attempts: (await syncAttempts(account, body)).map(showAttempt) }),
})

const findDevice = async (scope: CallerScope, id: string) =>
  requireFound(await findCredential(scope.rows, { kinds: ['scanner_device'], membershipId: null }, parsePathId(id)))

export const revokedDeviceSyncEndpoint = endpoint({
  method: 'POST',
  path: '/admin/scanner_devices/:id/redemption_attempts',
  operationId: 'handInRedemptionAttempts',
  integerParams: ['id'],
  says: 'Takes in what a revoked device scanned and could not send any more, judged as if that device had sent it. What it had sent before gets the same result again.',
  access: management('write'),
  body: attemptsBody,
  example: SYNC_EXAMPLE,
  bodyLimit: SYNC_BODY_LIMIT,
  exampleSetup: EXAMPLE_SETUPS.handingIn,
  answers: { 200: RedemptionAttempts },
  exists: ({ account, params }) => findDevice(account, params.id),
  handle: async ({ account, params, body }) => {
    const device = await findDevice(account, params.id)
    account.note?.add({ credential_id: device.id, attempts: body.length })
    return ok({ redemption_attempts: (await syncAttempts(account, body, device.id)).map(showAttempt) })
  },
})

const refusable = (judged: JudgedAttempt & { ticket: ScannableTicket }) => ({
  status: 422 as const,
  body: { error: judged.message, ticket: showTicket(judged.ticket) },
})

export const ticketAnnulmentEndpoint = endpoint({
  method: 'POST',
  path: '/scanner/tickets/:identifier/annulment',
  operationId: 'annulRedemption',
  says: 'Takes the last entry of a ticket back: a device its own, within 15 minutes; account tokens, owners, managers and the event’s co-organizers any, at any time. Both stay in the log. The same `client_id` again gets the same answer.',
  access: doorStaff('write'),
  body: unwrappedBody(AnnulmentFields),
  example: { reason: 'Scanned by mistake', client_id: '3d0e7c1a-8a53-4d0e-a1f7-2f6f0f4c2b12' },
  exampleSetup: EXAMPLE_SETUPS.annulment,
  answers: { 200: ScannerTicket, 422: RefusedRedemption },
  handle: async ({ account, params, body }) => {
    const judged = await endEntry(account, params.identifier, { kind: 'annulment', ...body })
    return judged.result === 'accepted' ? ok(showTicket(judged.ticket)) : refusable(judged)
  },
})

export const ticketExitEndpoint = endpoint({
  method: 'POST',
  path: '/scanner/tickets/:identifier/exit',
  operationId: 'recordExit',
  says: 'Says that whoever came in with a ticket went out, where the event allows `reentry`: it is redeemable again. The same `client_id` again gets the same answer.',
  access: doorStaff('write'),
  body: unwrappedBody(ExitFields),
  example: { client_id: '3d0e7c1a-8a53-4d0e-a1f7-2f6f0f4c2b13' },
  exampleSetup: EXAMPLE_SETUPS.exit,
  answers: { 200: TicketOfExit, 422: RefusedRedemption },
  handle: async ({ account, params, body }) => {
    const judged = await endEntry(account, params.identifier, { kind: 'exit', reason: null, ...body })
    return judged.result === 'accepted' ? ok(showTicketOfExit(judged.ticket)) : refusable(judged)
  },
})

export const attemptLogEndpoint = endpoint({
  method: 'GET',
  path: '/scanner/events/:event_slug/attempts',
  operationId: 'listRedemptionAttempts',
  says: 'Every attempt to redeem a ticket of this event, accepted or not, with who made it; newest first, fifty a page. With `public_id` only the accepted entries of that ticket: who let them in.',
  access: doorStaffOfEvent('read'),
  query: z.object({ page: queryPageNumber(), public_id: queryName() }),
  answers: { 200: AttemptLog },
  handle: async ({ event, query: { page, public_id: publicId } }) => {
    const attempts = await findAttempts(event, { limit: LOG_PAGE + 1, offset: (page - 1) * LOG_PAGE, publicId })
    return ok(showLog(attempts.slice(0, LOG_PAGE), attempts.length > LOG_PAGE ? page + 1 : null))
  },
})

export const doorStatsEndpoint = endpoint({
  method: 'GET',
  path: '/scanner/events/:event_slug/stats',
  operationId: 'getDoorStats',
  says: 'How many are expected and how many have arrived: in all, by ticket type, and in every five minutes.',
  access: doorStaffOfEvent('read'),
  answers: { 200: DoorStats },
  handle: async ({ event }) => ok(showStats(await countArrivals(event.rows, event.event.id))),
})

export const attemptEndpoints = [
  eventTicketRedemptionEndpoint,
  ticketRedemptionEndpoint,
  redemptionAttemptSyncEndpoint,
  revokedDeviceSyncEndpoint,
  ticketAnnulmentEndpoint,
  ticketExitEndpoint,
  attemptLogEndpoint,
  doorStatsEndpoint,
]
