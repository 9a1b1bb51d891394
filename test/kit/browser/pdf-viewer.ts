import jsQR from 'jsqr'
import * as mupdf from 'mupdf'

/** A page as a viewer shows it, and as it hands its text to whoever copies it. */
export interface ViewedPage {
  /** Line by line. */
  text: string
  /** In the order they are read, with their distance from the left. */
  letters: { letter: string; x: number }[]
  picture(dotsPerPoint: number): Picture
}

interface Picture {
  width: number
  height: number
  /** Red, green, blue and opacity of each dot. */
  dots: Uint8ClampedArray
}

export const viewPdf = (file: Buffer): ViewedPage[] => {
  const document = mupdf.Document.openDocument(file, 'application/pdf')
  return Array.from({ length: document.countPages() }, (_each, index) => viewPage(document.loadPage(index)))
}

const viewPage = (page: mupdf.Page): ViewedPage => {
  const structured = page.toStructuredText('preserve-whitespace')
  const letters: ViewedPage['letters'] = []
  structured.walk({
    onChar: (letter, [x]) => {
      letters.push({ letter, x })
    },
  })
  return { text: structured.asText(), letters, picture: (dotsPerPoint) => takePicture(page, dotsPerPoint) }
}

const takePicture = (page: mupdf.Page, dotsPerPoint: number): Picture => {
  const pixmap = page.toPixmap(mupdf.Matrix.scale(dotsPerPoint, dotsPerPoint), mupdf.ColorSpace.DeviceRGB, true)
  const dots = pixmap.getPixels().slice()
  for (let at = 0; at < dots.length; at += 4) {
    const white = 255 - dots[at + 3]!
    for (let channel = 0; channel < 4; channel += 1) dots[at + channel]! += white
  }
  return { width: pixmap.getWidth(), height: pixmap.getHeight(), dots }
}

export const scanQrCode = (page: ViewedPage) => {
  const { dots, width, height } = page.picture(2)
  // The package is CommonJS whose types speak of an ES module.
  return (jsQR as unknown as typeof jsQR.default)(dots, width, height)?.data
}

const DARK_BELOW = 170
const FRAME_MAX = 0.2
const SIDE_MIN = 8

/** Hollow rectangles, as fonts and Foyer draw them in place of what they cannot write, above a height in points. */
export const countMissingGlyphShapes = (page: ViewedPage, above: number): number => {
  const dotsPerPoint = 3
  const { width, dots } = page.picture(dotsPerPoint)
  const height = Math.floor(above * dotsPerPoint)
  const isDark = (x: number, y: number) => dots[4 * (y * width + x) + 1]! < DARK_BELOW
  const seen = new Uint8Array(width * height)
  let count = 0
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (seen[y * width + x] || !isDark(x, y)) continue
      if (isHollowRectangle(shapeAt(x, y, width, height, isDark, seen), isDark)) count += 1
    }
  }
  return count
}

interface Bounds {
  left: number
  top: number
  right: number
  bottom: number
}

type IsDark = (x: number, y: number) => boolean

/** All that hangs together with a dot. */
const shapeAt = (x: number, y: number, width: number, height: number, isDark: IsDark, seen: Uint8Array): Bounds => {
  const bounds = { left: x, right: x, top: y, bottom: y }
  const open = [[x, y]]
  seen[y * width + x] = 1
  for (let next = open.pop(); next; next = open.pop()) {
    const [atX = 0, atY = 0] = next
    bounds.left = Math.min(bounds.left, atX)
    bounds.right = Math.max(bounds.right, atX)
    bounds.top = Math.min(bounds.top, atY)
    bounds.bottom = Math.max(bounds.bottom, atY)
    for (const [nearX, nearY] of [
      [atX - 1, atY],
      [atX + 1, atY],
      [atX, atY - 1],
      [atX, atY + 1],
    ] as const) {
      const isInside = nearX >= 0 && nearY >= 0 && nearX < width && nearY < height
      if (!isInside || seen[nearY * width + nearX] || !isDark(nearX, nearY)) continue
      seen[nearY * width + nearX] = 1
      open.push([nearX, nearY])
    }
  }
  return bounds
}

/** Four straight sides, and nothing within. */
const isHollowRectangle = ({ left, top, right, bottom }: Bounds, isDark: IsDark): boolean => {
  const [across, down] = [right - left + 1, bottom - top + 1]
  if (Math.min(across, down) < SIDE_MIN) return false
  const columns = Array.from({ length: across }, (_each, index) => left + index)
  const rows = Array.from({ length: down }, (_each, index) => top + index)
  // The outermost dots are half covered, and may be too pale.
  const hasSides =
    columns.every((x) => isDark(x, top) || isDark(x, top + 1)) &&
    columns.every((x) => isDark(x, bottom) || isDark(x, bottom - 1)) &&
    rows.every((y) => isDark(left, y) || isDark(left + 1, y)) &&
    rows.every((y) => isDark(right, y) || isDark(right - 1, y))
  if (!hasSides) return false
  const frame = Math.ceil(FRAME_MAX * Math.min(across, down))
  return rows.slice(frame, -frame).every((y) => columns.slice(frame, -frame).every((x) => !isDark(x, y)))
}
