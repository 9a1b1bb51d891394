import PdfDocument from 'pdfkit'
import type { Face } from './face.ts'
import type { SetText } from './lines.ts'
import { qrCodeOf } from './qr.ts'
import { BOX_WIDTH, type Run } from './runs.ts'

export interface About {
  title: string
  author: string
}

export interface PageSize {
  width: number
  height: number
}

type Part = 'H1' | 'H2' | 'P'

/** Pages that are drawn on from the top left, in points. Whatever is drawn can also be read aloud. */
export interface Paper {
  turnPage(title: string): void
  /** Writes the lines below y and tells where the next thing may begin. */
  write(part: Part, set: SetText, at: { x: number; y: number; color: string }): number
  fill(color: string, x: number, y: number, width: number, height: number, radius?: number): void
  qrCode(content: string, at: { x: number; y: number; size: number; says: string }): void
  finish(): Promise<Buffer>
}

const LINE_HEIGHT = 1.28
const ASCENT = 0.98
const BOX_HEIGHT = 0.66
const INK = '#000000'

export const openPaper = ({ title, author }: About, { width, height }: PageSize): Paper => {
  const document = new PdfDocument({
    size: [width, height],
    margin: 0,
    autoFirstPage: false,
    // There is no text in a font of pdfkit's own, and none of them is to be loaded.
    font: '',
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    lang: 'en',
    info: { Title: title, Author: author, Creator: 'Foyer', Producer: 'Foyer' },
  })
  const chunks: Buffer[] = []
  const finished = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk))
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
  })
  let section: PDFKit.PDFStructureElement | null = null

  const endSection = () => {
    section?.end()
    section = null
  }

  return {
    turnPage: (pageTitle) => {
      endSection()
      document.addPage()
      section = document.struct('Sect', { title: pageTitle })
      document.addStructure(section)
    },

    write: (part, set, { x, y, color }) => {
      const draw = () => {
        document.fillColor(color)
        if (!set.isSpelled) document.markContent('Span', { actual: set.text })
        for (const [index, line] of set.lines.entries()) {
          const baseline = y + (index * LINE_HEIGHT + ASCENT) * set.size
          let right = x
          for (const run of line.runs) {
            drawRun(document, run, right, baseline, set.size)
            right += run.width * set.size
          }
        }
        if (!set.isSpelled) document.endMarkedContent()
      }
      section?.add(document.struct(part, {}, [draw]))
      return y + set.lines.length * LINE_HEIGHT * set.size
    },

    fill: (color, x, y, boxWidth, boxHeight, radius = 0) => {
      document.markContent('Artifact', { type: 'Layout' })
      if (radius > 0) document.roundedRect(x, y, boxWidth, boxHeight, radius)
      else document.rect(x, y, boxWidth, boxHeight)
      document.fill(color)
      document.endMarkedContent()
    },

    qrCode: (content, { x, y, size, says }) => {
      const code = qrCodeOf(content)
      const module = size / code.size
      const draw = () => {
        for (const bar of code.bars) document.rect(x + bar.x * module, y + bar.y * module, bar.length * module, module)
        // One fill for all of them, so that no viewer shows hair lines where two squares meet.
        document.fill(INK)
      }
      const description = { alt: says, bbox: [x, y, x + size, y + size] }
      section?.add(document.struct('Figure', description, [draw]))
    },

    finish: () => {
      endSection()
      document.end()
      return finished
    },
  }
}

const drawRun = (document: PDFKit.PDFDocument, run: Run, x: number, baseline: number, size: number) => {
  if (run.face) drawText(document, run.face, run, x, baseline, size)
  else drawBoxes(document, run, x, baseline, size)
}

const drawText = (
  document: PDFKit.PDFDocument,
  face: Face,
  { text, width }: Run,
  x: number,
  baseline: number,
  size: number,
) => {
  // With a list of features, even an empty one, pdfkit shapes the run whole instead of word by word.
  const options = {
    lineBreak: false,
    baseline: 'alphabetic' as const,
    features: [],
    textWidth: width * size,
    wordCount: 1,
  }
  // pdfkit takes an open font as well as a file; its types do not know.
  document.font(face.font as unknown as Buffer, face.name, size).text(text, x, baseline, options)
}

/** What no font can write is a box as large as a letter, one for each. */
const drawBoxes = (document: PDFKit.PDFDocument, { width }: Run, x: number, baseline: number, size: number) => {
  const stroke = size / 16
  const count = Math.round(width / BOX_WIDTH)
  for (let index = 0; index < count; index += 1) {
    const left = x + (index * BOX_WIDTH + 0.08) * size
    document.rect(left, baseline - BOX_HEIGHT * size, (BOX_WIDTH - 0.16) * size, BOX_HEIGHT * size)
  }
  document.lineWidth(stroke).strokeColor('#6b7280').stroke()
}
