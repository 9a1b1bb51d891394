import { sql } from 'kysely'
import type { CallerScope, Tx } from '../../access/scopes.ts'
import { type Task, taskWithinReach } from '../records.ts'
import type { Status } from '../rules.ts'

export interface NewTask {
  publicId: string
  title: string
  descriptionHtml: string
  description: string
  status: Status
  dueOn: string | null
  eventId: number | null
  assigneeId: number | null
  creatorId: number
}

/** Last in its column. */
export const insertTask = async (tx: Tx, task: NewTask): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into tasks (account_id, public_id, title, description_html, description, status, position, due_on, event_id,
      assignee_id, creator_id)
    values (${tx.accountId}, ${task.publicId}, ${task.title}, ${task.descriptionHtml}, ${task.description}, ${task.status},
      ${columnSize(tx, task.status)} + 1, ${task.dueOn}, ${task.eventId}, ${task.assigneeId}, ${task.creatorId})
    returning id`.execute(tx.db)
  return rows[0]!.id
}

const columnSize = (tx: Tx, status: Status) => sql`
  (select coalesce(max(position), 0) from tasks
   where account_id = ${tx.accountId} and status = ${status} and archived_at is null)`

export const countColumn = async (tx: Tx, status: Status): Promise<{ columnSize: number }> => {
  const { rows } = await sql<{ columnSize: number }>`select ${columnSize(tx, status)} as "columnSize"`.execute(tx.db)
  return rows[0]!
}

/** The task that another one shall stand before: one of the column that the caller may see. */
export const findTaskToPrecede = async (
  scope: CallerScope,
  tx: Tx,
  publicId: string,
  status: Status,
): Promise<{ id: number; position: number } | undefined> => {
  const { rows } = await sql<{ id: number; position: number }>`
    select t.id, t.position from tasks t
    where t.account_id = ${tx.accountId} and t.public_id = ${publicId} and t.status = ${status} and t.archived_at is null
      and ${taskWithinReach(scope)}`.execute(tx.db)
  return rows[0]
}

/** Closes the gap a task leaves, opens one where it lands, and puts it there; nobody else is written. */
export const recordMove = async (
  tx: Tx,
  task: Pick<Task, 'id' | 'status' | 'position'>,
  to: { status: Status; position: number },
): Promise<void> => {
  await closeGap(tx, task)
  await sql`
    update tasks set position = position + 1
    where account_id = ${tx.accountId} and status = ${to.status} and archived_at is null and id <> ${task.id}
      and position >= ${to.position}`.execute(tx.db)
  await sql`
    update tasks set status = ${to.status}, position = ${to.position}, lock_version = lock_version + 1
    where account_id = ${tx.accountId} and id = ${task.id}`.execute(tx.db)
}

const closeGap = async (tx: Tx, { id, status, position }: Pick<Task, 'id' | 'status' | 'position'>) => {
  await sql`
    update tasks set position = position - 1
    where account_id = ${tx.accountId} and status = ${status} and archived_at is null and id <> ${id}
      and position > ${position}`.execute(tx.db)
}

/** Within its own column only what stands between the old place and the new one is written. */
export const recordReorder = async (
  tx: Tx,
  task: Pick<Task, 'id' | 'status' | 'position'>,
  position: number,
): Promise<void> => {
  const [low, high] = [Math.min(task.position, position), Math.max(task.position, position)]
  await sql`
    update tasks set
      position = case when id = ${task.id} then ${position}::int else position + ${task.position > position ? 1 : -1}::int end,
      lock_version = case when id = ${task.id} then lock_version + 1 else lock_version end
    where account_id = ${tx.accountId} and status = ${task.status} and archived_at is null
      and position between ${low} and ${high}`.execute(tx.db)
}

export const recordArchive = async (tx: Tx, task: Pick<Task, 'id' | 'status' | 'position'>): Promise<void> => {
  await closeGap(tx, task)
  await sql`
    update tasks set archived_at = foyer_now(), lock_version = lock_version + 1
    where account_id = ${tx.accountId} and id = ${task.id}`.execute(tx.db)
}

/** Back to the end of the column it left. */
export const recordRestore = async (tx: Tx, id: number): Promise<void> => {
  await sql`
    update tasks set archived_at = null, position = ${columnSize(tx, 'done')} + 1, lock_version = lock_version + 1
    where account_id = ${tx.accountId} and id = ${id}`.execute(tx.db)
}

export const deleteTask = async (
  tx: Tx,
  task: Pick<Task, 'id' | 'status' | 'position' | 'archivedAt'>,
): Promise<void> => {
  if (!task.archivedAt) await closeGap(tx, task)
  await sql`delete from tasks where account_id = ${tx.accountId} and id = ${task.id}`.execute(tx.db)
}
