import { readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { storeImage } from '../files/event-images.ts'
import { storageOf } from '../files/open-storage.ts'
import { StorageUnavailable } from '../files/storage.ts'
import { IMAGE_BYTES_MAX, ImageRefused } from '../images/picture.ts'
import { type JsonPath, fileFaultAt, quoteShortened } from '../loading/fault.ts'
import type { LoadContext } from '../loading/section.ts'
import { lockImagesForUse } from './images/records.ts'

/** What a row remembers of an image of the file: an address elsewhere, or a picture from beside the file, kept. */
export const storeImageOfVenueFile = async (
  { app, tx, folder }: LoadContext,
  given: string | null,
  place: JsonPath,
): Promise<string | null> => {
  if (given === null || given.startsWith('https:')) return given
  if (folder === null) throw fileFaultAt(place, 'is a path, and there is no folder that it could begin in')

  const bytes = await readImage(await realpath(folder), given, place)
  try {
    await lockImagesForUse(tx)
    return await storeImage(storageOf(app).images, bytes)
  } catch (error) {
    if (error instanceof ImageRefused) throw fileFaultAt(place, error.message)
    if (error instanceof StorageUnavailable) throw fileFaultAt(place, 'could not be stored; try again later')
    throw error
  }
}

export const storeImagesOfVenueFile = async (
  context: LoadContext,
  given: readonly string[],
  place: JsonPath,
): Promise<string[]> => {
  const kept = []
  for (const [n, image] of given.entries()) kept.push((await storeImageOfVenueFile(context, image, [...place, n]))!)
  return kept
}

/** Where the path leads in the end counts, links and all: a venue file reaches nothing outside of its own folder. */
const readImage = async (folder: string, given: string, place: JsonPath): Promise<Buffer> => {
  const missing = fileFaultAt(place, `there is no file ${quoteShortened(given)} beside the venue file`)
  try {
    const file = await realpath(path.resolve(folder, given))
    if (path.isAbsolute(given) || !file.startsWith(folder + path.sep)) throw missing
    const { size } = await stat(file)
    if (size > IMAGE_BYTES_MAX) throw fileFaultAt(place, 'is larger than 20 MB')
    return await readFile(file)
  } catch (error) {
    throw ['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG'].includes(
      (error as NodeJS.ErrnoException).code ?? '',
    )
      ? missing
      : error
  }
}
