import bidiFactory, { type Bidi } from 'bidi-js'
import type { Face } from './face.ts'

/** A piece of a line that one font writes in one direction; without a font it is drawn as a box. */
export interface Run {
  text: string
  face: Face | null
  /** In ems. */
  width: number
}

export type Direction = 'ltr' | 'rtl'

// Its types speak of an ES module, and Node is given the other one.
const bidi = (bidiFactory as unknown as () => Bidi)()
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

export const BOX_WIDTH = 0.7

const CONTROLS = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\ufeff]+/gu
/** Marks that turn the direction of everything around them, and others that are never seen. Joiners shape words. */
const UNSEEN = /(?![\u200c\u200d])[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu

/** What people typed, fit for one line of paper. */
export const tidyText = (text: string) =>
  text.toWellFormed().normalize('NFC').replaceAll(UNSEEN, '').replaceAll(CONTROLS, ' ').trim()

/** What a reader takes for one letter. */
export const clustersOf = (text: string): string[] =>
  /^[\x20-\x7e]*$/.test(text) ? Array.from(text) : Array.from(graphemes.segment(text), ({ segment }) => segment)

export const directionOf = (text: string): Direction =>
  FROM_RIGHT.test(text) && (bidi.getEmbeddingLevels(text, 'auto').paragraphs[0]?.level ?? 0) % 2 === 1 ? 'rtl' : 'ltr'

/** Hebrew and everything after it that is written from the right, and Arabic digits. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
/** Latin that the first font writes without exception. */
const PLAIN = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u017f]*$/

/** The runs of one line from left to right. */
export const runsOf = (line: string, faces: Face[], direction: Direction): Run[] => {
  const [first] = faces
  if (first && PLAIN.test(line)) return [{ text: line, face: first, width: first.widthOf(line) }]
  const { levels } = bidi.getEmbeddingLevels(line, direction)
  const mirrored = bidi.getMirroredCharactersMap(line, levels)
  return inVisualOrder(piecesOf(line, faces, levels, mirrored)).map(toRun)
}

interface Piece {
  clusters: string[]
  face: Face | null
  script: Script
  level: number
}

const piecesOf = (line: string, faces: Face[], levels: Uint8Array, mirrored: Map<number, string>): Piece[] => {
  const pieces: Piece[] = []
  let at = 0
  for (const cluster of clustersOf(line)) {
    const level = levels[at]!
    const last = pieces.at(-1)
    const seen = cluster.length === 1 ? (mirrored.get(at) ?? cluster) : cluster
    const face = faceOf(seen, faces, last?.face ?? null)
    const script = scriptOf(seen, last?.script ?? 'other')
    const written = face ? writable(seen, face) : seen
    at += cluster.length

    const continues = last && last.face === face && last.level === level && last.script === script
    if (continues) last.clusters.push(written)
    else pieces.push({ clusters: [written], face, script, level })
  }
  return pieces
}

/** Spaces, digits and punctuation: they look right in whichever font is being used. */
const NEUTRAL = /^[\p{Script=Common}\p{Script=Inherited}]+$/u

const faceOf = (cluster: string, faces: Face[], last: Face | null): Face | null => {
  const codePoints = Array.from(cluster, (character) => character.codePointAt(0)!).filter((each) => !isJoiner(each))
  const coversAll = (face: Face) => codePoints.every((codePoint) => face.covers(codePoint))
  if (last && NEUTRAL.test(cluster) && coversAll(last)) return last
  const whole = faces.find(coversAll)
  if (whole || PICTURE.test(cluster)) return whole ?? null
  return faces.find((face) => face.covers(codePoints[0] ?? 0)) ?? null
}

/** A joined picture is one box, however many signs it is made of. */
const PICTURE = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u

const isJoiner = (codePoint: number) => codePoint === 0x200c || codePoint === 0x200d

/** An accent that the font lacks is left out rather than shown as a fault. */
const writable = (cluster: string, face: Face) =>
  cluster.length === 1
    ? cluster
    : Array.from(cluster)
        .filter((character) => face.covers(character.codePointAt(0)!))
        .join('')

/** Scripts that share a font and yet are shaped by different rules. */
type Script = 'devanagari' | 'other'

const scriptOf = (cluster: string, last: Script): Script => {
  if (NEUTRAL.test(cluster)) return last
  return /\p{Script=Devanagari}/u.test(cluster) ? 'devanagari' : 'other'
}

/** From the highest level down, each stretch at or above it is turned around. */
const inVisualOrder = (pieces: Piece[]): Piece[] => {
  const ordered = [...pieces]
  const levels = pieces.map(({ level }) => level)
  for (let level = Math.max(0, ...levels); level > 0; level -= 1) {
    for (let start = 0; start < ordered.length; start += 1) {
      let end = start
      while (end < ordered.length && ordered[end]!.level >= level) end += 1
      if (end > start) ordered.splice(start, end - start, ...ordered.slice(start, end).toReversed())
      start = end
    }
  }
  return ordered
}

const HAS_LETTERS = /\p{L}/u

const toRun = ({ clusters, face, level }: Piece): Run => {
  if (!face) return { text: clusters.join(''), face, width: BOX_WIDTH * clusters.length }
  // The font turns words around by their letters; what has none is turned here.
  const isTurned = level % 2 === 1 && !HAS_LETTERS.test(clusters.join(''))
  const text = (isTurned ? clusters.toReversed() : clusters).join('')
  return { text, face, width: face.widthOf(text) }
}
