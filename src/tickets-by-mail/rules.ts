import type { Language } from '../languages/rules.ts'
import { displayCode } from '../kernel/public-ids.ts'
import { oneLine } from '../mail/address.ts'
import { isNameSafeInMail } from '../mail/plain-name.ts'
import type { RenderedMail } from '../mail/templates.ts'
import { guestNameOf, showStart, type PrintedTicket } from '../pdf/printed-ticket.ts'
import { TICKET_MAIL_WORDS } from './words.ts'

export const TICKET_MAIL_REASONS = ['issued', 'delivered_again', 'seat_moved'] as const
export type TicketMailReason = (typeof TICKET_MAIL_REASONS)[number]

/** What one mail is made of. */
export interface TicketMailData {
  orderPublicId: string
  orderCode: string
  address: string
  /** Null when staff had the tickets sent to themselves. */
  recipientName: string | null
  organizer: string
  /** Where answers go. */
  replyTo: string | null
  eventTitle: string
  /** What is written in: the customer's, where it is known, else the account's. */
  language: Language
  /** One at least. */
  tickets: (PrintedTicket & { admissionId: number })[]
}

/** The tickets of an order on paper, whether or not there is somebody to mail them to. */
export type PrintedTickets = Omit<TicketMailData, 'address'> & { address: string | null }

export const subjectOf = ({ eventTitle, language }: TicketMailData, reason: TicketMailReason) => {
  const words = TICKET_MAIL_WORDS[language]
  return reason === 'seat_moved' ? words.newSeatSubject(eventTitle) : words.subject(eventTitle)
}

/** Whose mail it is. */
export const senderOf = ({ organizer, replyTo }: TicketMailData) => ({ name: organizer, replyTo })

export const fileNameOf = ({ orderCode, language }: Pick<TicketMailData, 'orderCode' | 'language'>) =>
  TICKET_MAIL_WORDS[language].fileName(orderCode)

/** The same at every attempt of one job, so that a mail sent twice shows up once. */
export const messageIdOf = ({ orderPublicId }: TicketMailData, jobId: string) => `tickets.${orderPublicId}.${jobId}`

/** Guests write their names themselves, and perhaps somebody else's address. */
export const greetingNameOf = ({ recipientName }: TicketMailData): string | null =>
  recipientName !== null && isNameSafeInMail(recipientName) ? oneLine(recipientName) : null

export const renderTicketMail = (
  delivery: TicketMailData,
  reason: TicketMailReason,
  movedIds: readonly number[],
): RenderedMail => {
  const { organizer, orderCode, tickets, recipientName, language } = delivery
  const words = TICKET_MAIL_WORDS[language]
  const greeted = greetingNameOf(delivery)
  const first = tickets[0]!
  const when = showStart(first, language)
  const where = [first.venueName, first.venueAddress].filter(Boolean).join(', ')
  return {
    language,
    title: subjectOf(delivery, reason),
    preheader: `${when}${where && ` · ${where}`}`,
    paragraphs: [
      ...(recipientName ? [greeted ? words.helloTo(greeted) : words.hello] : []),
      ...(reason === 'seat_moved' ? movesOf(delivery, movedIds) : []),
      openingOf(delivery, reason),
      [when, where].filter(Boolean).join('\n'),
      words.admitsOne,
    ],
    footer: words.footer(organizer, displayCode(orderCode)),
  }
}

const openingOf = ({ tickets, eventTitle, recipientName, language }: TicketMailData, reason: TicketMailReason) => {
  const words = TICKET_MAIL_WORDS[language]
  const lead = recipientName ? null : oneLine(tickets[0]!.partyLead)
  return reason === 'seat_moved'
    ? words.withNewSeat(tickets.length, lead)
    : words.hereAre(eventTitle, tickets.length, lead)
}

/** Which seat is the new one, for each guest who moved. */
const movesOf = ({ tickets, language }: TicketMailData, movedIds: readonly number[]): string[] => {
  const words = TICKET_MAIL_WORDS[language]
  const moved = tickets.filter(({ admissionId, place }) => place && movedIds.includes(admissionId))
  if (moved.length === 0) return []
  const nameOf = (ticket: PrintedTicket) => {
    const name = guestNameOf(ticket, language)
    return isNameSafeInMail(name) ? name : words.guest(ticket.number)
  }
  const seats = moved.map((ticket) => oneLine(`${nameOf(ticket)}: ${ticket.place}`))
  return [[words.seatsChanged(moved.length), ...seats].join('\n')]
}
