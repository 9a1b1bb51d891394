import { defineWords } from '../languages/rules.ts'

/** `count` is how many tickets a mail brings; `lead` is whose they are where staff had them sent to themselves. */
export const TICKET_MAIL_WORDS = defineWords(
  {
    subject: (event: string) => `Your tickets for ${event}`,
    newSeatSubject: (event: string) => `Your new seat for ${event}`,
    hello: 'Hello,',
    helloTo: (name: string) => `Hello ${name},`,
    hereAre: (event: string, count: number, lead: string | null) => {
      const isOne = count === 1
      const whose = lead === null ? `your ${ticketCount(count)}` : `the ${ticketCount(count)} of ${lead}`
      return `Here ${isOne ? 'is' : 'are'} ${whose} for ${event}, attached as a PDF${isOne ? '' : ' with one page each'}.`
    },
    withNewSeat: (count: number, lead: string | null) => {
      const whose = lead === null ? `your ${ticketCount(count)}` : `the ${ticketCount(count)} of ${lead}`
      return `Attached ${count === 1 ? 'is' : 'are'} ${whose} with the new seat. The codes stay the same.`
    },
    seatsChanged: (count: number) =>
      count === 1 ? 'A seat has changed. The new one is:' : 'Seats have changed. The new ones are:',
    guest: (number: number) => `Guest ${number}`,
    admitsOne: 'Each code admits one person, once. Show it at the door, on paper or on your phone.',
    footer: (organizer: string, order: string) => `${organizer} · Order ${order}`,
    fileName: (order: string) => `tickets-${order}.pdf`,
  },
  {
    subject: (event) => `Ihre Tickets für ${event}`,
    newSeatSubject: (event) => `Ihr neuer Sitzplatz für ${event}`,
    hello: 'Guten Tag,',
    helloTo: (name) => `Guten Tag ${name},`,
    hereAre: (event, count, lead) =>
      `${germanTickets(count, lead)} für ${event} finden Sie im Anhang als PDF${count === 1 ? '' : ', jedes auf einer eigenen Seite'}.`,
    withNewSeat: (count, lead) =>
      `${germanTickets(count, lead)} mit dem neuen Sitzplatz finden Sie im Anhang. Die Codes bleiben dieselben.`,
    seatsChanged: (count) =>
      count === 1 ? 'Sitzplatz geändert. Der neue ist:' : 'Sitzplätze haben sich geändert. Die neuen sind:',
    guest: (number) => `Gast ${number}`,
    admitsOne:
      'Jeder Code gilt einmal, für eine Person. Bitte zeigen Sie ihn am Einlass, auf Papier oder auf dem Telefon.',
    footer: (organizer, order) => `${organizer} · Bestellung ${order}`,
    fileName: (order) => `tickets-${order}.pdf`,
  },
)

const ticketCount = (count: number) => (count === 1 ? 'ticket' : `${count} tickets`)

const germanTickets = (count: number, lead: string | null) => {
  if (lead === null) return count === 1 ? 'Ihr Ticket' : `Ihre ${count} Tickets`
  return count === 1 ? `Das Ticket von ${lead}` : `Die ${count} Tickets von ${lead}`
}
