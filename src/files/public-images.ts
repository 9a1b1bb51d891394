import type { AppServices } from '../access/app.ts'
import type { CallerScope, Tx } from '../access/scopes.ts'
import { signLink } from '../access/signed-links.ts'
import { newPublicId } from '../kernel/public-ids.ts'
import { insertWithinQuota } from './upload-quota.ts'
import { storageOf } from './open-storage.ts'
import { confirmDirectUploads } from './receive-upload.ts'
import {
  type Blob,
  type BlobPurpose,
  markBlobsDiscarded,
  findBlob,
  markBlobsInUse,
  lockBlobs,
  recordUpload,
} from './records.ts'
import { readSignedId } from './signed-ids.ts'

/** The caller's own draft behind a signed ID, its bytes there; null for whatever else the text may name. */
const findOwnDraft = async (account: CallerScope, signedId: string): Promise<Blob | null> => {
  const key = readSignedId(account.app, signedId)
  if (!key) return null
  const isOwn = (blob: Blob | undefined) => blob && !blob.heldAt && blob.uploaderId === account.actor.personId

  const draft = await findBlob(account.rows, key)
  if (!draft || !isOwn(draft)) return null
  if (draft.uploadedAt) return draft
  return (await confirmDirectUploads(account, [draft])) ? ((await findBlob(account.rows, key)) ?? null) : null
}

/**
 * Makes the caller's draft image public, within a transaction: an image brought for this purpose itself, the draft
 * of a task by a copy, because task files never get a public address. Answers with the blob's ID; null when the
 * signed ID names no such image.
 */
export const attachPublicImage = async (
  account: CallerScope,
  tx: Tx,
  signedId: string,
  purpose: Exclude<BlobPurpose, 'task'>,
): Promise<number | null> => {
  const draft = await findOwnDraft(account.within(tx), signedId)
  if (!draft?.imageType) return null

  const blob = draft.purpose === purpose ? draft : await copyBlob(account, tx, draft, purpose)
  const [locked] = await lockBlobs(tx, [blob.key])
  if (!locked || locked.heldAt) return null
  await markBlobsInUse(tx, [locked.id])
  return locked.id
}

/** The bytes of the caller's draft behind a signed ID, which is used up with it; null when it names no such draft. */
export const consumeUploadedBytes = async (account: CallerScope, tx: Tx, signedId: string): Promise<Buffer | null> => {
  const draft = await findOwnDraft(account.within(tx), signedId)
  const [locked] = draft ? await lockBlobs(tx, [draft.key]) : []
  if (!locked || locked.heldAt) return null
  const bytes = await storageOf(account.app).read(locked.key, null)
  if (!bytes) throw new Error('The bytes of an uploaded file are gone')
  await markBlobsDiscarded(tx, [locked.id])
  return Buffer.concat(await bytes.toArray())
}

const copyBlob = async (account: CallerScope, tx: Tx, draft: Blob, purpose: BlobPurpose): Promise<Blob> => {
  const storage = storageOf(account.app)
  const copy = { ...draft, key: newPublicId(), purpose, uploaderId: account.actor.personId }
  const id = await insertWithinQuota(account, tx, copy, 'image')
  const bytes = await storage.read(draft.key, null)
  if (!bytes) throw new Error('The bytes of an uploaded file are gone')
  const arrived = await storage.take(copy, bytes)
  try {
    await arrived.keep()
  } finally {
    await arrived.forget()
  }
  await recordUpload(tx, id, arrived.imageType)
  return { ...copy, id }
}

export const IMAGE_LINK_PURPOSE = 'image'

/** Where anyone can see a public image, for good. */
export const publicImageUrl = ({ secrets, settings }: AppServices, image: { accountId: number; key: string }) =>
  `${settings.baseUrl}/public_images/${signLink(secrets, IMAGE_LINK_PURPOSE, { accountId: image.accountId, id: image.key, expiresAt: null })}`
