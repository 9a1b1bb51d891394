import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { IMAGE_TYPES, type ImageName } from './names.ts'
import { makeDataFolder } from '../kernel/data-folder.ts'
import { IMAGE_BYTES_MAX, ImageRefused, checkPicture, shrink } from './picture.ts'
import { sniffImage } from './sniff.ts'

/** A file that is ready to be sent. */
export interface StoredImage {
  file: string
  type: string
  size: number
}

const folderOf = (dataFolder: string) => path.join(dataFolder, 'images')

/**
 * Keeps an image under the digest of its bytes, and says what a row remembers of it. Throws ImageRefused, with a
 * sentence, when it is none that a browser should be shown.
 */
export const storeImage = async (dataFolder: string, bytes: Buffer): Promise<string> => {
  if (bytes.length > IMAGE_BYTES_MAX) throw new ImageRefused('is larger than 20 MB')
  const extension = sniffImage(bytes)
  if (!extension) throw new ImageRefused('is no PNG, JPEG, GIF, WebP or AVIF image')
  await checkPicture(bytes, extension)

  const name = `${createHash('sha256').update(bytes).digest('hex')}.${extension}`
  const folder = folderOf(dataFolder)
  makeDataFolder(dataFolder)
  await mkdir(folder, { recursive: true })
  if (!(await isThere(path.join(folder, name)))) await writeWhole(path.join(folder, name), bytes)
  return `file:${name}`
}

/** An image by its name, or its thumbnail, which is made when it is first asked for and kept. */
export const findImage = async (dataFolder: string, name: ImageName): Promise<StoredImage | null> => {
  const folder = folderOf(dataFolder)
  if (name.width === null) return describe(path.join(folder, `${name.digest}.${name.extension}`), name.extension)

  const thumbnail = path.join(folder, `${name.digest}-${name.width}.webp`)
  return (await describe(thumbnail, 'webp')) ?? makeThumbnail(folder, name.digest, name.width, thumbnail)
}

const makeThumbnail = async (folder: string, digest: string, width: number, target: string) => {
  for (const extension of Object.keys(IMAGE_TYPES)) {
    const original = path.join(folder, `${digest}.${extension}`)
    if (!(await isThere(original))) continue
    await shrink(original, width, (bytes) => writeWhole(target, bytes), target)
    return describe(target, 'webp')
  }
  return null
}

const describe = async (file: string, extension: keyof typeof IMAGE_TYPES): Promise<StoredImage | null> => {
  const found = await stat(file).catch(unlessMissing)
  return found?.isFile() ? { file, type: IMAGE_TYPES[extension], size: found.size } : null
}

const isThere = async (file: string) => (await stat(file).catch(unlessMissing)) !== null

const unlessMissing = (error: NodeJS.ErrnoException) => {
  if (error.code === 'ENOENT') return null
  throw error
}

/** Under another name first: nobody ever sees half a file, and a crash leaves none. */
const writeWhole = async (target: string, bytes: Buffer) => {
  const draft = `${target}.${randomUUID()}`
  try {
    await writeFile(draft, bytes, { flag: 'wx', flush: true })
    await rename(draft, target)
    const folder = await open(path.dirname(target), 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  } finally {
    await rm(draft, { force: true })
  }
}
