import { type Bitmap2D, type GenerateOptions, type Mask, correction, generate, mode } from 'lean-qr'
import { type Lines, penaltyOf } from './qr-penalty.ts'

/** A row of dark squares, in modules from the top left. */
interface Bar {
  x: number
  y: number
  length: number
}

export interface QrCode {
  /** Modules on each side, without the quiet zone around it. */
  size: number
  bars: Bar[]
}

/** Corrects a quarter of what a crease or a scratched display hides, and still has large squares. */
const CORRECTION = { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.Q }

const ASCII = /^[\x20-\x7e]*$/
/** Beside these there are others, which take long to be looked at and never write ASCII in less. */
const ASCII_MODES = [mode.numeric, mode.alphaNumeric, mode.ascii]

const draw = (content: string, options: GenerateOptions = {}): Bitmap2D =>
  generate(content, { ...CORRECTION, ...options, ...(ASCII.test(content) && { modes: ASCII_MODES }) })

/** Up to here a row fits into a number. Codes of tickets do, those of addresses mostly do not. */
const SMALL = 31

export const qrCodeOf = (content: string): QrCode => {
  const unchosen = draw(content, { mask: 0 })
  const { size } = unchosen
  if (size > SMALL) return { size, bars: barsOf(draw(content)) }
  return { size, bars: barsOfRows(bestOf(content, unchosen).rows, size) }
}

/**
 * The same code in the pattern that disturbs scanners least. One pattern differs from another in the same modules in every
 * code of a size; so each is tried by turning those over, instead of drawing the code eight times.
 */
const bestOf = (content: string, first: Bitmap2D): Lines => {
  const lines = linesOf(first)
  let best = lines
  let least = penaltyOf(lines, first.size)
  for (const change of changesOf(content, first)) {
    const other = turnedOver(lines, change)
    const penalty = penaltyOf(other, first.size)
    if (penalty >= least) continue
    best = other
    least = penalty
  }
  return best
}

const changesBySize = new Map<number, Lines[]>()

/** From the first pattern to each of the others. */
const changesOf = (content: string, first: Bitmap2D): Lines[] => {
  const known = changesBySize.get(first.size)
  if (known) return known
  const lines = linesOf(first)
  const changes = ([1, 2, 3, 4, 5, 6, 7] satisfies Mask[]).map((mask) =>
    turnedOver(lines, linesOf(draw(content, { mask }))),
  )
  changesBySize.set(first.size, changes)
  return changes
}

const linesOf = (bitmap: Bitmap2D): Lines => {
  const { size } = bitmap
  const rows = new Int32Array(size)
  const columns = new Int32Array(size)
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      if (!bitmap.get(x, y)) continue
      rows[y]! |= 1 << x
      columns[x]! |= 1 << y
    }
  }
  return { rows, columns }
}

const turnedOver = (one: Lines, other: Lines): Lines => ({
  rows: one.rows.map((row, y) => row ^ other.rows[y]!),
  columns: one.columns.map((column, x) => column ^ other.columns[x]!),
})

const barsOf = (bitmap: Bitmap2D): Bar[] => findBars(bitmap.size, (x, y) => bitmap.get(x, y))

const barsOfRows = (rows: Int32Array, size: number): Bar[] => findBars(size, (x, y) => (rows[y]! & (1 << x)) !== 0)

const findBars = (size: number, isDark: (x: number, y: number) => boolean): Bar[] => {
  const bars: Bar[] = []
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const start = x
      while (x < size && isDark(x, y)) x += 1
      if (x > start) bars.push({ x: start, y, length: x - start })
    }
  }
  return bars
}
