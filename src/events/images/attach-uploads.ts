import type { CallerScope, Tx } from '../../access/scopes.ts'
import { looksLikeSignedId } from '../../definitions/kinds.ts'
import { storeImage } from '../../files/event-images.ts'
import { storageOf } from '../../files/open-storage.ts'
import { consumeUploadedBytes } from '../../files/public-images.ts'
import { ImageRefused } from '../../images/picture.ts'
import { INVALID_MESSAGE } from '../../kernel/messages.ts'
import { type ErrorMap, Invalid } from '../../kernel/refusals.ts'
import { lockImagesForUse } from './records.ts'

interface Pictured {
  image?: string | null
  background_image?: string | null
  gallery_images?: string[]
  performers?: { image: string | null }[]
}

/**
 * The same, with what rows remember of pictures in place of the signed IDs of direct uploads; an upload is used up with
 * it. It takes its time with large pictures, so it comes before anything is locked that others wait for.
 */
export const storeUploadedImages = async <Thing extends Pictured>(
  account: CallerScope,
  tx: Tx,
  thing: Thing,
): Promise<Thing> => {
  const errors: ErrorMap = {}
  const keep = async (given: string, place: string): Promise<string> => {
    try {
      return looksLikeSignedId(given) ? await keepUpload(account, tx, given) : given
    } catch (error) {
      if (!(error instanceof ImageRefused)) throw error
      errors[place] = [error.message]
      return given
    }
  }
  const keepOne = async (given: string | null | undefined, place: string) => (given ? keep(given, place) : given)

  // Others may name a picture by the address it was shown at, so it must not be swept before this is committed.
  await lockImagesForUse(tx)
  const kept: Pictured = {}
  if (thing.image !== undefined) kept.image = (await keepOne(thing.image, 'image'))!
  if (thing.background_image !== undefined) {
    kept.background_image = (await keepOne(thing.background_image, 'background_image'))!
  }
  if (thing.gallery_images) {
    kept.gallery_images = []
    for (const [n, image] of thing.gallery_images.entries()) {
      kept.gallery_images.push(await keep(image, `gallery_images[${n}]`))
    }
  }
  if (thing.performers) {
    kept.performers = []
    for (const [n, performer] of thing.performers.entries()) {
      kept.performers.push({ ...performer, image: (await keepOne(performer.image, `performers[${n}].image`))! })
    }
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  return { ...thing, ...kept }
}

const keepUpload = async (account: CallerScope, tx: Tx, signedId: string): Promise<string> => {
  const bytes = await consumeUploadedBytes(account, tx, signedId)
  if (bytes === null) throw new ImageRefused(INVALID_MESSAGE)
  return storeImage(storageOf(account.app).images, bytes)
}
