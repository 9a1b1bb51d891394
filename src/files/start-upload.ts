import type { CallerScope } from '../access/scopes.ts'
import { signLink } from '../access/signed-links.ts'
import { newPublicId } from '../kernel/public-ids.ts'
import { refuseUnless } from '../kernel/refusals.ts'
import { INVALID_MESSAGE } from '../kernel/messages.ts'
import { storageOf } from './open-storage.ts'
import { insertWithinQuota } from './upload-quota.ts'
import type { BlobPurpose } from './records.ts'
import { FALLBACK_CONTENT_TYPE, cleanFilename, isChecksum, isContentType } from './rules.ts'
import type { AnnouncedFile, UploadTarget } from './storage.ts'
import type { NewFileInput } from './wire.ts'

const INVITATION_MS = 60 * 60 * 1000

/** A draft without bytes, and where its uploader may bring them within the hour. */
export const startUpload = async (
  account: CallerScope,
  purpose: BlobPurpose,
  input: NewFileInput,
): Promise<{ key: string; invitation: UploadTarget }> => {
  const file = {
    key: newPublicId(),
    filename: cleanFilename(input.filename),
    contentType: input.content_type ?? FALLBACK_CONTENT_TYPE,
    byteSize: input.byte_size,
    checksum: input.checksum,
  }
  refuseUnless(file.filename !== '', { filename: [INVALID_MESSAGE] })
  refuseUnless(isChecksum(file.checksum), { checksum: [INVALID_MESSAGE] })
  refuseUnless(isContentType(file.contentType), { content_type: [INVALID_MESSAGE] })

  const invitation = (await storageOf(account.app).invite(file)) ?? ourOwn(account, file)
  const blob = { ...file, purpose, uploaderId: account.actor.personId }
  await account.transaction((tx) => insertWithinQuota(account, tx, blob, 'byte_size'))
  return { key: file.key, invitation }
}

const ourOwn = ({ account, app }: CallerScope, file: AnnouncedFile): UploadTarget => {
  const expiresAt = new Date(app.clock.now().getTime() + INVITATION_MS)
  const link = signLink(app.secrets, UPLOAD_LINK_PURPOSE, { accountId: account.id, id: file.key, expiresAt })
  return {
    url: `${app.settings.baseUrl}/uploads/${link}`,
    headers: { 'Content-Type': file.contentType, 'Content-MD5': file.checksum },
  }
}

export const UPLOAD_LINK_PURPOSE = 'upload'
