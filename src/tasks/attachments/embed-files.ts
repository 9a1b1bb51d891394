import type { CallerScope, Tx } from '../../access/scopes.ts'
import { confirmDirectUploads } from '../../files/receive-upload.ts'
import { type Blob, findBlobs, markBlobsInUse, lockBlobs, returnBlobsToDrafts } from '../../files/records.ts'
import { readAttachableSgid } from '../../files/signed-ids.ts'
import { Invalid, refuseUnless } from '../../kernel/refusals.ts'
import { TOO_MUCH_MARKUP_MESSAGE, characterCount, tooLongMessage } from '../../kernel/messages.ts'
import {
  type RichTextToStore,
  type ParsedRichText,
  textWithoutAttachments,
  parseRichText,
  renderForStorage,
} from '../../rich-text/attachments.ts'
import { TooMuchMarkup } from '../../rich-text/parse.ts'
import { ATTACHMENTS_MAX } from '../rules.ts'
import { deleteDescriptionEmbeds, deleteUnreferencedFiles, findTaskIdsByBlob, insertEmbeds } from './records.ts'

/** A text that was read and found short enough, with the files it names. */
export interface ParsedTaskText {
  field: 'description' | 'body'
  written: ParsedRichText
  /** By the number of the attachment; null for what is no name of ours. */
  keys: (string | null)[]
}

const NOT_AVAILABLE = 'has an attachment that is not available'
const TOO_MANY = `has too many attachments (maximum is ${ATTACHMENTS_MAX})`

/** Reads a text before anything is locked: bytes that lie in a store may have to be looked at first. */
export const parseTaskText = async (
  account: CallerScope,
  field: ParsedTaskText['field'],
  text: string | null,
  most: number,
): Promise<ParsedTaskText> => {
  const written = unlessTooMuch(field, () => parseRichText(text ?? ''))
  refuseUnless(characterCount(textWithoutAttachments(written)) <= most, { [field]: [tooLongMessage(most)] })

  refuseUnless(written.sgids.length <= ATTACHMENTS_MAX, { [field]: [TOO_MANY] })

  const keys = written.sgids.map((sgid) => readAttachableSgid(account.app, sgid))
  const drafts = await findBlobs(
    account.rows,
    keys.filter((key) => key !== null),
  )
  await confirmDirectUploads(
    account,
    drafts.filter((draft) => draft.uploaderId === account.actor.personId),
  )
  return { field, written, keys }
}

export const isTextBlank = ({ written, keys }: ParsedTaskText) =>
  textWithoutAttachments(written) === '' && keys.every((key) => key === null)

const unlessTooMuch = <T>(field: string, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    if (error instanceof TooMuchMarkup) throw new Invalid({ [field]: [TOO_MUCH_MARKUP_MESSAGE] })
    throw error
  }
}

/**
 * The files of a text, locked: each is the caller's own draft or belongs to the task already. One of ours that is
 * neither is refused; what is no name of ours just is not there.
 */
export const lockEmbeddedFiles = async (
  account: CallerScope,
  tx: Tx,
  { field, written, keys }: ParsedTaskText,
  taskId: number | null,
): Promise<{ stored: RichTextToStore; blobIds: number[] }> => {
  const named = [...new Set(keys.filter((key) => key !== null))]
  const blobs = new Map((await lockBlobs(tx, named)).map((blob) => [blob.key, blob]))
  const taskOf = await findTaskIdsByBlob(
    tx,
    Array.from(blobs.values(), (blob) => blob.id),
  )

  const isAllowed = (blob: Blob | undefined) => {
    if (!blob?.uploadedAt || blob.purpose !== 'task') return false
    const holder = taskOf.get(blob.id)
    return holder === undefined ? blob.uploaderId === account.actor.personId : holder === taskId
  }
  refuseUnless(
    named.every((key) => isAllowed(blobs.get(key))),
    { [field]: [NOT_AVAILABLE] },
  )

  const fileOf = (number: number) => blobs.get(keys[number] ?? '') ?? null
  const stored = unlessTooMuch(field, () => renderForStorage(written, fileOf))
  return { stored, blobIds: named.map((key) => blobs.get(key)!.id) }
}

export const recordEmbeddedFiles = async (
  tx: Tx,
  embeds: { taskId: number; entryId: number | null; blobIds: number[] },
): Promise<void> => {
  await insertEmbeds(tx, embeds)
  await markBlobsInUse(tx, embeds.blobIds)
}

/** A new description: files that it no longer shows, and no comment does, are drafts of their uploader again. */
export const replaceDescriptionFiles = async (tx: Tx, taskId: number, blobIds: number[]): Promise<void> => {
  await deleteDescriptionEmbeds(tx, taskId)
  await recordEmbeddedFiles(tx, { taskId, entryId: null, blobIds })
  await returnBlobsToDrafts(tx, await deleteUnreferencedFiles(tx, taskId))
}
