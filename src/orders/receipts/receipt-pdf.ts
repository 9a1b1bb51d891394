import { FALLBACK_LANGUAGE, type Language, languageOrFallback } from '../../languages/rules.ts'
import { showAmountWithCode } from '../../kernel/money.ts'
import { displayCode } from '../../kernel/public-ids.ts'
import { showTaxRate } from '../../kernel/tax-rates.ts'
import { showDate } from '../../kernel/times.ts'
import { drawInTurn } from '../../pdf/draw-in-turn.ts'
import { type TextBox, layOutText } from '../../pdf/lines.ts'
import { type PdfPages, openPdf } from '../../pdf/pdf-pages.ts'
import type { Receipt } from './records.ts'
import { RECEIPT_WORDS } from './words.ts'

/** A4 upright. */
const PAGE = { width: 595.28, height: 841.89 }
const MARGIN = 56
const WIDTH = PAGE.width - 2 * MARGIN
const BOTTOM = PAGE.height - MARGIN - 20

const INK = '#111318'
const FAINT = '#565d69'
const RULE = '#d5d8de'

const box = (width: number, more: Partial<TextBox> = {}): TextBox => ({
  weight: 'regular',
  size: 10,
  sizeMin: 7,
  width,
  linesMax: 1,
  ...more,
})

const HOUSE = box(WIDTH, { weight: 'bold', size: 16, sizeMin: 10 })
const TITLE = box(WIDTH, { weight: 'bold', size: 22, sizeMin: 14 })
const LINE = box(WIDTH / 2 - 12)
const LABEL = box(90, { size: 9 })
const ITEM = box(250, { linesMax: 2 })
const NOTE = box(380)
const CELL = box(90)
const STRONG_CELL = box(90, { weight: 'bold' })
const STRONG = box(250, { weight: 'bold' })
const HEAD = box(90, { size: 9 })
const HEAD_WIDE = box(250, { size: 9 })
const FOOTNOTE = box(WIDTH, { size: 8 })

type Words = (typeof RECEIPT_WORDS)[Language]

interface Sheet {
  paper: PdfPages
  receipt: Receipt
  words: Words
  language: Language
  money: (cents: number) => string
  page: number
}

/** The right edges of the columns of numbers. */
const QUANTITY = MARGIN + 300
const PRICE = MARGIN + 390
const AMOUNT = MARGIN + WIDTH

/** A receipt as a buyer files it. It shows what was written down when it was issued, and nothing of what is true now. */
export const receiptPdf = (receipt: Receipt): Promise<Buffer> =>
  drawInTurn(async () => {
    const language = languageOrFallback(receipt.language ?? FALLBACK_LANGUAGE)
    const words = RECEIPT_WORDS[language]
    const paper = openPdf(
      { language, title: `${titleOf(receipt, words)} ${receipt.number}`, author: receipt.organizer },
      PAGE,
    )
    const money = (cents: number) => withMinus(showAmountWithCode(cents, receipt.currency, language))
    const sheet: Sheet = { paper, receipt, words, language, money, page: 0 }
    let y = await turn(sheet)
    y = await drawParties(sheet, y)
    y = await drawLines(sheet, y + 24)
    y = await drawTotals(sheet, await roomFor(sheet, y, 90))
    await drawTaxes(sheet, await roomFor(sheet, y + 24, 40 + (receipt.taxLines.length + 1) * 18))
    return paper.finish()
  })

/** A minus as long as the digits are wide. */
const withMinus = (number: string) => number.replace(/^-/, '−')

const titleOf = ({ kind }: Receipt, words: Words) => (kind === 'sale' ? words.sale : words.refund)

/** Begins a page, and tells where it can be written on. */
const turn = async (sheet: Sheet): Promise<number> => {
  const { paper, receipt, words } = sheet
  sheet.page += 1
  paper.turnPage(words.page(sheet.page))
  const foot = `${receipt.organizer} · ${titleOf(receipt, words)} ${receipt.number} · ${words.page(sheet.page)}`
  paper.write('P', await layOutText(foot, FOOTNOTE), { x: MARGIN, y: PAGE.height - MARGIN, color: FAINT })
  const y = paper.write('P', await layOutText(receipt.organizer, HOUSE), { x: MARGIN, y: MARGIN, color: INK })
  paper.fill(RULE, MARGIN, y + 6, WIDTH, 0.75)
  return y + 24
}

const roomFor = async (sheet: Sheet, y: number, height: number): Promise<number> =>
  y + height > BOTTOM ? turn(sheet) : y

const drawParties = async ({ paper, receipt, words, language }: Sheet, top: number): Promise<number> => {
  const { recipient } = receipt
  const below =
    paper.write('H1', await layOutText(titleOf(receipt, words), TITLE), { x: MARGIN, y: top, color: INK }) + 14
  let left = paper.write('P', await layOutText(words.recipient, LABEL), { x: MARGIN, y: below, color: FAINT })
  const address = [
    recipient.company,
    recipient.name,
    recipient.street,
    [recipient.postalCode, recipient.city].filter(Boolean).join(' '),
    recipient.country && nameOfCountry(recipient.country, language),
    recipient.vatId && words.vatId(recipient.vatId),
    recipient.email,
  ]
  for (const line of address) {
    if (line) left = paper.write('P', await layOutText(line, LINE), { x: MARGIN, y: left, color: INK })
  }
  const facts: [string, string][] = [
    [words.number, String(receipt.number)],
    [words.date, showDate(receipt.issuedAt, receipt.timeZone, language)],
    [words.order, displayCode(receipt.orderCode)],
  ]
  if (receipt.saleNumber !== null) facts.push([words.ofReceipt, String(receipt.saleNumber)])
  let right = below
  const x = MARGIN + WIDTH / 2 + 24
  for (const [label, value] of facts) {
    paper.write('P', await layOutText(label, LABEL), { x, y: right + 0.8, color: FAINT })
    right = paper.write('P', await layOutText(value, box120), { x: x + 92, y: right, color: INK }) + 3
  }
  if (receipt.eventTitle !== null) {
    const event = await layOutText(receipt.eventTitle, EVENT)
    return paper.write('H2', event, { x: MARGIN, y: Math.max(left, right) + 20, color: INK })
  }
  return Math.max(left, right)
}

const nameOfCountry = (code: string, language: Language) =>
  new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code

const box120 = box(120)
const EVENT = box(WIDTH, { weight: 'bold', size: 12, sizeMin: 9, linesMax: 2 })

/** A cell whose right edge is given. */
const drawRight = async (paper: PdfPages, text: string, fit: TextBox, edge: number, y: number, color = INK) => {
  const set = await layOutText(text, fit)
  const width = Math.max(...set.lines.map((line) => line.width)) * set.size
  return paper.write('P', set, { x: edge - width, y, color })
}

const drawLines = async (sheet: Sheet, top: number): Promise<number> => {
  const { paper, receipt, money } = sheet
  let y = await drawLineHeads(sheet, top)
  for (const line of receipt.lines) {
    if (y + 30 > BOTTOM) y = await drawLineHeads(sheet, await turn(sheet))
    const end = paper.write('P', await layOutText(line.title, ITEM), { x: MARGIN, y, color: INK })
    await drawRight(paper, withMinus(String(line.quantity)), CELL, QUANTITY, y)
    await drawRight(paper, money(line.unit_cents), CELL, PRICE, y)
    await drawRight(paper, money(line.total_cents), CELL, AMOUNT, y)
    y = end + 5
  }
  return y
}

const drawLineHeads = async ({ paper, words }: Sheet, y: number): Promise<number> => {
  const end = paper.write('P', await layOutText(words.item, HEAD_WIDE), { x: MARGIN, y, color: FAINT })
  await drawRight(paper, words.quantity, HEAD, QUANTITY, y, FAINT)
  await drawRight(paper, words.price, HEAD, PRICE, y, FAINT)
  await drawRight(paper, words.amount, HEAD, AMOUNT, y, FAINT)
  paper.fill(RULE, MARGIN, end + 3, WIDTH, 0.75)
  return end + 9
}

const drawTotals = async ({ paper, receipt, words, money }: Sheet, top: number): Promise<number> => {
  paper.fill(RULE, MARGIN, top + 1, WIDTH, 0.75)
  let y = top + 8
  paper.write('P', await layOutText(words.total, STRONG), { x: MARGIN, y, color: INK })
  y = (await drawRight(paper, money(receipt.totalCents), STRONG_CELL, AMOUNT, y)) + 5
  if (receipt.voucherCents === 0) return y
  const isSale = receipt.kind === 'sale'
  const parts: [string, number][] = [
    [isSale ? words.paidByVoucher : words.returnedToVoucher, receipt.voucherCents],
    [isSale ? words.paidOtherwise : words.returnedOtherwise, receipt.totalCents - receipt.voucherCents],
  ]
  for (const [label, cents] of parts) {
    paper.write('P', await layOutText(label, ITEM), { x: MARGIN, y, color: FAINT })
    y = (await drawRight(paper, money(cents), CELL, AMOUNT, y, FAINT)) + 4
  }
  return y
}

const drawTaxes = async ({ paper, receipt, words, money }: Sheet, top: number): Promise<void> => {
  const columns = [MARGIN + 250, MARGIN + 340, AMOUNT] as const
  let y = paper.write('H2', await layOutText(words.tax, STRONG), { x: MARGIN, y: top, color: INK }) + 4
  const heads = paper.write('P', await layOutText(words.rate, HEAD), { x: MARGIN, y, color: FAINT })
  for (const [n, head] of [words.net, words.taxAmount, words.gross].entries()) {
    await drawRight(paper, head, HEAD, columns[n]!, y, FAINT)
  }
  paper.fill(RULE, MARGIN, heads + 3, WIDTH, 0.75)
  y = heads + 9
  for (const { rate, net_cents, tax_cents, gross_cents } of receipt.taxLines) {
    const end = paper.write('P', await layOutText(words.percent(showTaxRate(rate)), CELL), { x: MARGIN, y, color: INK })
    for (const [n, cents] of [net_cents, tax_cents, gross_cents].entries()) {
      await drawRight(paper, money(cents), CELL, columns[n]!, y)
    }
    y = end + 4
  }
  const taxedBefore = receipt.totalCents - receipt.taxLines.reduce((sum, { gross_cents }) => sum + gross_cents, 0)
  if (taxedBefore === 0) return
  paper.write('P', await layOutText(words.taxedBefore, NOTE), { x: MARGIN, y, color: FAINT })
  await drawRight(paper, money(taxedBefore), CELL, AMOUNT, y, FAINT)
}
