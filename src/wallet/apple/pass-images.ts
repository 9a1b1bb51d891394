import { createHash } from 'node:crypto'
import type { Sharp } from 'sharp'
import { loadSharp } from '../../images/load-sharp.ts'

/** The heights Apple asks for, in points; each comes in three densities. */
const ICON = 29
const DENSITIES = [
  [1, ''],
  [2, '@2x'],
  [3, '@3x'],
] as const

const LOGO = { width: 480, height: 150 }
const THUMBNAIL = 270

/** A ticket, drawn: what a pass shows on the lock screen where there is no logo that small. */
const iconOf = (color: string, size: number) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 29 29">
  <rect width="29" height="29" rx="6" fill="${color}"/>
  <path d="M5 10.5a1 1 0 0 1 1-1h17a1 1 0 0 1 1 1v2a2 2 0 0 0 0 4v2a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-2a2 2 0 0 0 0-4z"
    fill="#fff"/>
  <path d="M18.5 9.5v10" stroke="${color}" stroke-width="1.2" stroke-dasharray="1.6 1.4"/>
</svg>`)

const made = new Map<string, Promise<Map<string, Buffer>>>()
const MADE_MAX = 200

/** Made once for a colour, a logo or a picture; the passes of an event share them. */
const once = (key: string, make: () => Promise<Map<string, Buffer>>): Promise<Map<string, Buffer>> => {
  let making = made.get(key)
  if (!making) {
    if (made.size >= MADE_MAX) made.clear()
    making = make()
    made.set(key, making)
    making.catch(() => made.delete(key))
  }
  return making
}

const png = (picture: Sharp) => picture.png({ compressionLevel: 9 }).toBuffer()

export const iconFiles = (color: string): Promise<Map<string, Buffer>> =>
  once(`icon ${color}`, async () => {
    const sharp = await loadSharp()
    const files = new Map<string, Buffer>()
    for (const [density, suffix] of DENSITIES) {
      files.set(`icon${suffix}.png`, await png(sharp(iconOf(color, ICON * density))))
    }
    return files
  })

/** The logo as the settings keep it, which is its largest size. */
export const logoFiles = (logo: Buffer): Promise<Map<string, Buffer>> =>
  once(`logo ${createHash('sha256').update(logo).digest('hex')}`, async () => {
    const sharp = await loadSharp()
    const files = new Map<string, Buffer>([['logo@3x.png', logo]])
    for (const [density, suffix] of DENSITIES.slice(0, 2)) {
      const inside = { width: (LOGO.width * density) / 3, height: (LOGO.height * density) / 3, fit: 'inside' } as const
      files.set(`logo${suffix}.png`, await png(sharp(logo).resize({ ...inside, withoutEnlargement: true })))
    }
    return files
  })

/** A picture of the event, as its row names it; null where it is kept elsewhere or gone. */
export const thumbnailFiles = (name: string, read: () => Promise<Buffer | null>): Promise<Map<string, Buffer>> =>
  once(`thumbnail ${name}`, async () => {
    const bytes = await read()
    const files = new Map<string, Buffer>()
    if (!bytes) return files
    const sharp = await loadSharp()
    for (const [density, suffix] of DENSITIES) {
      const size = (THUMBNAIL * density) / 3
      files.set(
        `thumbnail${suffix}.png`,
        await png(sharp(bytes, { limitInputPixels: 60_000_000 }).autoOrient().resize(size, size, { fit: 'cover' })),
      )
    }
    return files
  })

/** A logo of whatever size as passes show it. */
export const shrinkLogo = async (bytes: Buffer): Promise<Buffer> => {
  const sharp = await loadSharp()
  return png(
    sharp(bytes, { limitInputPixels: 60_000_000 })
      .autoOrient()
      .resize({ ...LOGO, fit: 'inside', withoutEnlargement: true }),
  )
}
