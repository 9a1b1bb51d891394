import type { Font, Glyph, GlyphPosition } from 'fontkit'
import { type Drawing, openSubsets } from './subset.ts'
import type { Tables } from './truetype.ts'

export type Weight = 'regular' | 'bold'

/** A font of one weight, opened once and shared by every document of this process. */
export interface Face {
  readonly name: string
  /** As pdfkit takes it. */
  readonly font: Font
  covers(codePoint: number): boolean
  /** In ems. */
  widthOf(text: string): number
  /** Whether the drawn signs, one by one, give the text again. Ligatures and letters made of parts do not. */
  spells(text: string): boolean
}

interface Shaped {
  glyphs: Glyph[]
  positions: GlyphPosition[]
  advanceWidth: number
}

const SHAPED_MAX = 2_000

/** The letters decide, not the script of the first sign: Persian digits are written from left to right. */
const WRITTEN_FROM_RIGHT =
  /(?=\p{L})[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/**
 * Makes a font fit to be shared. Names tell two weights of one variable font apart, which pdfkit would take for the
 * same; and a piece of text is shaped once, with a fresh copy of its positions for each document, as pdfkit scales
 * them in place.
 */
export const toFace = (name: string, font: Font, tables: Tables, draw: (id: number) => Drawing): Face => {
  const shape = font.layout.bind(font)
  const shaped = new Map<string, Shaped>()

  const remember = (text: string): Shaped => {
    const known = shaped.get(text)
    if (known) return known

    const direction = WRITTEN_FROM_RIGHT.test(text) ? 'rtl' : 'ltr'
    const { glyphs, positions, advanceWidth } = shape(text, [], undefined, undefined, direction)
    const run = { glyphs, positions, advanceWidth }
    if (shaped.size >= SHAPED_MAX) shaped.clear()
    shaped.set(text, run)
    return run
  }

  keepCodePoints(font)
  Object.defineProperty(font, 'postscriptName', { value: name })
  Object.defineProperty(font, 'createSubset', { value: openSubsets(tables, draw) })
  Object.defineProperty(font, 'layout', {
    value: (text: string) => {
      const run = remember(text)
      return { ...run, positions: run.positions.map((position) => ({ ...position })) }
    },
  })

  return {
    name,
    font,
    covers: (codePoint) => font.hasGlyphForCodePoint(codePoint),
    widthOf: (text) => remember(text).advanceWidth / font.unitsPerEm,
    spells: (text) => String.fromCodePoint(...remember(text).glyphs.flatMap(({ codePoints }) => codePoints)) === text,
  }
}

/**
 * fontkit keeps a glyph as it was first asked for. Asked for by its number alone, it has no code point, and
 * every later document would neither shape it nor let anyone search for it.
 */
const keepCodePoints = (font: Font) => {
  const getGlyph = font.getGlyph.bind(font)
  Object.defineProperty(font, 'getGlyph', {
    value: (id: number, codePoints: number[] = []) => {
      const glyph = getGlyph(id, codePoints)
      if (glyph && codePoints.length > 0 && glyph.codePoints.length === 0) Object.assign(glyph, { codePoints })
      return glyph
    },
  })
}
