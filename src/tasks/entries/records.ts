import { sql } from 'kysely'
import type { Rows, Tx } from '../../access/scopes.ts'
import { newPublicId } from '../../kernel/public-ids.ts'
import type { TaskFile } from '../attachments/records.ts'
import type { Status } from '../rules.ts'

export interface TaskHistoryEntry {
  id: number
  publicId: string
  kind: 'created' | 'status' | 'assignment' | 'comment'
  body: string | null
  bodyHtml: string | null
  details: { from?: string; to?: string; name?: string | null }
  author: string | null
  createdAt: Date
  files: TaskFile[]
}

export type NewEntry =
  | { kind: 'created' }
  | { kind: 'status'; from: Status; to: Status }
  | { kind: 'assignment'; name: string | null }

/** What happened to a task, in the order it is told. */
export const insertTaskEntries = async (
  tx: Tx,
  taskId: number,
  authorId: number,
  entries: NewEntry[],
): Promise<void> => {
  if (entries.length === 0) return
  await tx.db
    .insertInto('task_entries')
    .values(
      entries.map(({ kind, ...details }) => ({
        account_id: tx.accountId,
        public_id: newPublicId(),
        task_id: taskId,
        kind,
        details: JSON.stringify(details),
        author_id: authorId,
      })),
    )
    .execute()
}

export const insertComment = async (
  tx: Tx,
  comment: { taskId: number; authorId: number; body: string; bodyHtml: string },
): Promise<number> => {
  const { id } = await tx.db
    .insertInto('task_entries')
    .values({
      account_id: tx.accountId,
      public_id: newPublicId(),
      task_id: comment.taskId,
      kind: 'comment',
      body: comment.body,
      body_html: comment.bodyHtml,
      author_id: comment.authorId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** All of a task's, oldest first; or only one. */
export const findEntries = async (
  { accountId, db }: Rows,
  taskId: number,
  only: number | null = null,
): Promise<TaskHistoryEntry[]> => {
  const { rows } = await sql<TaskHistoryEntry>`
    select n.id, n.public_id as "publicId", n.kind, n.body, n.body_html as "bodyHtml", n.details, p.name as author,
      n.created_at as "createdAt", coalesce(f.files, '[]') as files
    from task_entries n
    left join people p on p.id = n.author_id
    left join (
      select d.entry_id, json_agg(json_build_object('key', b.key, 'filename', b.filename,
        'contentType', b.content_type, 'imageType', b.image_type, 'byteSize', b.byte_size) order by d.position) as files
      from task_embeds d
      join blobs b on b.account_id = d.account_id and b.id = d.blob_id
      where d.account_id = ${accountId} and d.task_id = ${taskId} and d.entry_id is not null
      group by d.entry_id
    ) f on f.entry_id = n.id
    where n.account_id = ${accountId} and n.task_id = ${taskId} and (${only}::bigint is null or n.id = ${only})
    order by n.created_at, n.id`.execute(db)
  return rows
}
