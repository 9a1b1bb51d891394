import { defineWords } from '../languages/rules.ts'

export const CANCELLATION_MAIL_WORDS = defineWords(
  {
    subject: (event: string) => `Cancelled: ${event}`,
    title: (event: string) => `${event} is cancelled`,
    hello: 'Hello,',
    helloTo: (name: string) => `Hello ${name},`,
    weAreSorry: (event: string) =>
      `we are sorry: ${event}, for which you have tickets, is cancelled and does not take place.`,
    questions: (codes: string) => `If you have a question, please answer this mail and name your order: ${codes}.`,
    andMore: (codes: string, more: number) => `${codes} and ${more} more`,
  },
  {
    subject: (event) => `Absage: ${event}`,
    title: (event) => `${event} ist abgesagt`,
    hello: 'Guten Tag,',
    helloTo: (name) => `Guten Tag ${name},`,
    weAreSorry: (event) =>
      `leider ist die Veranstaltung ${event}, für die Sie Tickets haben, abgesagt und findet nicht statt.`,
    questions: (codes) => `Bei Fragen antworten Sie bitte auf diese E-Mail und nennen Sie Ihre Bestellung: ${codes}.`,
    andMore: (codes, more) => `${codes} und ${more} weitere`,
  },
)
