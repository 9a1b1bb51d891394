import { type Kysely, sql } from 'kysely'
import type { Rows, Tx } from '../access/scopes.ts'
import type { Database } from '../database/database.ts'
import type { Tables } from '../database/table-types.ts'

/** Held, shared, by a backup: until it ends no file is removed that its rows may name. */
export const FILES_LOCK = 5_910_442_737

/** False while a backup reads the files. */
export const lockFilesForSweep = async (db: Kysely<Tables>): Promise<boolean> => {
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(${FILES_LOCK}) as "isLocked"`.execute(db)
  return rows[0]!.isLocked
}

export type BlobPurpose = Tables['blobs']['purpose']

export interface Blob {
  id: number
  key: string
  purpose: BlobPurpose
  filename: string
  contentType: string
  byteSize: number
  checksum: string
  uploaderId: number | null
  imageType: string | null
  uploadedAt: Date | null
  heldAt: Date | null
}

export type NewBlob = Pick<Blob, 'key' | 'purpose' | 'filename' | 'contentType' | 'byteSize' | 'checksum'> & {
  uploaderId: number
}

export const insertBlob = async (tx: Tx, blob: NewBlob): Promise<number> => {
  const { id } = await tx.db
    .insertInto('blobs')
    .values({
      account_id: tx.accountId,
      key: blob.key,
      purpose: blob.purpose,
      filename: blob.filename,
      content_type: blob.contentType,
      byte_size: blob.byteSize,
      checksum: blob.checksum,
      uploader_id: blob.uploaderId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** How many bytes the account's files take, those included that were only announced or wait to be swept. */
export const findUploadTotal = async ({ accountId, db }: Rows): Promise<number> => {
  const { rows } = await sql<{ bytes: number }>`
    select bytes from upload_totals where account_id = ${accountId}`.execute(db)
  return rows[0]?.bytes ?? 0
}

export interface UploadTotalDifference {
  counted: number
  kept: number
}

/** What the account's total would be if it were counted anew, where that differs. */
export const compareUploadTotal = async ({ accountId, db }: Rows): Promise<UploadTotalDifference[]> => {
  const { rows } = await sql<UploadTotalDifference>`
    select * from (
      select coalesce((select sum(byte_size) from blobs where account_id = ${accountId}), 0)::bigint as counted,
        coalesce((select bytes from upload_totals where account_id = ${accountId}), 0) as kept
    ) totals
    where counted <> kept`.execute(db)
  return rows
}

const blobs = ({ accountId, db }: Rows) =>
  db
    .selectFrom('blobs')
    .where('account_id', '=', accountId)
    .where('discarded_at', 'is', null)
    .select([
      'id',
      'key',
      'purpose',
      'filename',
      'content_type as contentType',
      'byte_size as byteSize',
      'checksum',
      'uploader_id as uploaderId',
      'image_type as imageType',
      'uploaded_at as uploadedAt',
      'held_at as heldAt',
    ])

export const findBlob = (rows: Rows, key: string): Promise<Blob | undefined> =>
  blobs(rows).where('key', '=', key).executeTakeFirst()

export const findBlobs = (rows: Rows, keys: string[]): Promise<Blob[]> =>
  keys.length === 0 ? Promise.resolve([]) : blobs(rows).where('key', 'in', keys).execute()

/** Locked in the order of their IDs, whatever order they were asked for in. */
export const lockBlobs = (tx: Tx, keys: string[]): Promise<Blob[]> =>
  keys.length === 0 ? Promise.resolve([]) : blobs(tx).where('key', 'in', keys).orderBy('id').forUpdate().execute()

export const recordUpload = async (tx: Tx, id: number, imageType: string | null): Promise<void> => {
  await sql`
    update blobs set uploaded_at = foyer_now(), image_type = ${imageType}
    where account_id = ${tx.accountId} and id = ${id}`.execute(tx.db)
}

/** From now on something needs them, and the sweep leaves them alone. */
export const markBlobsInUse = async (tx: Tx, ids: number[]): Promise<void> => {
  if (ids.length === 0) return
  await sql`
    update blobs set held_at = coalesce(held_at, foyer_now())
    where account_id = ${tx.accountId} and id = any(${ids}::bigint[])`.execute(tx.db)
}

/** Nothing needs them any more: they are drafts of their uploader again, for a day. */
export const returnBlobsToDrafts = async (tx: Tx, ids: number[]): Promise<void> => {
  if (ids.length === 0) return
  await sql`
    update blobs set held_at = null, drafted_at = foyer_now()
    where account_id = ${tx.accountId} and id = any(${ids}::bigint[])`.execute(tx.db)
}

/** Gone for everybody at once; the sweep removes the bytes. */
export const markBlobsDiscarded = async (tx: Tx, ids: number[]): Promise<void> => {
  if (ids.length === 0) return
  await sql`
    update blobs set held_at = null, discarded_at = foyer_now()
    where account_id = ${tx.accountId} and id = any(${ids}::bigint[])`.execute(tx.db)
}

export interface OrphanedBlob {
  accountId: number
  id: number
  key: string
}

/** Gives up drafts that nobody used for a day, and names everything whose bytes are to be removed. */
export const discardOldDraftsAndFindOrphans = async (database: Database, most: number): Promise<OrphanedBlob[]> => {
  const { rows } = await sql<OrphanedBlob>`
    with old as (
      select account_id, id from blobs
      where held_at is null and (discarded_at is not null or drafted_at < foyer_now() - interval '1 day')
      order by drafted_at limit ${most}
      for update skip locked
    )
    update blobs b set discarded_at = coalesce(b.discarded_at, foyer_now()) from old
    where b.account_id = old.account_id and b.id = old.id and b.held_at is null
    returning b.account_id as "accountId", b.id, b.key`.execute(database.kysely)
  return rows
}

export const deleteOrphanedBlobs = async (database: Database, orphans: OrphanedBlob[]): Promise<void> => {
  await sql`
    delete from blobs b using unnest(
      ${orphans.map((each) => each.accountId)}::bigint[], ${orphans.map((each) => each.id)}::bigint[]
    ) as gone (account_id, id)
    where b.account_id = gone.account_id and b.id = gone.id and b.discarded_at is not null`.execute(database.kysely)
}
