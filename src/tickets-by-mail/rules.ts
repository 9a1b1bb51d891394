import { oneLine } from '../mail/address.ts'
import { isPlainName } from '../mail/plain-name.ts'
import type { RenderedMail } from '../mail/templates.ts'
import { guestNameOf, showWhen, type PrintedTicket } from '../pdf/printed-ticket.ts'

export const REASONS = ['issued', 'delivered_again', 'seat_moved'] as const
export type Reason = (typeof REASONS)[number]

/** What one mail is made of. */
export interface Delivery {
  orderPublicId: string
  orderCode: string
  address: string
  /** Null when staff had the tickets sent to themselves. */
  recipientName: string | null
  organizer: string
  eventTitle: string
  /** One at least. */
  tickets: (PrintedTicket & { admissionId: number })[]
}

export const subjectOf = ({ eventTitle }: Delivery, reason: Reason) =>
  reason === 'seat_moved' ? `Your new seat for ${eventTitle}` : `Your tickets for ${eventTitle}`

export const fileNameOf = ({ orderCode }: Delivery) => `tickets-${orderCode}.pdf`

/** The same at every attempt of one job, so that a mail sent twice shows up once. */
export const messageIdOf = ({ orderPublicId }: Delivery, jobId: string) => `tickets.${orderPublicId}.${jobId}`

/** Guests write their names themselves, and perhaps somebody else's address. */
export const greetedAs = ({ recipientName }: Delivery): string | null =>
  recipientName !== null && isPlainName(recipientName) ? oneLine(recipientName) : null

export const ticketMailOf = (delivery: Delivery, reason: Reason, movedIds: readonly number[]): RenderedMail => {
  const { organizer, orderCode, tickets, recipientName } = delivery
  const greeted = greetedAs(delivery)
  const first = tickets[0]!
  const when = showWhen(first)
  const where = [first.venueName, first.venueAddress].filter(Boolean).join(', ')
  return {
    title: subjectOf(delivery, reason),
    preheader: `${when}${where && ` · ${where}`}`,
    paragraphs: [
      ...(recipientName ? [`Hello${greeted ? ` ${greeted}` : ''},`] : []),
      ...(reason === 'seat_moved' ? movesOf(delivery, movedIds) : []),
      openingOf(delivery, reason),
      [when, where].filter(Boolean).join('\n'),
      'Each code admits one person, once. Show it at the door, on paper or on your phone.',
    ],
    footer: `${organizer} · Order ${orderCode}`,
  }
}

const openingOf = ({ tickets, eventTitle, recipientName }: Delivery, reason: Reason) => {
  const isOne = tickets.length === 1
  const count = isOne ? 'ticket' : `${tickets.length} tickets`
  const whose = recipientName ? `your ${count}` : `the ${count} of ${oneLine(tickets[0]!.partyLead)}`
  if (reason === 'seat_moved')
    return `Attached ${isOne ? 'is' : 'are'} ${whose} with the new seat. The codes stay the same.`
  return `Here ${isOne ? 'is' : 'are'} ${whose} for ${eventTitle}, attached as a PDF${isOne ? '' : ' with one page each'}.`
}

/** Which seat is the new one, for each guest who moved. */
const movesOf = ({ tickets }: Delivery, movedIds: readonly number[]): string[] => {
  const moved = tickets.filter(({ admissionId, place }) => place && movedIds.includes(admissionId))
  if (moved.length === 0) return []
  const opening = moved.length === 1 ? 'A seat has changed. The new one is:' : 'Seats have changed. The new ones are:'
  const nameOf = (ticket: PrintedTicket) => {
    const name = guestNameOf(ticket)
    return isPlainName(name) ? name : `Guest ${ticket.number}`
  }
  return [[opening, ...moved.map((ticket) => oneLine(`${nameOf(ticket)}: ${ticket.place}`))].join('\n')]
}
