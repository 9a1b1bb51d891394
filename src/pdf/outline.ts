import type { DrawFuncs, Font } from 'harfbuzzjs'
import type { HarfBuzz } from './shaper.ts'

/** A glyph of the font, where it stands within its cluster. */
export interface PositionedGlyph {
  id: number
  x: number
  y: number
}

/** A simple glyph of TrueType's glyf table. */
export interface Outline {
  bytes: Buffer
  pointCount: number
  contourCount: number
  box: Box
}

/** What is drawn lies within it, in the font's units. */
export interface Box {
  left: number
  bottom: number
  right: number
  top: number
}

interface Point {
  x: number
  y: number
  onCurve: boolean
}

interface Pen {
  x: number
  y: number
  contours: Point[][]
  pointCount: number
}

export const EMPTY_OUTLINE: Outline = {
  bytes: Buffer.alloc(0),
  pointCount: 0,
  contourCount: 0,
  box: { left: 0, bottom: 0, right: 0, top: 0 },
}

/** What a table can hold, which only text made to do harm exceeds: a thousand marks upon a letter. */
const POINTS_MAX = 16_000
const FARTHEST = 16_000

/** The glyphs of a cluster drawn where they stand, as one. */
export const outlineOf = (harfBuzz: HarfBuzz, font: Font, parts: PositionedGlyph[]): Outline => {
  const pen: Pen = { x: 0, y: 0, contours: [], pointCount: 0 }
  for (const { id, x, y } of parts) {
    Object.assign(pen, { x, y })
    if (pen.pointCount < POINTS_MAX) font.drawGlyph(id, penFuncs(harfBuzz), pen)
  }
  return encodeOutline(pen.contours.map(withoutSpare).filter(({ length }) => length > 0))
}

let funcs: DrawFuncs | null = null

const penFuncs = (harfBuzz: HarfBuzz): DrawFuncs => {
  if (funcs) return funcs
  funcs = new harfBuzz.DrawFuncs()
  funcs.setMoveToFunc((x, y, data) => {
    const pen = data as Pen
    pen.contours.push([])
    addPoint(pen, x, y, true)
  })
  funcs.setLineToFunc((x, y, data) => addPoint(data as Pen, x, y, true))
  funcs.setQuadraticToFunc((controlX, controlY, x, y, data) => {
    addPoint(data as Pen, controlX, controlY, false)
    addPoint(data as Pen, x, y, true)
  })
  return funcs
}

const addPoint = (pen: Pen, x: number, y: number, onCurve: boolean) => {
  pen.contours.at(-1)!.push({ x: within(x + pen.x), y: within(y + pen.y), onCurve })
  pen.pointCount += 1
}

const within = (value: number) => Math.round(Math.max(-FARTHEST, Math.min(value, FARTHEST)))

/** A pen comes back to where it began, and goes through the points in the middle of two others: TrueType implies both. */
const withoutSpare = (contour: Point[]): Point[] => {
  const [first] = contour
  const last = contour.at(-1)
  const isClosed = contour.length > 1 && last!.onCurve && last!.x === first!.x && last!.y === first!.y
  const points = isClosed ? contour.slice(0, -1) : contour
  return points.filter((point, index) => {
    const before = points.at(index - 1)!
    const after = points[(index + 1) % points.length]!
    const isImplied =
      point.onCurve &&
      !before.onCurve &&
      !after.onCurve &&
      2 * point.x === before.x + after.x &&
      2 * point.y === before.y + after.y
    return !isImplied
  })
}

const HEADER_BYTES = 10
const POINT_BYTES_MAX = 5

const ON_CURVE = 0x01
/** For each of the two coordinates: one byte, whose sign is told by the second flag; or, with that flag alone, none. */
const FLAGS = { x: { isByte: 0x02, isSame: 0x10 }, y: { isByte: 0x04, isSame: 0x20 } }

export const encodeOutline = (contours: Point[][]): Outline => {
  const points = contours.flat()
  if (points.length === 0) return EMPTY_OUTLINE

  const xs = Int16Array.from(points, ({ x }) => x)
  const ys = Int16Array.from(points, ({ y }) => y)
  const box = { left: xs.reduce(least), bottom: ys.reduce(least), right: xs.reduce(most), top: ys.reduce(most) }
  const bytes = Buffer.alloc(HEADER_BYTES + 2 * contours.length + 2 + points.length * POINT_BYTES_MAX)
  let at = 0
  const write16 = (value: number) => {
    at = bytes.writeInt16BE(value, at)
  }

  for (const value of [contours.length, box.left, box.bottom, box.right, box.top]) write16(value)
  let end = -1
  for (const { length } of contours) write16((end += length))
  const noInstructions = 0
  write16(noInstructions)

  const flagsAt = at
  at += points.length
  for (const [index, { onCurve }] of points.entries()) bytes[flagsAt + index] = onCurve ? ON_CURVE : 0
  for (const [values, { isByte, isSame }] of [
    [xs, FLAGS.x],
    [ys, FLAGS.y],
  ] as const) {
    for (const [index, value] of values.entries()) {
      const step = value - (values[index - 1] ?? 0)
      if (step === 0) bytes[flagsAt + index]! |= isSame
      else if (Math.abs(step) > 255) write16(step)
      else {
        bytes[flagsAt + index]! |= step > 0 ? isByte | isSame : isByte
        at = bytes.writeUInt8(Math.abs(step), at)
      }
    }
  }
  return { bytes: Buffer.from(bytes.subarray(0, at)), pointCount: points.length, contourCount: contours.length, box }
}

/** Around all of them. */
export const boxAround = (outlines: Outline[]): Box => ({
  left: outlines.reduce((bound, { box }) => Math.min(bound, box.left), 0),
  bottom: outlines.reduce((bound, { box }) => Math.min(bound, box.bottom), 0),
  right: outlines.reduce((bound, { box }) => Math.max(bound, box.right), 0),
  top: outlines.reduce((bound, { box }) => Math.max(bound, box.top), 0),
})

const least = (one: number, other: number) => Math.min(one, other)
const most = (one: number, other: number) => Math.max(one, other)
