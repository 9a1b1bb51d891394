import { displayCode } from '../kernel/public-ids.ts'
import type { Language } from '../languages/rules.ts'
import { drawInTurn } from './draw-in-turn.ts'
import { type TextBox, layOutText } from './lines.ts'
import { openPdf, type PdfPages } from './pdf-pages.ts'
import { guestNameOf, showDoorsOpenTime, showStart, type PrintedTicket } from './printed-ticket.ts'
import { TICKET_WORDS } from './words.ts'

/** A6 upright: fills a phone, and four fit on a sheet. */
const PAGE = { width: 297.64, height: 419.53 }
const MARGIN = 22
const WIDTH = PAGE.width - 2 * MARGIN
const BAND = 10
const QR_SIZE = 148
const QR_TOP = 238
const FOOT = PAGE.height - 26
const CODES_LEFT = MARGIN + QR_SIZE + 16
const CODES_WIDTH = PAGE.width - CODES_LEFT - 12

const INK = '#111318'
const FAINT = '#565d69'
const RULE = '#d5d8de'

const TITLE: TextBox = { weight: 'bold', size: 19, sizeMin: 12, width: WIDTH, linesMax: 2 }
const WHEN: TextBox = { weight: 'bold', size: 11, sizeMin: 8, width: WIDTH, linesMax: 1 }
const DETAIL: TextBox = { weight: 'regular', size: 10, sizeMin: 7.5, width: WIDTH, linesMax: 1 }
const NAME: TextBox = { weight: 'bold', size: 17, sizeMin: 10, width: WIDTH, linesMax: 2 }
const KIND: TextBox = { weight: 'regular', size: 11, sizeMin: 8, width: WIDTH - 15, linesMax: 1 }
const PLACE: TextBox = { weight: 'bold', size: 12, sizeMin: 8, width: WIDTH - 15, linesMax: 1 }
const LABEL: TextBox = { weight: 'regular', size: 8, sizeMin: 6.5, width: CODES_WIDTH, linesMax: 1 }
const CODE: TextBox = { weight: 'bold', size: 15, sizeMin: 9, width: CODES_WIDTH, linesMax: 1 }
const FOOTNOTE: TextBox = { weight: 'regular', size: 7.5, sizeMin: 6.5, width: WIDTH, linesMax: 2 }

/** One page for each admission. */
export const ticketsPdf = async (tickets: PrintedTicket[], language: Language): Promise<Buffer> => {
  const [first] = tickets
  if (!first) throw new Error('A document needs at least one ticket')
  const paper = openPdf(
    { language, title: TICKET_WORDS[language].ticketsFor(first.eventTitle), author: first.organizer },
    PAGE,
  )
  for (const ticket of tickets) await drawInTurn(() => drawTicket(paper, ticket, language))
  return drawInTurn(() => paper.finish())
}

const drawTicket = async (paper: PdfPages, ticket: PrintedTicket, language: Language) => {
  const words = TICKET_WORDS[language]
  paper.turnPage(words.ticketOf(ticket.number, ticket.partySize))
  paper.fill(ticket.ticketColor, 0, 0, PAGE.width, BAND)
  const bottom = await drawEvent(paper, ticket, language)
  paper.fill(RULE, MARGIN, bottom + 6, WIDTH, 0.75)
  await drawGuest(paper, ticket, { top: bottom + 12, language })
  paper.qrCode(ticket.publicId, {
    x: MARGIN,
    y: QR_TOP,
    size: QR_SIZE,
    says: words.qrCode(displayCode(ticket.checkInCode)),
  })
  await drawCodes(paper, ticket, language)
  const rules = await layOutText(words.admitsOne, FOOTNOTE)
  paper.write('P', rules, { x: MARGIN, y: FOOT, color: FAINT })
}

const drawEvent = async (paper: PdfPages, ticket: PrintedTicket, language: Language) => {
  let y = BAND + 12
  y = paper.write('H1', await layOutText(ticket.eventTitle, TITLE), { x: MARGIN, y, color: INK }) + 2
  y = paper.write('P', await layOutText(showStart(ticket, language), WHEN), { x: MARGIN, y, color: INK })
  for (const detail of [showDoorsOpenTime(ticket, language), ticket.venueName, ticket.venueAddress]) {
    if (detail) y = paper.write('P', await layOutText(detail, DETAIL), { x: MARGIN, y, color: FAINT })
  }
  return y
}

const drawGuest = async (
  paper: PdfPages,
  ticket: PrintedTicket,
  { top, language }: { top: number; language: Language },
) => {
  const { attendeeName, partyLead, isLead } = ticket
  let y =
    paper.write('H2', await layOutText(guestNameOf(ticket, language), NAME), { x: MARGIN, y: top, color: INK }) + 1
  if (attendeeName && !isLead && attendeeName !== partyLead) {
    y = paper.write('P', await layOutText(TICKET_WORDS[language].partyOf(partyLead), DETAIL), {
      x: MARGIN,
      y,
      color: FAINT,
    })
  }
  y += 3
  paper.fill(ticket.ticketColor, MARGIN, y + 2.5, 9, 9, 2)
  y = paper.write('P', await layOutText(ticket.ticketTitle, KIND), { x: MARGIN + 15, y, color: INK })
  if (ticket.place) paper.write('P', await layOutText(ticket.place, PLACE), { x: MARGIN + 15, y, color: INK })
}

const drawCodes = async (paper: PdfPages, ticket: PrintedTicket, language: Language) => {
  const words = TICKET_WORDS[language]
  const rows = [
    [words.checkInCode, displayCode(ticket.checkInCode)],
    [words.order, displayCode(ticket.orderCode)],
    [words.ticket, words.numberOf(ticket.number, ticket.partySize)],
  ] as const
  let y = QR_TOP - 2
  for (const [label, value] of rows) {
    y = paper.write('P', await layOutText(label, LABEL), { x: CODES_LEFT, y, color: FAINT })
    y = paper.write('P', await layOutText(value, CODE), { x: CODES_LEFT, y, color: INK }) + 12
  }
}
