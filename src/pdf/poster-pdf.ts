import type { Language } from '../languages/rules.ts'
import { drawInTurn } from './draw-in-turn.ts'
import { type TextBox, layOutText } from './lines.ts'
import { openPdf } from './pdf-pages.ts'

/** A sheet that hangs where guests pass by. */
export interface Poster {
  language: Language
  organizer: string
  /** What it is for, like "Guest list". */
  occasion: string
  title: string
  /** When and where, line by line. */
  facts: readonly string[]
  /** What to do, large, and what happens then, small. */
  call: string
  promise: string
  /** What the QR code holds, and what is typed by those who cannot scan it. */
  url: string
}

const PAGE = { width: 595.28, height: 841.89 }
const MARGIN = 54
const WIDTH = PAGE.width - 2 * MARGIN
const BAND = 18
const QR_SIZE = 290
const QR_TOP = 360
/** Four squares of the code on each side stay white, or it is not recognized. */
const QUIET = 36
const TEXT_BOTTOM = QR_TOP - QUIET

const INK = '#111318'
const FAINT = '#565d69'
const RULE = '#d5d8de'

const OCCASION: TextBox = { weight: 'bold', size: 20, sizeMin: 14, width: WIDTH, linesMax: 1 }
const TITLE: TextBox = { weight: 'bold', size: 48, sizeMin: 22, width: WIDTH, linesMax: 3 }
const FACT: TextBox = { weight: 'regular', size: 17, sizeMin: 11, width: WIDTH, linesMax: 1 }
const CALL: TextBox = { weight: 'bold', size: 26, sizeMin: 16, width: WIDTH, linesMax: 1 }
const PROMISE: TextBox = { weight: 'regular', size: 14, sizeMin: 10, width: WIDTH, linesMax: 2 }
const ADDRESS: TextBox = { weight: 'regular', size: 12, sizeMin: 7, width: WIDTH, linesMax: 2 }
const FOOTNOTE: TextBox = { weight: 'bold', size: 12, sizeMin: 8, width: WIDTH, linesMax: 1 }

/** A4 upright, one page, black on white: every printer can do it. */
export const posterPdf = (poster: Poster): Promise<Buffer> =>
  drawInTurn(async () => {
    const { occasion, title, facts, call, promise, url, organizer } = poster
    const paper = openPdf({ language: poster.language, title: `${occasion}: ${title}`, author: organizer }, PAGE)
    paper.turnPage(occasion)
    paper.fill(INK, 0, 0, PAGE.width, BAND)

    const below = (color: string, y: number) => ({ x: MARGIN, y, color })
    let y = paper.write('P', await layOutText(occasion, OCCASION), below(FAINT, BAND + 36)) + 4
    y = paper.write('H1', await layOutText(title, TITLE), below(INK, y)) + 10
    for (const fact of facts) {
      const text = await layOutText(fact, FACT)
      if (y < TEXT_BOTTOM - text.size) y = paper.write('P', text, below(INK, y)) + 2
    }

    paper.qrCode(url, { x: MARGIN, y: QR_TOP, size: QR_SIZE, says: `QR code of ${url}` })
    y = paper.write('H2', await layOutText(call, CALL), below(INK, QR_TOP + QR_SIZE + QUIET)) + 2
    y = paper.write('P', await layOutText(promise, PROMISE), below(FAINT, y)) + 4
    paper.write('P', await layOutText(url, ADDRESS), below(INK, y))
    paper.fill(RULE, MARGIN, PAGE.height - 48, WIDTH, 0.75)
    paper.write('P', await layOutText(organizer, FOOTNOTE), below(FAINT, PAGE.height - 42))
    return paper.finish()
  })
