import { newCode, newPublicId } from '../src/kernel/public-ids.ts'
import type { PrintedTicket } from '../src/pdf/printed-ticket.ts'
import { ticketsPdf } from '../src/pdf/tickets-pdf.ts'
import { type Bench, type Figure, percentile, round } from './frame.ts'

/** What one ticket costs, each a document of its own with names that were not seen before, once the fonts are open. */
const FIRST = ['Zoë', 'Łukasz', 'Иван', 'Ελένη', '王', 'عمر', 'שרה', '김', 'さくら', 'Nguyễn']
const LAST = ['Müller', 'Żółć', 'Петров', 'Παππά', '小明', 'حسن', 'כהן', '민준', '田中', 'Ặng']
const ROUNDS = 400
const WARM_UP = 100

const pick = (list: string[], index: number) => list[index % list.length]!

const ticket = (index: number): PrintedTicket => ({
  publicId: newPublicId(),
  checkInCode: newCode(),
  orderCode: newCode(),
  organizer: 'Neue Halle',
  eventTitle: 'Winter Ball · 冬の舞踏会',
  startsAt: new Date('2027-01-15T19:00:00Z'),
  doorsOpenAt: new Date('2027-01-15T18:00:00Z'),
  timeZone: 'Europe/Berlin',
  venueName: 'Neue Halle',
  venueAddress: 'Hafenstraße 7, 20359 Hamburg, DE',
  attendeeName: `${pick(FIRST, index)} ${pick(LAST, Math.floor(index / 10))} ${index}`,
  partyLead: `${pick(FIRST, Math.floor(index / 7))} ${pick(LAST, index)}`,
  isLead: false,
  ticketTitle: 'General admission',
  ticketColor: '#2f6fed',
  place: `Row A Seat ${index}`,
  number: 1,
  partySize: 1,
})

export async function* measure({ small }: Bench): AsyncGenerator<Figure> {
  const times: number[] = []
  for (let index = 0; index < WARM_UP + (small ? ROUNDS / 4 : ROUNDS); index++) {
    const started = performance.now()
    await ticketsPdf([ticket(index)], 'en')
    if (index >= WARM_UP) times.push(performance.now() - started)
  }
  const median = percentile(times, 0.5)
  yield {
    id: 'P12',
    what: 'a ticket as PDF, mixed scripts',
    figure: round(median, 1),
    unit: 'ms',
    target: '≤ 8 ms',
    isMet: median <= 8,
  }
  const slow = round(percentile(times, 0.95), 1)
  yield { id: 'P12', what: 'a ticket as PDF, p95', figure: slow, unit: 'ms', target: 'none', isMet: true }
}
