import PdfDocument from 'pdfkit'
import { type EmbeddedFont, openEmbeddedFont } from './embedded-font.ts'
import type { Language } from '../languages/rules.ts'
import type { Face } from './face.ts'
import type { LaidOutText } from './lines.ts'
import { qrCodeOf } from './qr.ts'
import type { TextRun } from './runs.ts'

export interface PdfInfo {
  language: Language
  title: string
  author: string
}

export interface PageSize {
  width: number
  height: number
}

type Part = 'H1' | 'H2' | 'P'

/** Pages that are drawn on from the top left, in points. Whatever is drawn can also be read aloud. */
export interface PdfPages {
  turnPage(title: string): void
  /** Writes the lines below y and tells where the next thing may begin. */
  write(part: Part, set: LaidOutText, at: { x: number; y: number; color: string }): number
  fill(color: string, x: number, y: number, width: number, height: number, radius?: number): void
  qrCode(content: string, at: { x: number; y: number; size: number; says: string }): void
  finish(): Promise<Buffer>
}

/** In ems. Scripts that stack their letters reach deeper than others and have more room. */
const ASCENT = 0.98
const DEPTH_MIN = 0.3
const DEPTH_MAX = 0.5
const INK = '#000000'

export const openPdf = ({ language, title, author }: PdfInfo, { width, height }: PageSize): PdfPages => {
  const document = new PdfDocument({
    size: [width, height],
    margin: 0,
    autoFirstPage: false,
    // There is no text in a font of pdfkit's own, and none of them is to be loaded.
    font: '',
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    lang: language,
    info: { Title: title, Author: author, Creator: 'Foyer', Producer: 'Foyer' },
  })
  const chunks: Buffer[] = []
  const finished = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk))
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
  })
  const fonts = new Map<Face, EmbeddedFont>()
  let section: PDFKit.PDFStructureElement | null = null

  const fontOf = (face: Face) => {
    const font = fonts.get(face) ?? openEmbeddedFont(document, face, fonts.size + 1)
    fonts.set(face, font)
    return font
  }

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
      let bottom = y
      const placed = set.lines.map(({ runs, depth }) => {
        const baseline = bottom + ASCENT * set.size
        bottom = baseline + Math.max(DEPTH_MIN, Math.min(depth, DEPTH_MAX)) * set.size
        return { runs, baseline }
      })
      const draw = () => {
        document.fillColor(color)
        for (const { runs, baseline } of placed) {
          for (const run of runs) drawRun(document, fontOf(run.face), run, x + run.x * set.size, baseline, set.size)
        }
      }
      section?.add(document.struct(part, {}, [draw]))
      return bottom
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
      for (const font of fonts.values()) font.write()
      document.end()
      return finished
    },
  }
}

/**
 * Letters are drawn in the order they are read, also those that run from the right: whoever takes the text out of the
 * document finds it as it was typed.
 */
const drawRun = (
  document: PDFKit.PDFDocument,
  font: EmbeddedFont,
  { face, shaped }: TextRun,
  x: number,
  baseline: number,
  size: number,
) => {
  document.page.fonts[font.name] = font.reference
  const show = (from: number, codes: string) => `BT
/${font.name} ${toNumber(size)} Tf
1 0 0 1 ${toNumber(x + (from * size) / face.unitsPerEm)} ${toNumber(document.page.height - baseline)} Tm
[<${codes}>] TJ
ET`
  const shown: string[] = []
  if (shaped.direction === 'rtl') {
    // On its own each: some programs turn around what stands together, others do not.
    for (const { glyph, x: glyphX } of shaped.glyphs) shown.push(show(glyphX, font.codeOf(glyph)))
  } else {
    let codes = ''
    let reached = 0
    for (const { glyph, x: glyphX } of shaped.glyphs) {
      const back = ((reached - glyphX) * 1000) / face.unitsPerEm
      if (back !== 0) codes += `>${toNumber(back)}<`
      codes += font.codeOf(glyph)
      reached = glyphX + glyph.advance
    }
    shown.push(show(0, codes))
  }
  // The page is upside down for everything else that is drawn, so that its top left is where it begins.
  document.addContent(`q
1 0 0 -1 0 ${toNumber(document.page.height)} cm
${shown.join('\n')}
Q`)
}

const toNumber = (value: number) => String(Math.round(value * 1000) / 1000)
