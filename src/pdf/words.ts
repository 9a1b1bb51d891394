import { defineWords } from '../languages/rules.ts'

export const TICKET_WORDS = defineWords(
  {
    ticketsFor: (event: string) => `Tickets for ${event}`,
    ticketOf: (number: number, count: number) => `Ticket ${number} of ${count}`,
    qrCode: (code: string) => `QR code of the ticket with check-in code ${code}`,
    admitsOne: 'Show this code at the door. It admits one person, once.',
    partyOf: (lead: string) => `Party of ${lead}`,
    guestOf: (lead: string) => `Guest of ${lead}`,
    checkInCode: 'Check-in code',
    order: 'Order',
    ticket: 'Ticket',
    numberOf: (number: number, count: number) => `${number} of ${count}`,
    doorsOpen: (when: string) => `Doors open ${when}`,
  },
  {
    ticketsFor: (event) => `Tickets für ${event}`,
    ticketOf: (number, count) => `Ticket ${number} von ${count}`,
    qrCode: (code) => `QR-Code des Tickets mit dem Einlasscode ${code}`,
    admitsOne: 'Bitte zeigen Sie diesen Code am Einlass. Er gilt einmal, für eine Person.',
    partyOf: (lead) => `Begleitung von ${lead}`,
    guestOf: (lead) => `Gast von ${lead}`,
    checkInCode: 'Einlasscode',
    order: 'Bestellung',
    ticket: 'Ticket',
    numberOf: (number, count) => `${number} von ${count}`,
    doorsOpen: (when) => `Einlass ab ${when}`,
  },
)
