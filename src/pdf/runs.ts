import bidiFactory, { type Bidi } from 'bidi-js'
import { MISSING_GLYPH_FACE } from './box-face.ts'
import { graphemesOf } from './clusters.ts'
import type { Direction, Face, ShapedText } from './face.ts'

/** A piece of a line that one font writes in one direction. */
export interface TextRun {
  text: string
  face: Face
  shaped: ShapedText
  /** From the line's left, in ems. */
  x: number
}

// Its types speak of an ES module, and Node is given the other one.
const bidi = (bidiFactory as unknown as () => Bidi)()

const CONTROLS = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\ufeff]+/gu
/** Marks that turn the direction of everything around them, and others that are never seen. Joiners shape words. */
const UNSEEN = /(?![\u200c\u200d])[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu

/** No language piles up more upon one letter; a hundred accents would cover the lines around it. */
const CLUSTER_MAX = 16

/** More than fits on any paper of ours, in the smallest letters. */
const UNITS_MAX = 2_000

/** What people typed, fit for one line of paper. */
export const printableGraphemes = (text: string) =>
  graphemesOf(
    text.slice(0, UNITS_MAX).toWellFormed().normalize('NFC').replaceAll(UNSEEN, '').replaceAll(CONTROLS, ' ').trim(),
  )
    .map((cluster) => (cluster.length > CLUSTER_MAX ? Array.from(cluster).slice(0, CLUSTER_MAX).join('') : cluster))
    .join('')

export const directionOf = (text: string): Direction =>
  FROM_RIGHT.test(text) && (bidi.getEmbeddingLevels(text, 'auto').paragraphs[0]?.level ?? 0) % 2 === 1 ? 'rtl' : 'ltr'

/** Hebrew and everything after it that is written from the right, and Arabic digits. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
/** Latin that the first font writes without exception. */
export const PLAIN = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u017f]*$/

/** The runs of one line in the order they are read, wherever they stand. */
export const runsOf = (line: string, faces: Face[], direction: Direction): TextRun[] => {
  const [first] = faces
  if (first && PLAIN.test(line)) return place([toPlaced({ clusters: [line], face: first, script: 'other', level: 0 })])
  const { levels } = bidi.getEmbeddingLevels(line, direction)
  return place(piecesOf(line, faces, levels).map(toPlaced))
}

interface Piece {
  clusters: string[]
  face: Face
  script: Script
  level: number
}

const piecesOf = (line: string, faces: Face[], levels: Uint8Array): Piece[] => {
  const pieces: Piece[] = []
  let lettersFace: Face | null = null
  let at = 0
  for (const cluster of graphemesOf(line)) {
    const level = levels[at]!
    const last = pieces.at(-1)
    const face = faceOf(cluster, faces, lettersFace)
    if (!NEUTRAL.test(cluster)) lettersFace = face
    const script = scriptOf(cluster, last?.script ?? 'other')
    const written = writable(cluster, face)
    at += cluster.length

    const continues = last && last.face === face && last.level === level && last.script === script
    if (continues) last.clusters.push(written)
    else pieces.push({ clusters: [written], face, script, level })
  }
  return pieces
}

/** Spaces, digits and punctuation: they look right in whichever font wrote the letters before them. */
const NEUTRAL = /^[\p{Script=Common}\p{Script=Inherited}]+$/u

const faceOf = (cluster: string, faces: Face[], lettersFace: Face | null): Face => {
  const codePoints = Array.from(cluster, (character) => character.codePointAt(0)!).filter((each) => !isJoiner(each))
  const coversAll = (face: Face) => codePoints.every((codePoint) => face.covers(codePoint))
  if (lettersFace && NEUTRAL.test(cluster) && coversAll(lettersFace)) return lettersFace
  const whole = faces.find(coversAll)
  if (whole || PICTURE.test(cluster)) return whole ?? MISSING_GLYPH_FACE
  return faces.find((face) => face.covers(codePoints[0] ?? 0)) ?? MISSING_GLYPH_FACE
}

/** A joined picture is one box, however many signs it is made of. */
const PICTURE = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u

const isJoiner = (codePoint: number) => codePoint === 0x200c || codePoint === 0x200d

/** An accent that the font lacks is left out rather than shown as a fault. */
const writable = (cluster: string, face: Face) =>
  cluster.length === 1
    ? cluster
    : Array.from(cluster)
        .filter((character) => isJoiner(character.codePointAt(0)!) || face.covers(character.codePointAt(0)!))
        .join('')

/** Scripts that share a font and yet are shaped by different rules. */
type Script = 'devanagari' | 'other'

const scriptOf = (cluster: string, last: Script): Script => {
  if (NEUTRAL.test(cluster)) return last
  return /\p{Script=Devanagari}/u.test(cluster) ? 'devanagari' : 'other'
}

interface Placed {
  level: number
  run: TextRun
}

const toPlaced = ({ clusters, face, level }: Piece): Placed => {
  const text = clusters.join('')
  return { level, run: { text, face, shaped: face.shape(text, level % 2 === 1 ? 'rtl' : 'ltr'), x: 0 } }
}

const place = (placed: Placed[]): TextRun[] => {
  let x = 0
  for (const { run } of inVisualOrder(placed)) {
    run.x = x
    x += run.shaped.width
  }
  return placed.map(({ run }) => run)
}

/** From the highest level down, each stretch at or above it is turned around. */
const inVisualOrder = (placed: Placed[]): Placed[] => {
  const ordered = [...placed]
  const levels = placed.map(({ level }) => level)
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
