import type { ImageExtension } from './names.ts'

/** So many bytes tell what an image is. */
export const SNIFF_LENGTH_BYTES = 12

/**
 * The kind of raster image that the bytes themselves begin, or null. What a file says of itself does not count: markup
 * with an image's name must not be shown inside a page.
 */
export const sniffImage = (head: Buffer): ImageExtension | null => {
  const at = (offset: number, text: string) => head.toString('latin1', offset, offset + text.length) === text
  if (at(0, '\x89PNG\r\n\x1a\n')) return 'png'
  if (at(0, '\xff\xd8\xff')) return 'jpg'
  if (at(0, 'GIF87a') || at(0, 'GIF89a')) return 'gif'
  if (at(0, 'RIFF') && at(8, 'WEBP')) return 'webp'
  if (at(4, 'ftypavif') || at(4, 'ftypavis')) return 'avif'
  return null
}
