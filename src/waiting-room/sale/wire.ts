import { z } from 'zod'
import { Timestamp, named, showTimestamp, showTimestampOrNull } from '../../http/wire.ts'
import type { SaleCounts, TicketSaleCounts } from './records.ts'

export const Sale = named(
  'Sale',
  z.object({
    generated_at: Timestamp,
    sales_starts_at: Timestamp.nullable(),
    sales_ends_at: Timestamp.nullable(),
    /** Checkouts under way, and how many tickets they keep. */
    holds: z.int(),
    held: z.int(),
    unpaid: z.int(),
    sold: z.int(),
    waiting: z.int(),
    turns: z.int(),
    waiting_room: z.enum(['none', 'before_the_draw', 'open']),
    tickets: z.array(
      z.object({
        ticket_id: z.int(),
        title: z.string(),
        stock: z.int().nullable(),
        held: z.int(),
        unpaid: z.int(),
        sold: z.int(),
      }),
    ),
  }),
  {
    generated_at: '2026-11-20T09:00:12.000Z',
    sales_starts_at: '2026-11-20T09:00:00.000Z',
    sales_ends_at: null,
    holds: 310,
    held: 604,
    unpaid: 12,
    sold: 420,
    waiting: 5_210,
    turns: 48,
    waiting_room: 'open',
    tickets: [{ ticket_id: 4, title: 'General admission', stock: 2_000, held: 604, unpaid: 12, sold: 420 }],
  },
)

/** How the sale of an event goes, of one moment. */
export interface SaleFacts {
  counts: SaleCounts
  tickets: TicketSaleCounts[]
}

const sum = (tickets: readonly TicketSaleCounts[], key: 'held' | 'unpaid' | 'sold') =>
  tickets.reduce((total, ticket) => total + ticket[key], 0)

export const showSale = ({ counts, tickets }: SaleFacts): z.output<typeof Sale> => ({
  generated_at: showTimestamp(counts.now),
  sales_starts_at: showTimestampOrNull(counts.salesStartsAt),
  sales_ends_at: showTimestampOrNull(counts.salesEndsAt),
  holds: counts.holds,
  held: sum(tickets, 'held'),
  unpaid: sum(tickets, 'unpaid'),
  sold: sum(tickets, 'sold'),
  waiting: counts.waiting,
  turns: counts.turns,
  waiting_room: stateOf(counts),
  tickets: tickets.map(({ ticketId, title, stock, held, unpaid, sold }) => ({
    ticket_id: ticketId,
    title,
    stock,
    held,
    unpaid,
    sold,
  })),
})

const stateOf = ({ isWaitingRoomOpen, drawnAt, salesStartsAt }: SaleCounts) => {
  if (!isWaitingRoomOpen) return 'none'
  return drawnAt === null || (salesStartsAt !== null && drawnAt < salesStartsAt) ? 'before_the_draw' : 'open'
}
