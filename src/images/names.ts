/** The kinds of picture that a browser shows inline, by the ending their files have. */
export const IMAGE_TYPES = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
} as const

export type ImageExtension = keyof typeof IMAGE_TYPES

/** Thumbnails come in these widths and no others, so that nobody can fill the disk with them. */
export const IMAGE_WIDTHS = [320, 640, 1280, 1920] as const
export type ImageWidth = (typeof IMAGE_WIDTHS)[number]

export interface ImageName {
  digest: string
  extension: ImageExtension
  /** Null: the picture as it was given. */
  width: ImageWidth | null
}

/** The last part of an address under /images. */
export const parseImageName = (name: string): ImageName | null => {
  const match = /^([0-9a-f]{64})(?:-(\d{3,4}))?\.([a-z]{3,4})$/.exec(name)
  const extension = match && findExtension(match[3]!)
  if (!extension) return null

  if (match[2] === undefined) return { digest: match[1]!, extension, width: null }
  const width = IMAGE_WIDTHS.find((each) => String(each) === match[2])
  return width && extension === 'webp' ? { digest: match[1]!, extension, width } : null
}

/** What a row remembers: `file:` and a name, or an address elsewhere. */
export const parseStoredImage = (stored: string): ImageName | null =>
  stored.startsWith('file:') ? parseImageName(stored.slice(5)) : null

/** The absolute address of a row's image at the shop, as a thumbnail where a width is named. */
export function imageUrl(origin: string, stored: string, width?: ImageWidth): string
export function imageUrl(origin: string, stored: string | null, width?: ImageWidth): string | null
export function imageUrl(origin: string, stored: string | null, width?: ImageWidth): string | null {
  if (stored === null) return null
  const name = parseStoredImage(stored)
  if (!name) return stored
  return `${origin}/images/${name.digest}${width ? `-${width}.webp` : `.${name.extension}`}`
}

/** The same in a venue file: an address elsewhere, or where the picture is in the folder that goes with the file. */
export const imagePathInVenueFile = (stored: string | null): string | null =>
  stored?.startsWith('file:') ? `images/${stored.slice(5)}` : stored

const findExtension = (text: string): ImageExtension | undefined =>
  text in IMAGE_TYPES ? (text as ImageExtension) : undefined
