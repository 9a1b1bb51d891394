import { correction, generate } from 'lean-qr'

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
export const qrCodeOf = (content: string): QrCode => {
  const bitmap = generate(content, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.Q })
  const bars: Bar[] = []
  for (let y = 0; y < bitmap.size; y += 1) {
    for (let x = 0; x < bitmap.size; x += 1) {
      const start = x
      while (x < bitmap.size && bitmap.get(x, y)) x += 1
      if (x > start) bars.push({ x: start, y, length: x - start })
    }
  }
  return { size: bitmap.size, bars }
}
