import { sql } from 'kysely'
import type { CallerScope, Tx } from '../../access/scopes.ts'

/** A file in a text, as the row of the text carries it. */
export interface TaskFile {
  key: string
  filename: string
  contentType: string
  imageType: string | null
  byteSize: number
}

export const findTaskIdsByBlob = async (tx: Tx, blobIds: number[]): Promise<Map<number, number>> => {
  if (blobIds.length === 0) return new Map()
  const { rows } = await sql<{ blobId: number; taskId: number }>`
    select blob_id as "blobId", task_id as "taskId" from task_files
    where account_id = ${tx.accountId} and blob_id = any(${blobIds}::bigint[])`.execute(tx.db)
  return new Map(rows.map(({ blobId, taskId }) => [blobId, taskId]))
}

/** Puts files into a text, in the order they stand there. */
export const insertEmbeds = async (
  tx: Tx,
  { taskId, entryId, blobIds }: { taskId: number; entryId: number | null; blobIds: number[] },
): Promise<void> => {
  if (blobIds.length === 0) return
  await sql`
    insert into task_files (account_id, blob_id, task_id)
    select ${tx.accountId}, blob_id, ${taskId} from unnest(${blobIds}::bigint[]) as blob_id
    on conflict (account_id, blob_id) do nothing`.execute(tx.db)
  await sql`
    insert into task_embeds (account_id, task_id, entry_id, blob_id, position)
    select ${tx.accountId}, ${taskId}, ${entryId}, blob_id, n
    from unnest(${blobIds}::bigint[]) with ordinality as given (blob_id, n)`.execute(tx.db)
}

export const deleteDescriptionEmbeds = async (tx: Tx, taskId: number): Promise<void> => {
  await sql`
    delete from task_embeds
    where account_id = ${tx.accountId} and task_id = ${taskId} and entry_id is null`.execute(tx.db)
}

/** Files that stand in no text of the task any more; tells which those were. */
export const deleteUnreferencedFiles = async (tx: Tx, taskId: number): Promise<number[]> => {
  const { rows } = await sql<{ blobId: number }>`
    delete from task_files f
    where f.account_id = ${tx.accountId} and f.task_id = ${taskId} and not exists (
      select from task_embeds d
      where d.account_id = f.account_id and d.task_id = f.task_id and d.blob_id = f.blob_id)
    returning f.blob_id as "blobId"`.execute(tx.db)
  return rows.map(({ blobId }) => blobId)
}

export const findBlobIdsOfTask = async (tx: Tx, taskId: number): Promise<number[]> => {
  const { rows } = await sql<{ blobId: number }>`
    select blob_id as "blobId" from task_files
    where account_id = ${tx.accountId} and task_id = ${taskId}`.execute(tx.db)
  return rows.map(({ blobId }) => blobId)
}

/** Whether the caller may read a file: a draft only its uploader, a task's file whoever may see the task now. */
export const canReadFile = async (scope: CallerScope, blobId: number): Promise<boolean> => {
  const { rows, actor } = scope
  const { rows: answers } = await sql<{ readable: boolean }>`
    select case
      when f.task_id is null then b.held_at is null and b.uploader_id is not distinct from ${actor.personId}
      else ${scope.reach === 'account'} or exists (
        select from tasks t
        join assignments s on s.account_id = t.account_id and s.event_id = t.event_id
          and s.membership_id = ${actor.membershipId}
        where t.account_id = f.account_id and t.id = f.task_id)
    end as readable
    from blobs b left join task_files f on f.account_id = b.account_id and f.blob_id = b.id
    where b.account_id = ${rows.accountId} and b.id = ${blobId}`.execute(rows.db)
  return answers[0]?.readable ?? false
}
