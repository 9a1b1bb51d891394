import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { IMAGE_TYPES, type ImageExtension, type ImageName } from '../images/names.ts'
import {
  IMAGE_BYTES_MAX,
  ImageRefused,
  requireShowablePicture,
  shrinkPicture,
  withoutCameraData,
} from '../images/picture.ts'
import { sniffImage } from '../images/sniff.ts'
import type { ContentAddressedFiles, StoredFile } from './storage.ts'

/** A picture that is ready to be sent. */
export interface StoredImage extends StoredFile {
  type: string
}

/**
 * Keeps an image under the digest of its bytes, and says what a row remembers of it. Throws ImageRefused, with a
 * sentence, when it is none that a browser should be shown.
 */
export const storeImage = async (images: ContentAddressedFiles, brought: Buffer): Promise<string> => {
  if (brought.length > IMAGE_BYTES_MAX) throw new ImageRefused('is larger than 20 MB')
  const extension = sniffImage(brought)
  if (!extension) throw new ImageRefused('is no PNG, JPEG, GIF, WebP or AVIF image')
  await requireShowablePicture(brought, extension)
  const bytes = await withoutCameraData(brought, extension)

  const name = `${createHash('sha256').update(bytes).digest('hex')}.${extension}`
  if (!(await images.has(name))) await images.write(name, bytes)
  return `file:${name}`
}

/** An image by its name, or its thumbnail, which is made when it is first asked for and kept. */
export const readImageOrThumbnail = async (
  images: ContentAddressedFiles,
  name: ImageName,
): Promise<StoredImage | null> => {
  if (name.width === null) return findStored(images, `${name.digest}.${name.extension}`, name.extension)

  const thumbnail = `${name.digest}-${name.width}.webp`
  return (await findStored(images, thumbnail, 'webp')) ?? makeThumbnail(images, name.digest, name.width, thumbnail)
}

const findStored = async (
  images: ContentAddressedFiles,
  name: string,
  extension: ImageExtension,
): Promise<StoredImage | null> => {
  const stored = await images.read(name)
  return stored && { ...stored, type: IMAGE_TYPES[extension] }
}

const makeThumbnail = async (images: ContentAddressedFiles, digest: string, width: number, name: string) => {
  const original = await findOriginal(images, digest)
  if (!original) return null
  const small = await shrinkPicture(name, {
    read: () => readWhole(images, original),
    width,
    keep: (bytes) => images.write(name, bytes),
  })
  return small && { bytes: Readable.from(small, { objectMode: false }), size: small.length, type: IMAGE_TYPES.webp }
}

const findOriginal = async (images: ContentAddressedFiles, digest: string): Promise<string | null> => {
  for (const extension of Object.keys(IMAGE_TYPES)) {
    if (await images.has(`${digest}.${extension}`)) return `${digest}.${extension}`
  }
  return null
}

const readWhole = async (images: ContentAddressedFiles, name: string): Promise<Buffer | null> => {
  const stored = await images.read(name)
  return stored && Buffer.concat(await stored.bytes.toArray())
}
