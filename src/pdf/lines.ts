import type { Face, Weight } from './face.ts'
import { loadFacesFor } from './faces.ts'
import { graphemesOf } from './clusters.ts'
import { directionOf, type TextRun, runsOf, printableGraphemes } from './runs.ts'

interface Line {
  /** In the order they are read. */
  runs: TextRun[]
  /** In ems. */
  width: number
  /** How far it reaches below its baseline, in ems. */
  depth: number
}

/** Text set in lines that fit. */
export interface LaidOutText {
  lines: Line[]
  size: number
}

export interface TextBox {
  weight: Weight
  /** In points: as large as possible, and never smaller than this. */
  size: number
  sizeMin: number
  width: number
  linesMax: number
}

const SIZE_STEP = 0.5
const ELLIPSIS = '…'

const REMEMBERED_MAX = 500

/** A party's tickets share most of their texts, and so do all tickets of an event. */
const remembered = new WeakMap<TextBox, Map<string, LaidOutText>>()

/** As large as it fits; when even the smallest size is too large, the end is left out and marked. */
export const layOutText = async (typed: string, fit: TextBox): Promise<LaidOutText> => {
  const known = remembered.get(fit) ?? new Map<string, LaidOutText>()
  remembered.set(fit, known)
  const before = known.get(typed)
  if (before) return before

  const set = await setAnew(printableGraphemes(typed), fit)
  if (known.size >= REMEMBERED_MAX) known.clear()
  known.set(typed, set)
  return set
}

const setAnew = async (text: string, fit: TextBox): Promise<LaidOutText> => {
  const faces = await loadFacesFor(text, fit.weight)
  const direction = directionOf(text)
  const measure = (line: string): Line => {
    const runs = runsOf(line.trim(), faces, direction)
    return {
      runs,
      width: widthOf(runs),
      depth: runs.reduce((most, { shaped }) => Math.max(most, shaped.depth), 0),
    }
  }

  const whole = measure(text)
  if (whole.width * fit.size <= fit.width) return { lines: [whole], size: fit.size }

  const words = wordsOf(text).map((word) => ({ word, width: widthOf(runsOf(word, faces, 'ltr')) }))
  for (let size = fit.size; size >= fit.sizeMin; size -= SIZE_STEP) {
    const lines = fillLines(words, fit.width / size, fit.linesMax).map(measure)
    if (lines.length <= fit.linesMax && lines.every(({ width }) => width * size <= fit.width)) return { lines, size }
  }
  return { lines: shorten(text, faces, fit).map(measure), size: fit.sizeMin }
}

const widthOf = (runs: TextRun[]) => runs.reduce((sum, { shaped }) => sum + shaped.width, 0)

const IDEOGRAPH = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const SPACELESS = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Among them those of Tibetan and Ethiopic, which are no spaces. */
const WORD_ENDS = new Set([' ', '-', '\u0f0b', '\u1361'])
const thaiWords = new Intl.Segmenter('th', { granularity: 'word' })

/** Pieces that a line may end after, each with its space. Ideographs stand for themselves. */
const wordsOf = (text: string): string[] => {
  if (SPACELESS.test(text)) return Array.from(thaiWords.segment(text), ({ segment }) => segment)
  const words: string[] = []
  let endsWord = true
  for (const cluster of graphemesOf(text)) {
    const isIdeograph = IDEOGRAPH.test(cluster)
    if (endsWord || isIdeograph) words.push(cluster)
    else words[words.length - 1] += cluster
    endsWord = isIdeograph || WORD_ENDS.has(cluster)
  }
  return words
}

interface Word {
  word: string
  width: number
}

/** A word that is wider than a line is not broken here: a smaller size may hold it. One line too many tells enough. */
const fillLines = (words: Word[], width: number, linesMax: number): string[] => {
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const { word, width: wordWidth } of words) {
    if (line !== '' && used + wordWidth > width) {
      lines.push(line)
      if (lines.length > linesMax) return lines
      line = ''
      used = 0
    }
    line += word
    used += wordWidth
  }
  return [...lines, line]
}

/** Breaks wherever the line is full, also within a word. */
const shorten = (text: string, faces: Face[], fit: TextBox): string[] => {
  const width = fit.width / fit.sizeMin
  const lines: string[] = []
  let rest = graphemesOf(text)
  while (rest.length > 0 && lines.length < fit.linesMax) {
    const isLast = lines.length === fit.linesMax - 1
    const count = fittingCount(rest, faces, width, isLast ? ELLIPSIS : '')
    const isCut = isLast && count < rest.length
    lines.push(rest.slice(0, count).join('').trimEnd() + (isCut ? ELLIPSIS : ''))
    rest = rest.slice(count)
  }
  return lines
}

/** How many letters fit, found by halving: shaping makes the width of a text more than a sum. */
const fittingCount = (clusters: string[], faces: Face[], width: number, ending: string): number => {
  const fits = (count: number) => {
    const isWhole = count === clusters.length
    const text = clusters.slice(0, count).join('') + (isWhole ? '' : ending)
    return widthOf(runsOf(text, faces, 'ltr')) <= width
  }
  if (fits(clusters.length)) return clusters.length
  let [least, most] = [1, clusters.length]
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2)
    if (fits(middle)) least = middle
    else most = middle
  }
  return least
}
