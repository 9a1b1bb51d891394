import type { Sharp } from 'sharp'
import { oneByOne } from '../kernel/one-by-one.ts'
import { loadSharp } from './load-sharp.ts'
import type { ImageExtension } from './names.ts'

/** An image that is not taken; the message says why, to stand after the place it was found in. */
export class ImageRefused extends Error {}

export const IMAGE_BYTES_MAX = 20 * 1024 * 1024
const PIXELS_MAX = 60_000_000
const SIDE_MAX = 20_000
const QUALITY = 80

/** A decoded picture takes a quarter of a gigabyte at worst, so there is only ever one of them in memory. */
const inTurn = oneByOne()

const FORMATS: Record<ImageExtension, string> = { png: 'png', jpg: 'jpeg', gif: 'gif', webp: 'webp', avif: 'heif' }

const READING = { limitInputPixels: PIXELS_MAX, failOn: 'error' } as const

/** Reads every pixel once: what cannot be shown is told to whoever brings it, not to whoever looks at it. */
export const requireShowablePicture = async (bytes: Buffer, extension: ImageExtension) => {
  const sharp = await loadSharp()
  const { width, height, format } = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => refuse('is no image that can be read'))
  if (format !== FORMATS[extension]) refuse('is no image that can be read')
  if (width * height > PIXELS_MAX || Math.max(width, height) > SIDE_MAX) refuse('has too many pixels')

  await inTurn(() => sharp(bytes, READING).resize(8, 8, { fit: 'fill' }).toBuffer()).catch(() =>
    refuse('is no image that can be read'),
  )
}

const KEPT_QUALITY = 90

/** How a picture is written in the format it had. A better AVIF would take many times as long. */
const WRITING: Record<ImageExtension, (picture: Sharp) => Sharp> = {
  png: (picture) => picture.png(),
  jpg: (picture) => picture.jpeg({ quality: KEPT_QUALITY }),
  gif: (picture) => picture.gif(),
  webp: (picture) => picture.webp({ quality: KEPT_QUALITY }),
  avif: (picture) => picture.avif({ quality: KEPT_QUALITY, effort: 0 }),
}

/**
 * Everybody may fetch a picture of an event as it was brought, and phones write into theirs where they were taken. One
 * that says such things is written anew without them, turned upright, since that was said among them; any other stays to
 * the byte.
 */
export const withoutCameraData = async (bytes: Buffer, extension: ImageExtension): Promise<Buffer> => {
  const sharp = await loadSharp()
  const { exif, xmp, iptc, pages = 1 } = await sharp(bytes, READING).metadata()
  if (!exif && !xmp && !iptc) return bytes
  return inTurn(() => {
    const picture = pages > 1 ? sharp(bytes, { ...READING, animated: true }) : sharp(bytes, READING).autoOrient()
    return WRITING[extension](picture.keepIccProfile()).toBuffer()
  })
}

const refuse = (sentence: string): never => {
  throw new ImageRefused(sentence)
}

const underWay = new Map<string, Promise<Buffer | null>>()

interface Shrinking {
  read(): Promise<Buffer | null>
  width: number
  keep(small: Buffer): Promise<void>
}

/**
 * Asked for twice at once, it is made once. Turned upright, without what cameras write into their files. Null when there
 * is nothing to be read.
 */
export const shrinkPicture = (name: string, { read, width, keep }: Shrinking): Promise<Buffer | null> => {
  let making = underWay.get(name)
  if (!making) {
    making = inTurn(async () => {
      const bytes = await read()
      if (!bytes) return null
      const sharp = await loadSharp()
      const picture = sharp(bytes, READING).autoOrient().resize({ width, withoutEnlargement: true })
      const small = await picture.webp({ quality: QUALITY }).toBuffer()
      await keep(small)
      return small
    }).finally(() => underWay.delete(name))
    underWay.set(name, making)
  }
  return making
}
