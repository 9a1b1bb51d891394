import type { AccountScope, Tx } from '../access/scopes.ts'
import { refuseUnless } from '../kernel/refusals.ts'
import { type NewBlob, findUploadTotal, insertBlob } from './records.ts'

const NO_ROOM = 'is more than the account has room for'

/**
 * A file counts from the moment it is announced, until its bytes are swept. Files that are announced at once wait for
 * each other at the account's total, so together they never exceed the quota.
 */
export const insertWithinQuota = async (
  { app }: AccountScope,
  tx: Tx,
  blob: NewBlob,
  field: 'byte_size' | 'image',
): Promise<number> => {
  const id = await insertBlob(tx, blob)
  const { uploadQuota } = app.settings
  if (uploadQuota !== null) refuseUnless((await findUploadTotal(tx)) <= uploadQuota, { [field]: [NO_ROOM] })
  return id
}
