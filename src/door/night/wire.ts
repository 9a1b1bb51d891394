import { z } from 'zod'
import { Timestamp, named, showTimestamp, showTimestampOrNull } from '../../http/wire.ts'
import { greetedName } from '../rules.ts'
import type { ArrivalsOfMinute, NightConflict, NightDevice, NightTicketCounts } from './records.ts'

export const Night = named(
  'Night',
  z.object({
    generated_at: Timestamp,
    expected: z.int(),
    arrived: z.int(),
    inside: z.int(),
    tickets: z.array(
      z.object({ ticket_id: z.int().nullable(), title: z.string(), expected: z.int(), arrived: z.int() }),
    ),
    devices: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        /** Entries less annulments. */
        count: z.int(),
        last_seen_at: Timestamp.nullable(),
        queue: z.int().nullable(),
        snapshot_at: Timestamp.nullable(),
      }),
    ),
    arrivals: z.array(z.object({ minute: Timestamp, count: z.int() })),
    conflicts: z.array(
      z.object({
        id: z.int(),
        ticket_public_id: z.string(),
        name: z.string(),
        device: z.string(),
        scanned_at: Timestamp,
        redeemed_at: Timestamp.nullable(),
        redeemed_by: z.string().nullable(),
      }),
    ),
  }),
  {
    generated_at: '2026-12-15T18:30:00.000Z',
    expected: 480,
    arrived: 212,
    inside: 210,
    tickets: [{ ticket_id: 4, title: 'General admission', expected: 480, arrived: 212 }],
    devices: [
      {
        id: 8,
        name: 'Door 1',
        count: 212,
        last_seen_at: '2026-12-15T18:29:40.000Z',
        queue: 0,
        snapshot_at: '2026-12-15T18:29:10.000Z',
      },
    ],
    arrivals: [{ minute: '2026-12-15T18:02:00.000Z', count: 12 }],
    conflicts: [
      {
        id: 91,
        ticket_public_id: '7Jx3fYkq9TzW2bVn5sLcRd',
        name: 'Guest of Zoë Lindqvist',
        device: 'Door 2',
        scanned_at: '2026-12-15T18:03:40.000Z',
        redeemed_at: '2026-12-15T18:02:11.000Z',
        redeemed_by: 'Door 1',
      },
    ],
  },
)

/** Everything a supervisor watches, of one moment. */
export interface NightFacts {
  now: Date
  tickets: NightTicketCounts[]
  devices: NightDevice[]
  arrivals: ArrivalsOfMinute[]
  conflicts: NightConflict[]
}

const sum = (tickets: readonly NightTicketCounts[], key: 'expected' | 'arrived' | 'inside') =>
  tickets.reduce((total, ticket) => total + ticket[key], 0)

export const showNight = ({ now, tickets, devices, arrivals, conflicts }: NightFacts): z.output<typeof Night> => ({
  generated_at: showTimestamp(now),
  expected: sum(tickets, 'expected'),
  arrived: sum(tickets, 'arrived'),
  inside: sum(tickets, 'inside'),
  tickets: tickets.map(({ ticketId, title, expected, arrived }) => ({ ticket_id: ticketId, title, expected, arrived })),
  devices: devices.map(({ id, name, count, lastSeenAt, queue, snapshotAt }) => ({
    id,
    name,
    count,
    last_seen_at: showTimestampOrNull(lastSeenAt),
    queue,
    snapshot_at: showTimestampOrNull(snapshotAt),
  })),
  arrivals: arrivals.map(({ minute, count }) => ({ minute: showTimestamp(minute), count })),
  conflicts: conflicts.map((conflict) => ({
    id: conflict.id,
    ticket_public_id: conflict.ticketPublicId,
    name: greetedName(conflict),
    device: conflict.device,
    scanned_at: showTimestamp(conflict.scannedAt),
    redeemed_at: showTimestampOrNull(conflict.redeemedAt),
    redeemed_by: conflict.redeemedBy,
  })),
})
