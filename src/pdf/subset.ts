import type { Font } from 'fontkit'
import { encodeOutline } from './outline.ts'
import { readOffsets, tableOf, type Tables, writeTables } from './truetype.ts'

/** The few glyphs of a font that one document uses, numbered anew; pdfkit fills and embeds it. */
export interface Subset {
  includeGlyph(id: number): number
  encode(): Buffer
}

/** A glyph as it stands in a font file. */
export interface Drawing {
  bytes: Buffer
  /** Where the bytes name another glyph that this one is made of. */
  parts: { id: number; at: number }[]
  advance: number
  bearing: number
}

/**
 * fontkit reads a font anew for every document, and cannot write a variable one at all. Here each glyph is read once
 * per process, so that a document's font is little more than its glyphs laid end to end.
 */
export const openSubsets = (tables: Tables, draw: (id: number) => Drawing): (() => Subset) => {
  const drawings = new Map<number, Drawing>()
  const drawingOf = (id: number) => {
    const drawing = drawings.get(id) ?? draw(id)
    drawings.set(id, drawing)
    return drawing
  }

  return () => {
    const numbers = new Map<number, number>()
    const includeGlyph = (id: number) => {
      const number = numbers.get(id) ?? numbers.size
      numbers.set(id, number)
      return number
    }
    const withNumbers = ({ bytes, parts }: Drawing) => {
      if (parts.length === 0) return bytes
      const copy = Buffer.from(bytes)
      for (const { id, at } of parts) copy.writeUInt16BE(includeGlyph(id), at)
      return copy
    }
    // What a character without a glyph would be, which every font has to begin with.
    includeGlyph(0)

    return {
      includeGlyph,
      encode: () => {
        const written: { drawing: Drawing; bytes: Buffer }[] = []
        // Parts are added while it goes, and a map is walked to what has become its end.
        for (const id of numbers.keys()) {
          const drawing = drawingOf(id)
          written.push({ drawing, bytes: withNumbers(drawing) })
        }
        return encode(tables, written)
      },
    }
  }
}

const encode = (tables: Tables, glyphs: { drawing: Drawing; bytes: Buffer }[]): Buffer => {
  const loca = Buffer.alloc(4 * (glyphs.length + 1))
  const hmtx = Buffer.alloc(4 * glyphs.length)
  const glyf: Buffer[] = []
  let end = 0
  for (const [index, { drawing, bytes }] of glyphs.entries()) {
    const padding = Buffer.alloc((4 - (bytes.length % 4)) % 4)
    glyf.push(bytes, padding)
    end += bytes.length + padding.length
    loca.writeUInt32BE(end, 4 * (index + 1))
    hmtx.writeUInt16BE(drawing.advance, 4 * index)
    hmtx.writeInt16BE(drawing.bearing, 4 * index + 2)
  }

  const head = Buffer.from(tableOf(tables, 'head'))
  head.writeInt16BE(1, 50)
  const hhea = Buffer.from(tableOf(tables, 'hhea'))
  hhea.writeUInt16BE(glyphs.length, 34)
  const maxp = Buffer.from(tableOf(tables, 'maxp'))
  maxp.writeUInt16BE(glyphs.length, 4)
  return writeTables(new Map(Object.entries({ head, hhea, maxp, loca, hmtx, glyf: Buffer.concat(glyf) })))
}

/** Glyphs as the file has them. */
export const drawFromFile = (tables: Tables): ((id: number) => Drawing) => {
  const offsets = readOffsets(tables)
  const glyf = tableOf(tables, 'glyf')
  const hmtx = tableOf(tables, 'hmtx')
  const metricsCount = tableOf(tables, 'hhea').readUInt16BE(34)
  return (id) => {
    const bytes = glyf.subarray(offsets[id], offsets[id + 1])
    const lastMetric = Math.min(id, metricsCount - 1)
    const bearingAt = id < metricsCount ? 4 * id + 2 : 4 * metricsCount + 2 * (id - metricsCount)
    return {
      bytes,
      parts: partsOf(bytes),
      advance: hmtx.readUInt16BE(4 * lastMetric),
      bearing: hmtx.readInt16BE(bearingAt),
    }
  }
}

const ARGUMENTS_ARE_WORDS = 0x01
const HAS_SCALE = 0x08
const MORE_PARTS = 0x20
const HAS_TWO_SCALES = 0x40
const HAS_FOUR_SCALES = 0x80

/** A glyph with a negative count of contours is made of others. */
const partsOf = (bytes: Buffer): Drawing['parts'] => {
  if (bytes.length === 0 || bytes.readInt16BE(0) >= 0) return []
  const parts: Drawing['parts'] = []
  let at = 10
  let flags = MORE_PARTS
  while (flags & MORE_PARTS) {
    flags = bytes.readUInt16BE(at)
    parts.push({ id: bytes.readUInt16BE(at + 2), at: at + 2 })
    at += flags & ARGUMENTS_ARE_WORDS ? 8 : 6
    if (flags & HAS_SCALE) at += 2
    else if (flags & HAS_TWO_SCALES) at += 4
    else if (flags & HAS_FOUR_SCALES) at += 8
  }
  return parts
}

/** Glyphs as a variable font draws them at its weight. */
export const drawVaried =
  (font: Font) =>
  (id: number): Drawing => {
    const { path, advanceWidth } = font.getGlyph(id)
    const bytes = Buffer.from(encodeOutline(path))
    return { bytes, parts: [], advance: Math.round(advanceWidth), bearing: bytes.length > 0 ? bytes.readInt16BE(2) : 0 }
  }
