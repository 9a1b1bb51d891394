import { z } from 'zod'
import { field } from '../../http/fields.ts'
import { Timestamp, exampleOf, named, showTimestamp, showTimestampOrNull } from '../../http/wire.ts'
import { type AttemptKind, CLIENT_ID_MAX, REASON_MAX, ATTEMPT_RESULTS, type AttemptResult, isInside } from '../rules.ts'
import { ScannerTicket, type ScannableTicket, showTicket } from '../wire.ts'

export const RefusedRedemption = named('RefusedRedemption', z.object({ error: z.string(), ticket: ScannerTicket }), {
  error: 'Already redeemed',
  ticket: {
    ...exampleOf(ScannerTicket)!,
    redeemed: true,
    redeemable: false,
    blocked_reason: 'Already redeemed',
    redeemed_at: '2026-12-15T18:02:11.000Z',
    updated_at: '2026-12-15T18:02:11.000Z',
  },
})

const RedemptionAttempt = named(
  'RedemptionAttempt',
  z.object({
    client_id: z.string(),
    event_slug: z.string(),
    public_id: z.string(),
    result: z.enum(ATTEMPT_RESULTS),
    message: z.string(),
    scanned_at: Timestamp,
    synced_at: Timestamp,
    accepted_at: Timestamp.nullable(),
    ticket: ScannerTicket.nullable(),
  }),
  {
    client_id: '5f1c1c52-5d0c-4f0e-9d5e-0c6f0f4c2b11',
    event_slug: 'winter-gala',
    public_id: '7Jx3fYkq9TzW2bVn5sLcRd',
    result: 'conflict',
    message: 'Already redeemed',
    scanned_at: '2026-12-15T18:03:40.000Z',
    synced_at: '2026-12-15T18:20:05.000Z',
    accepted_at: null,
    ticket: exampleOf(RefusedRedemption)!.ticket,
  },
)

export const RedemptionAttempts = named(
  'RedemptionAttempts',
  z.object({ redemption_attempts: z.array(RedemptionAttempt) }),
  { redemption_attempts: [exampleOf(RedemptionAttempt)!] },
)

/** What became of an attempt, with the ticket as it stands now. */
export interface JudgedAttempt {
  clientId: string | null
  eventSlug: string
  publicId: string
  kind: AttemptKind
  result: AttemptResult
  message: string
  scannedAt: Date
  syncedAt: Date
  acceptedAt: Date | null
  ticket: ScannableTicket | null
}

export const showAttempt = (attempt: JudgedAttempt): z.output<typeof RedemptionAttempt> => ({
  client_id: attempt.clientId ?? '',
  event_slug: attempt.eventSlug,
  public_id: attempt.publicId,
  result: attempt.result,
  message: attempt.message,
  scanned_at: showTimestamp(attempt.scannedAt),
  synced_at: showTimestamp(attempt.syncedAt),
  accepted_at: showTimestampOrNull(attempt.acceptedAt),
  ticket: attempt.ticket && showTicket(attempt.ticket),
})

const given = (schema: Record<string, unknown>, isRequired = false) => field(schema, (value) => value, isRequired)

/** Judged with the ticket at hand, so that every refusal brings it along. */
export const ExitFields = z.object({ client_id: given({ type: ['string', 'null'], maxLength: CLIENT_ID_MAX }) })

export const AnnulmentFields = ExitFields.extend({
  reason: given({ type: 'string', minLength: 1, maxLength: REASON_MAX }, true),
})

export const TicketOfExit = named('TicketOfExit', ScannerTicket.extend({ inside: z.boolean() }), {
  ...exampleOf(ScannerTicket)!,
  redeemed: true,
  redeemed_at: '2026-12-15T18:02:11.000Z',
  inside: false,
})

export const showTicketOfExit = (ticket: ScannableTicket): z.output<typeof TicketOfExit> => ({
  ...showTicket(ticket),
  inside: isInside(ticket),
})
