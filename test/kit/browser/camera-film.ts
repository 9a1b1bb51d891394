import { writeFile } from 'node:fs/promises'
import { generate } from 'lean-qr'

export interface Scene {
  /** Nothing but grey where there is none. */
  code?: string
  frames: number
  isInverted?: boolean
  /** How much of its width and height is covered, from its lower right corner. */
  damage?: number
}

const WIDTH = 480
const HEIGHT = 360
const MODULE = 8

/** A film for the camera of a browser: codes on a wall, one after the other, over and over. */
export const writeFilm = async (file: string, scenes: readonly Scene[], framesASecond = 8): Promise<void> => {
  const parts: Buffer[] = [Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F${framesASecond}:1 Ip A1:1 C420jpeg\n`)]
  const colourless = Buffer.alloc((WIDTH * HEIGHT) / 2, 128)
  for (const scene of scenes) {
    for (let n = 0; n < scene.frames; n++) parts.push(Buffer.from('FRAME\n'), drawScene(scene, n), colourless)
  }
  await writeFile(file, Buffer.concat(parts))
}

const drawScene = ({ code, isInverted = false, damage = 0 }: Scene, frame: number): Buffer => {
  const picture = Buffer.alloc(WIDTH * HEIGHT, 110)
  if (code === undefined) return picture
  const qr = generate(code)
  const [left, top] = [60 + (frame % 3), 30 + (frame % 2)]
  const quiet = 3
  const covered = Math.floor(qr.size * (1 - damage))
  for (let y = -quiet; y < qr.size + quiet; y++) {
    for (let x = -quiet; x < qr.size + quiet; x++) {
      const isCovered = Math.min(x, y) >= covered && Math.max(x, y) < qr.size
      const isDark = isCovered || qr.get(x, y) !== isInverted
      fill(picture, left + (x + quiet) * MODULE, top + (y + quiet) * MODULE, isDark ? 20 : 235)
    }
  }
  return picture
}

const fill = (picture: Buffer, left: number, top: number, grey: number) => {
  for (let y = top; y < Math.min(top + MODULE, HEIGHT); y++)
    picture.fill(grey, y * WIDTH + left, y * WIDTH + left + MODULE)
}
