import type { Buffer as ShapingBuffer, Font } from 'harfbuzzjs'
import { boxAround, type Outline, outlineOf, type PositionedGlyph } from './outline.ts'
import type { HarfBuzz } from './shaper.ts'

export type Weight = 'regular' | 'bold'
export type Direction = 'ltr' | 'rtl'

/** All that is drawn for one cluster of characters, as a single glyph: so each glyph stands for text that is known. */
export interface ClusterGlyph {
  text: string
  outline: Outline
  /** In the font's units. */
  advance: number
}

export interface ShapedText {
  /** In the order they are read; x is where each stands from the left, in the font's units. */
  glyphs: { glyph: ClusterGlyph; x: number }[]
  direction: Direction
  /** In ems. */
  width: number
  /** How far it reaches below the line, in ems. */
  depth: number
}

/** A font of one weight, opened once and shared by every document of this process. */
export interface Face {
  readonly name: string
  readonly unitsPerEm: number
  readonly ascender: number
  readonly descender: number
  /** Glyphs that most documents need; the same ones for as long as the face is open. */
  readonly common: readonly ClusterGlyph[]
  covers(codePoint: number): boolean
  shape(text: string, direction: Direction): ShapedText
}

const SHAPED_MAX = 2_000
const GLYPHS_MAX = 4_000

/** The pieces of text are those that most documents write, each on its own. */
export const toFace = (harfBuzz: HarfBuzz, name: string, font: Font, common: readonly string[] = []): Face => {
  const { ascender, descender } = font.hExtents()
  const unitsPerEm = font.face.upem
  const buffer = new harfBuzz.Buffer()
  const shaped = new Map<string, ShapedText>()
  const glyphs = new Map<string, ClusterGlyph>()
  /** Never forgotten, so that each stays the one that documents share. */
  const kept = new Map<string, ClusterGlyph>()

  /** Only what is shaped in the same way is the same glyph: other marks, or the same ones elsewhere, are another. */
  const glyphFor = (text: string, { parts, advance }: Cluster): ClusterGlyph => {
    const key = `${text}\0${advance}\0${parts.map(({ id, x, y }) => `${id},${x},${y}`).join(' ')}`
    const known = kept.get(key) ?? glyphs.get(key)
    if (known) return known
    const glyph = { text, outline: outlineOf(harfBuzz, font, parts), advance }
    if (glyphs.size >= GLYPHS_MAX) glyphs.clear()
    glyphs.set(key, glyph)
    return glyph
  }

  const shapeAnew = (text: string, direction: Direction): ShapedText => {
    buffer.reset()
    buffer.addText(text)
    buffer.setDirection(direction === 'rtl' ? harfBuzz.Direction.RTL : harfBuzz.Direction.LTR)
    buffer.guessSegmentProperties()
    harfBuzz.shape(font, buffer)

    const { clusters, end } = clustersIn(buffer, font)
    if (direction === 'rtl') clusters.reverse()
    const placed = clusters.flatMap((cluster, index) => {
      const clusterText = text.slice(cluster.textStart, clusters[index + 1]?.textStart ?? text.length)
      const cells = direction === 'rtl' ? cellsOf(clusterText, cluster, unitsPerEm) : [{ text: clusterText, cluster }]
      return cells.map((cell) => ({ glyph: glyphFor(cell.text, cell.cluster), x: cell.cluster.x }))
    })
    const { bottom } = boxAround(placed.map(({ glyph }) => glyph.outline))
    return { glyphs: placed, direction, width: end / unitsPerEm, depth: -bottom / unitsPerEm }
  }

  for (const piece of common) shapeAnew(piece, 'ltr')
  for (const [key, glyph] of glyphs) kept.set(key, glyph)

  return {
    name,
    unitsPerEm,
    ascender,
    descender,
    common: [...kept.values()],
    covers: (codePoint) => font.nominalGlyph(codePoint) !== undefined,
    shape: (text, direction) => {
      const key = `${direction} ${text}`
      const known = shaped.get(key)
      if (known) return known
      const made = shapeAnew(text, direction)
      if (shaped.size >= SHAPED_MAX) shaped.clear()
      shaped.set(key, made)
      return made
    },
  }
}

interface Cluster {
  textStart: number
  x: number
  parts: PositionedGlyph[]
  advance: number
}

/** From left to right. What characters of a cluster became can only be told together. */
const clustersIn = (buffer: ShapingBuffer, font: Font): { clusters: Cluster[]; end: number } => {
  const clusters: Cluster[] = []
  const positions = buffer.getGlyphPositions()
  const kerningMax = font.face.upem / 8
  let x = 0
  for (const [index, { codepoint: id, cluster: textStart }] of buffer.getGlyphInfos().entries()) {
    const { xAdvance, xOffset, yOffset } = positions[index]!
    let cluster = clusters.at(-1)
    if (cluster?.textStart !== textStart) {
      cluster = { textStart, x, parts: [], advance: 0 }
      clusters.push(cluster)
    }
    cluster.parts.push({ id, x: x - cluster.x + xOffset, y: yOffset })
    x += xAdvance
    cluster.advance = x - cluster.x
    if (cluster.parts.length === 1) {
      // A letter that is kerned keeps its width, so that it is one glyph and not a dozen.
      const natural = font.glyphHAdvance(id)
      if (Math.abs(natural - xAdvance) < kerningMax) cluster.advance = natural
    }
  }
  return { clusters, end: x }
}

const MARK = /^[\p{M}\p{Cf}]$/u
/** In ems: they stand above or below their letter, which has the room. */
const MARK_WIDTH = 0.01

/**
 * Programs that read text from the right expect a glyph for each character, and would turn around what one glyph stands
 * for. So the first character has the whole drawing, and empty glyphs to the left of it stand for the others.
 */
const cellsOf = (text: string, cluster: Cluster, unitsPerEm: number): { text: string; cluster: Cluster }[] => {
  const characters = Array.from(text)
  if (characters.length === 1) return [{ text, cluster }]

  const markWidth = Math.round(MARK_WIDTH * unitsPerEm)
  const marks = characters.filter((character, index) => index > 0 && MARK.test(character)).length
  const letterWidth = Math.round((cluster.advance - marks * markWidth) / (characters.length - marks))
  let left = cluster.advance
  return characters.map((character, index) => {
    const advance = index > 0 && MARK.test(character) ? markWidth : letterWidth
    left -= advance
    const parts = index === 0 ? cluster.parts.map((part) => ({ ...part, x: part.x - left })) : []
    return { text: character, cluster: { ...cluster, x: cluster.x + left, parts, advance } }
  })
}
