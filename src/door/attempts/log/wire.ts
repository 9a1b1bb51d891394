import { z } from 'zod'
import { Timestamp, named, showTimestamp, showTimestampOrNull } from '../../../http/wire.ts'
import { ATTEMPT_KINDS, ATTEMPT_RESULTS, greetedName } from '../../rules.ts'
import type { Arrivals, LoggedAttempt } from './records.ts'

export const AttemptLog = named(
  'AttemptLog',
  z.object({
    next_page: z.int().nullable(),
    attempts: z.array(
      z.object({
        client_id: z.string().nullable(),
        public_id: z.string(),
        attendee_name: z.string().nullable(),
        ticket_title: z.string().nullable(),
        kind: z.enum(ATTEMPT_KINDS),
        reason: z.string().nullable(),
        result: z.enum(ATTEMPT_RESULTS),
        message: z.string(),
        scanned_at: Timestamp,
        synced_at: Timestamp,
        accepted_at: Timestamp.nullable(),
        scanner: z.object({ type: z.string(), name: z.string() }),
      }),
    ),
  }),
  {
    next_page: null,
    attempts: [
      {
        client_id: null,
        public_id: '7Jx3fYkq9TzW2bVn5sLcRd',
        attendee_name: 'Guest of Zoë Lindqvist',
        ticket_title: 'General admission',
        kind: 'entry',
        reason: null,
        result: 'accepted',
        message: 'Ticket redeemed',
        scanned_at: '2026-12-15T18:02:11.000Z',
        synced_at: '2026-12-15T18:02:11.000Z',
        accepted_at: '2026-12-15T18:02:11.000Z',
        scanner: { type: 'scanner_device', name: 'Door 1' },
      },
    ],
  },
)

export const showLog = (attempts: readonly LoggedAttempt[], nextPage: number | null): z.output<typeof AttemptLog> => ({
  next_page: nextPage,
  attempts: attempts.map((attempt) => ({
    client_id: attempt.clientId,
    public_id: attempt.publicId,
    attendee_name: nameOf(attempt),
    ticket_title: attempt.ticketTitle,
    kind: attempt.kind,
    reason: attempt.reason,
    result: attempt.result,
    message: attempt.message,
    scanned_at: showTimestamp(attempt.scannedAt),
    synced_at: showTimestamp(attempt.syncedAt),
    accepted_at: showTimestampOrNull(attempt.acceptedAt),
    scanner: {
      type: attempt.credentialKind === 'scanner_device' ? 'scanner_device' : 'api_token',
      name: attempt.credentialName,
    },
  })),
})

const nameOf = ({ origin, isLead, attendeeName, customerName }: LoggedAttempt) =>
  origin === null || customerName === null
    ? null
    : greetedName({ origin, isLead: isLead ?? false, attendeeName, customerName })

export const DoorStats = named(
  'DoorStats',
  z.object({
    expected: z.int(),
    arrived: z.int(),
    ticket_types: z.array(z.object({ ticket_title: z.string(), expected: z.int(), arrived: z.int() })),
    arrivals: z.array(z.object({ starts_at: Timestamp, arrived: z.int() })),
  }),
  {
    expected: 480,
    arrived: 212,
    ticket_types: [{ ticket_title: 'General admission', expected: 480, arrived: 212 }],
    arrivals: [{ starts_at: '2026-12-15T18:00:00.000Z', arrived: 212 }],
  },
)

export const showStats = (arrivals: Arrivals): z.output<typeof DoorStats> => ({
  expected: arrivals.expected,
  arrived: arrivals.arrived,
  ticket_types: arrivals.ticketTypes.map(({ title, expected, arrived }) => ({
    ticket_title: title,
    expected,
    arrived,
  })),
  arrivals: arrivals.fiveMinutes.map(({ startsAt, arrived }) => ({ starts_at: showTimestamp(startsAt), arrived })),
})
