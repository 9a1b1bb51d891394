import type { Path } from 'fontkit'

interface Point {
  x: number
  y: number
  onCurve: boolean
}

const HEADER_BYTES = 10
const COORDINATE_BYTES = 2

/**
 * An outline as a simple glyph of TrueType's glyf table. Plain on purpose: every point has its own flag and both
 * coordinates whole, as the document compresses its fonts anyway.
 */
export const encodeOutline = (path: Path): Uint8Array => {
  const { points, ends } = pointsOf(path)
  if (points.length === 0) return new Uint8Array(0)

  const xs = points.map(({ x }) => x)
  const ys = points.map(({ y }) => y)
  const length = HEADER_BYTES + 2 * ends.length + 2 + points.length * (1 + 2 * COORDINATE_BYTES)
  const view = new DataView(new ArrayBuffer(Math.ceil(length / 4) * 4))
  let at = 0
  const write16 = (value: number) => {
    view.setInt16(at, value)
    at += 2
  }

  const noInstructions = 0
  for (const value of [ends.length, Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]) write16(value)
  for (const value of [...ends, noInstructions]) write16(value)
  for (const { onCurve } of points) view.setUint8(at++, onCurve ? 1 : 0)
  for (const coordinates of [xs, ys]) {
    for (const [index, value] of coordinates.entries()) write16(value - (coordinates[index - 1] ?? 0))
  }
  return new Uint8Array(view.buffer)
}

const pointsOf = (path: Path) => {
  const points: Point[] = []
  const ends: number[] = []
  const add = (x: number, y: number, onCurve: boolean) => points.push({ x: Math.round(x), y: Math.round(y), onCurve })

  for (const { command, args } of path.commands) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = args
    if (command === 'moveTo' || command === 'lineTo') add(x1, y1, true)
    else if (command === 'quadraticCurveTo') {
      add(x1, y1, false)
      add(x2, y2, true)
    } else if (command === 'closePath') ends.push(points.length - 1)
    else throw new Error(`A TrueType outline has no ${command}`)
  }
  return { points, ends }
}
