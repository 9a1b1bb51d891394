import type { Language } from '../../languages/rules.ts'
import { drawInTurn } from '../../pdf/draw-in-turn.ts'
import { type TextBox, layOutText } from '../../pdf/lines.ts'
import { openPdf, type PdfPages } from '../../pdf/pdf-pages.ts'
import { VOUCHER_PAPER_WORDS } from './words.ts'

export interface PrintedVoucher {
  language: Language
  organizer: string
  /** With its currency, like "50.00 EUR". */
  amount: string
  code: string
  productName: string | null
  forName: string | null
  fromName: string
  message: string | null
  validUntil: string | null
}

/** A5 across: one folds into an envelope, two fit on a sheet. */
const PAGE = { width: 595.28, height: 419.53 }
const MARGIN = 40
const WIDTH = PAGE.width - 2 * MARGIN
const BAND = 132
const QR_SIZE = 116
const LEFT_WIDTH = WIDTH - QR_SIZE - 28
const CODE_TOP = PAGE.height - MARGIN - QR_SIZE

const INK = '#111318'
const FAINT = '#565d69'
const RULE = '#d5d8de'
const DEEP = '#1b2140'
const GOLD = '#e9c46a'
const PAPER = '#ffffff'

const HOUSE: TextBox = { weight: 'bold', size: 15, sizeMin: 10, width: WIDTH, linesMax: 1 }
const KIND: TextBox = { weight: 'regular', size: 12, sizeMin: 8, width: WIDTH, linesMax: 1 }
const AMOUNT: TextBox = { weight: 'bold', size: 42, sizeMin: 20, width: WIDTH, linesMax: 1 }
const NAMES: TextBox = { weight: 'bold', size: 14, sizeMin: 9, width: WIDTH, linesMax: 1 }
const MESSAGE: TextBox = { weight: 'regular', size: 11, sizeMin: 8, width: WIDTH, linesMax: 5 }
const LABEL: TextBox = { weight: 'regular', size: 9, sizeMin: 7, width: LEFT_WIDTH, linesMax: 1 }
const CODE: TextBox = { weight: 'bold', size: 23, sizeMin: 8, width: LEFT_WIDTH, linesMax: 2 }
const FOOTNOTE: TextBox = { weight: 'regular', size: 8.5, sizeMin: 6.5, width: LEFT_WIDTH, linesMax: 2 }

export const voucherPdf = (voucher: PrintedVoucher): Promise<Buffer> =>
  drawInTurn(async () => {
    const { language } = voucher
    const words = VOUCHER_PAPER_WORDS[language]
    const paper = openPdf({ language, title: words.title(voucher.organizer), author: voucher.organizer }, PAGE)
    paper.turnPage(words.voucher)
    await drawWorth(paper, voucher)
    await drawWords(paper, voucher)
    await drawCode(paper, voucher)
    return paper.finish()
  })

const drawWorth = async (paper: PdfPages, { language, organizer, productName, amount }: PrintedVoucher) => {
  paper.fill(DEEP, 0, 0, PAGE.width, BAND)
  paper.fill(GOLD, 0, BAND, PAGE.width, 5)
  let y = paper.write('P', await layOutText(organizer, HOUSE), { x: MARGIN, y: 20, color: PAPER })
  y = paper.write('P', await layOutText(productName ?? VOUCHER_PAPER_WORDS[language].voucher, KIND), {
    x: MARGIN,
    y,
    color: GOLD,
  })
  paper.write('H1', await layOutText(amount, AMOUNT), { x: MARGIN, y: y + 2, color: PAPER })
}

const drawWords = async (paper: PdfPages, { language, forName, fromName, message }: PrintedVoucher) => {
  const words = VOUCHER_PAPER_WORDS[language]
  const names = forName ? words.forAndFrom(forName, fromName) : words.from(fromName)
  const y = paper.write('H2', await layOutText(names, NAMES), { x: MARGIN, y: BAND + 13, color: INK })
  if (message) paper.write('P', await layOutText(message, MESSAGE), { x: MARGIN, y: y + 4, color: FAINT })
  paper.fill(RULE, MARGIN, CODE_TOP - 14, WIDTH, 0.75)
}

const drawCode = async (paper: PdfPages, { language, code, validUntil }: PrintedVoucher) => {
  const words = VOUCHER_PAPER_WORDS[language]
  let y = paper.write('P', await layOutText(words.code, LABEL), { x: MARGIN, y: CODE_TOP, color: FAINT })
  y = paper.write('P', await layOutText(code, CODE), { x: MARGIN, y, color: INK }) + 6
  if (validUntil) {
    y = paper.write('P', await layOutText(words.validUntil(validUntil), LABEL), { x: MARGIN, y, color: INK }) + 2
  }
  paper.write('P', await layOutText(words.howToUse, FOOTNOTE), { x: MARGIN, y, color: FAINT })
  paper.qrCode(code, {
    x: PAGE.width - MARGIN - QR_SIZE,
    y: CODE_TOP,
    size: QR_SIZE,
    says: words.qrCode(code),
  })
}
