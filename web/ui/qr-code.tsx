import { type Bitmap2D, correction, generate } from 'lean-qr'
import { useMemo } from 'react'

/** Dark squares as one path, with so much quiet around them; the same library prints them on tickets. */
const drawingOf = (bitmap: Bitmap2D, quiet: number) => {
  let path = ''
  for (let y = 0; y < bitmap.size; y += 1) {
    for (let x = 0; x < bitmap.size; x += 1) if (bitmap.get(x, y)) path += `M${x + quiet} ${y + quiet}h1v1h-1z`
  }
  return { size: bitmap.size + 2 * quiet, path }
}

const forScreens = (content: string) =>
  drawingOf(generate(content, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.Q }), 4)

/** Black on white in the light and in the dark, because cameras expect it. */
export const QrCode = ({ content, label, className }: { content: string; label: string; className?: string }) => {
  const { size, path } = useMemo(() => forScreens(content), [content])
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      className={className}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

/** For paper, beside the same code in letters. */
export const PrintedQrCode = ({ content, className }: { content: string; className?: string | undefined }) => {
  const { size, path } = useMemo(() => drawingOf(generate(content), 2), [content])
  return (
    <svg viewBox={`0 0 ${size} ${size}`} className={className} aria-hidden="true" shapeRendering="crispEdges">
      <path d={path} />
    </svg>
  )
}

/** The code as a file of its own. */
export const qrCodeFile = (content: string): Blob => {
  const { size, path } = forScreens(content)
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="1024" height="1024" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}"/></svg>`
  return new Blob([drawing], { type: 'image/svg+xml' })
}
