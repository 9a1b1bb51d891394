import { type EmbeddedFont, openEmbeddedFont } from './embedded-font.ts'
import type { Face } from './face.ts'
import type { LaidOutText } from './lines.ts'
import { type PdfInfo, describePdf, writeInfo } from './pdf-description.ts'
import { type PdfFile, openPdfFile, pdfNumber, pdfText, referenceTo } from './pdf-file.ts'
import { qrCodeOf } from './qr.ts'
import type { TextRun } from './runs.ts'

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
  finish(): Buffer
}

/** In ems. Scripts that stack their letters reach deeper than others and have more room. */
const ASCENT = 0.98
const DEPTH_MIN = 0.3
const DEPTH_MAX = 0.5
const INK = '#000000'

interface Page {
  number: number
  section: number
  title: string
  content: string
  fonts: Set<EmbeddedFont>
  /** What can be read aloud on it, in its order. */
  elements: number[]
}

export const openPdf = (info: PdfInfo, { width, height }: PageSize): PdfPages => {
  const file = openPdfFile()
  const [pagesNumber, treeNumber] = [file.reserve(), file.reserve()]
  const pages: Page[] = []
  const fonts = new Map<Face, EmbeddedFont>()

  const fontOf = (face: Face) => {
    const font = fonts.get(face) ?? openEmbeddedFont(file, face, fonts.size + 1)
    fonts.set(face, font)
    return font
  }

  /** Draws something that stands for itself when the page is read. */
  const element = (kind: string, entries: string, drawing: string) => {
    const page = pages.at(-1)!
    const place = page.elements.length
    page.content += `/${kind} <</MCID ${place}>> BDC\n${drawing}EMC\n`
    page.elements.push(
      file.add(`<<
/S /${kind}
${entries}/P ${referenceTo(page.section)}
/K [${place}]
/Pg ${referenceTo(page.number)}
>>`),
    )
  }

  return {
    turnPage: (title) => {
      pages.push({
        number: file.reserve(),
        section: file.reserve(),
        title,
        content: '',
        fonts: new Set(),
        elements: [],
      })
    },

    write: (part, set, { x, y, color }) => {
      let bottom = y
      let drawing = `${fillColor(color)}\n`
      for (const { runs, depth } of set.lines) {
        const baseline = bottom + ASCENT * set.size
        bottom = baseline + Math.max(DEPTH_MIN, Math.min(depth, DEPTH_MAX)) * set.size
        for (const run of runs) {
          const font = fontOf(run.face)
          pages.at(-1)!.fonts.add(font)
          drawing += drawRun(font, run, { x: x + run.x * set.size, y: height - baseline, size: set.size })
        }
      }
      element(part, '', drawing)
      return bottom
    },

    fill: (color, x, y, boxWidth, boxHeight, radius = 0) => {
      const box = { x, y: height - y - boxHeight, width: boxWidth, height: boxHeight }
      const path = radius > 0 ? roundedBox(box, radius) : `${numbers(box.x, box.y, boxWidth, boxHeight)} re`
      pages.at(-1)!.content += `/Artifact <</Type /Layout>> BDC\n${path}\n${fillColor(color)}\nf\nEMC\n`
    },

    qrCode: (content, { x, y, size, says }) => {
      const code = qrCodeOf(content)
      const bottom = height - y - size
      const module = size / code.size
      // Counted in its squares. One fill for all of them, so that no viewer shows hair lines where two of them meet.
      let drawing = `q\n${fillColor(INK)}\n${module} 0 0 ${module} ${numbers(x, bottom)} cm\n`
      for (const bar of code.bars) drawing += `${bar.x} ${code.size - 1 - bar.y} ${bar.length} 1 re\n`
      const bounds = numbers(x, bottom, x + size, bottom + size)
      const layout = `/A <<\n/O /Layout\n/Placement /Block\n/BBox [${bounds}]\n>>\n`
      element('Figure', `/Alt ${pdfText(says)}\n${layout}`, `${drawing}f\nQ\n`)
    },

    finish: () => {
      pages.forEach((page, place) => writePage(file, page, { place, pagesNumber, treeNumber, width, height }))
      for (const font of fonts.values()) font.write()
      const kids = (of: (page: Page) => number) => pages.map((page) => referenceTo(of(page))).join(' ')
      file.write(pagesNumber, `<<\n/Type /Pages\n/Count ${pages.length}\n/Kids [${kids(({ number }) => number)}]\n>>`)
      const read = pages.map(({ elements }, place) => `${place} [${elements.map(referenceTo).join(' ')}]`)
      file.write(
        treeNumber,
        `<<
/Type /StructTreeRoot
/ParentTree <<
/Limits [0 ${pages.length - 1}]
/Nums [
${read.join('\n')}
]
>>
/ParentTreeNextKey ${pages.length}
/K [${kids(({ section }) => section)}]
>>`,
      )
      return file.finish(describePdf(file, info, { pagesNumber, treeNumber }), writeInfo(file, info))
    },
  }
}

const writePage = (
  file: PdfFile,
  { number, section, title, content, fonts, elements }: Page,
  at: { place: number; pagesNumber: number; treeNumber: number } & PageSize,
) => {
  const named = Array.from(fonts, ({ name, number: font }) => `/${name} ${referenceTo(font)}\n`)
  const resources = file.add(`<<\n/Font <<\n${named.join('')}>>\n>>`)
  const contents = file.addStream(content)
  file.write(
    number,
    `<<
/Type /Page
/Parent ${referenceTo(at.pagesNumber)}
/MediaBox [0 0 ${numbers(at.width, at.height)}]
/Contents ${referenceTo(contents)}
/Resources ${referenceTo(resources)}
/StructParents ${at.place}
/Tabs /S
>>`,
  )
  file.write(
    section,
    `<<\n/S /Sect\n/T ${pdfText(title)}\n/P ${referenceTo(at.treeNumber)}\n/K [${elements.map(referenceTo).join(' ')}]\n>>`,
  )
}

const numbers = (...values: number[]) => values.map(pdfNumber).join(' ')

const colors = new Map<string, string>()

/** Of a colour like #d5d8de. */
const fillColor = (color: string): string => {
  const known = colors.get(color)
  if (known) return known
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
  const made = `${numbers(...parts)} rg`
  colors.set(color, made)
  return made
}

/** How far the handles of a curve lie from its ends, so that it looks like a quarter of a circle. */
const ROUND = 0.5523

const roundedBox = ({ x, y, width, height }: PageSize & { x: number; y: number }, radius: number): string => {
  const [right, top, handle] = [x + width, y + height, radius * (1 - ROUND)]
  return [
    `${numbers(x + radius, y)} m`,
    `${numbers(right - radius, y)} l`,
    `${numbers(right - handle, y, right, y + handle, right, y + radius)} c`,
    `${numbers(right, top - radius)} l`,
    `${numbers(right, top - handle, right - handle, top, right - radius, top)} c`,
    `${numbers(x + radius, top)} l`,
    `${numbers(x + handle, top, x, top - handle, x, top - radius)} c`,
    `${numbers(x, y + radius)} l`,
    `${numbers(x, y + handle, x + handle, y, x + radius, y)} c`,
    'h',
  ].join('\n')
}

/**
 * Letters are drawn in the order they are read, also those that run from the right: whoever takes the text out of the
 * document finds it as it was typed.
 */
const drawRun = (
  font: EmbeddedFont,
  { face, shaped }: TextRun,
  { x, y, size }: { x: number; y: number; size: number },
): string => {
  const show = (from: number, codes: string) =>
    `BT\n/${font.name} ${pdfNumber(size)} Tf\n1 0 0 1 ${numbers(x + (from * size) / face.unitsPerEm, y)} Tm\n[<${codes}>] TJ\nET\n`
  let shown = ''
  if (shaped.direction === 'rtl') {
    // On its own each: some programs turn around what stands together, others do not.
    for (const { glyph, x: glyphX } of shaped.glyphs) shown += show(glyphX, font.codeOf(glyph))
  } else {
    let codes = ''
    let reached = 0
    for (const { glyph, x: glyphX } of shaped.glyphs) {
      const back = ((reached - glyphX) * 1000) / face.unitsPerEm
      if (back !== 0) codes += `>${pdfNumber(back)}<`
      codes += font.codeOf(glyph)
      reached = glyphX + glyph.advance
    }
    shown = show(0, codes)
  }
  return `q\n${shown}Q\n`
}
