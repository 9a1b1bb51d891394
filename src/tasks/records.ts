import { type RawBuilder, sql } from 'kysely'
import type { CallerScope, Rows, Tx } from '../access/scopes.ts'
import { found } from '../kernel/refusals.ts'
import type { TaskFile } from './attachments/records.ts'
import type { Status } from './rules.ts'

export interface Task {
  id: number
  publicId: string
  title: string
  descriptionHtml: string
  description: string
  status: Status
  position: number
  lockVersion: number
  dueOn: string | null
  archivedAt: Date | null
  createdAt: Date
  updatedAt: Date
  eventId: number | null
  eventSlug: string | null
  eventTitle: string | null
  assigneeId: number | null
  assigneeName: string | null
  files: TaskFile[]
}

/** What the caller may see: everything, or the tasks of the events a co-organizer is assigned to now. */
const withinReach = (scope: CallerScope): RawBuilder<unknown> =>
  scope.reach === 'account'
    ? sql`true`
    : sql`t.event_id in (
        select event_id from assignments
        where account_id = ${scope.account.id} and membership_id = ${scope.actor.membershipId})`

const COLUMNS = sql`
  t.id, t.public_id as "publicId", t.title, t.description_html as "descriptionHtml", t.description, t.status, t.position,
  t.lock_version as "lockVersion", t.due_on as "dueOn", t.archived_at as "archivedAt", t.created_at as "createdAt",
  t.updated_at as "updatedAt", t.event_id as "eventId", e.slug as "eventSlug", e.title as "eventTitle",
  t.assignee_id as "assigneeId", p.name as "assigneeName", coalesce(f.files, '[]') as files`

/** The files in descriptions are gathered once for all tasks, not once for each. */
const tasksWhere = (rows: Rows, condition: RawBuilder<unknown>, files: RawBuilder<unknown> = sql`true`) => sql<Task>`
  select ${COLUMNS}
  from tasks t
  left join events e on e.account_id = t.account_id and e.id = t.event_id
  left join memberships m on m.account_id = t.account_id and m.id = t.assignee_id
  left join people p on p.id = m.person_id
  left join (
    select d.task_id, json_agg(json_build_object('key', b.key, 'filename', b.filename,
      'contentType', b.content_type, 'imageType', b.image_type, 'byteSize', b.byte_size) order by d.position) as files
    from task_embeds d
    join blobs b on b.account_id = d.account_id and b.id = d.blob_id
    where d.account_id = ${rows.accountId} and d.entry_id is null and ${files}
    group by d.task_id
  ) f on f.task_id = t.id
  where t.account_id = ${rows.accountId} and ${condition}`

export interface Filters {
  /** An event's ID, none for tasks without one. */
  event?: number | 'none'
  assignee?: number | 'none'
  archived: boolean
  hideDone: boolean
}

export const findTasks = async (
  scope: CallerScope,
  { event, assignee, archived, hideDone }: Filters,
): Promise<Task[]> => {
  const conditions = [withinReach(scope), archived ? sql`t.archived_at is not null` : sql`t.archived_at is null`]
  if (event !== undefined) conditions.push(event === 'none' ? sql`t.event_id is null` : sql`t.event_id = ${event}`)
  if (assignee !== undefined) {
    conditions.push(assignee === 'none' ? sql`t.assignee_id is null` : sql`t.assignee_id = ${assignee}`)
  }
  if (hideDone && !archived) conditions.push(sql`t.status <> 'done'`)

  const { rows } = scope
  const query = sql<Task>`${tasksWhere(rows, sql.join(conditions, sql` and `))} order by t.position, t.id`
  return (await query.execute(rows.db)).rows
}

const taskNamed = (rows: Rows, publicId: string, condition: RawBuilder<unknown>) => {
  const named = sql`t.public_id = ${publicId} and ${condition}`
  const files = sql`d.task_id = (select id from tasks where account_id = ${rows.accountId} and public_id = ${publicId})`
  return tasksWhere(rows, named, files)
}

export const findTask = async (scope: CallerScope, publicId: string): Promise<Task | undefined> => {
  const { rows } = scope
  return (await taskNamed(rows, publicId, withinReach(scope)).execute(rows.db)).rows[0]
}

/** Refuses whoever was bound to events and has lost the one of this task; for the others nothing has changed. */
export const requireWithinReach = async (scope: CallerScope, publicId: string): Promise<void> => {
  if (scope.reach !== 'account') found(await findTask(scope, publicId))
}

/** For writing; the caller holds the board already, so that nobody waits here. */
export const lockTask = async (scope: CallerScope, tx: Tx, publicId: string): Promise<Task | undefined> => {
  const query = sql<Task>`${taskNamed(tx, publicId, withinReach(scope))} for update of t`
  return (await query.execute(tx.db)).rows[0]
}

/** Puts this transaction's changes behind all earlier ones and numbers them; later ones wait until it ends. */
export const lockBoard = async (tx: Tx): Promise<number> => {
  const { rows } = await sql<{ number: number }>`
    insert into task_boards (account_id, last_change) values (${tx.accountId}, 1)
    on conflict (account_id) do update set last_change = task_boards.last_change + 1
    returning last_change as number`.execute(tx.db)
  return rows[0]!.number
}

export interface EventInReach {
  id: number
  slug: string
  title: string
}

export const findEvent = async (scope: CallerScope, slug: string): Promise<EventInReach | undefined> => {
  const { rows } = scope
  const found = await sql<EventInReach>`
    select t.event_id as id, t.slug, t.title from (
      select id as event_id, slug, title from events where account_id = ${rows.accountId} and slug = ${slug}
    ) t where ${withinReach(scope)}`.execute(rows.db)
  return found.rows[0]
}

export interface Candidate {
  id: number
  name: string
}

/** Who can be given a task: owners and managers, and the co-organizers of its event. */
export const findCandidates = async (
  { accountId, db }: Rows,
  eventId: number | null,
  only: number | null = null,
): Promise<Candidate[]> => {
  const { rows } = await sql<Candidate>`
    select m.id, p.name from memberships m
    join people p on p.id = m.person_id
    where m.account_id = ${accountId} and m.deactivated_at is null
      and (m.role in ('owner', 'manager') or (m.role = 'co_organizer' and exists (
        select from assignments s
        where s.account_id = m.account_id and s.membership_id = m.id and s.event_id = ${eventId})))
      and (${only}::bigint is null or m.id = ${only})
    order by p.name, m.id`.execute(db)
  return rows
}

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

export type TaskChange = Partial<
  Pick<Task, 'title' | 'descriptionHtml' | 'description' | 'dueOn' | 'eventId' | 'assigneeId'>
>

export const recordChange = async (tx: Tx, id: number, change: TaskChange): Promise<void> => {
  await tx.db
    .updateTable('tasks')
    .set((eb) => ({
      lock_version: eb('lock_version', '+', 1),
      ...('title' in change && { title: change.title }),
      ...('description' in change && { description: change.description }),
      ...('descriptionHtml' in change && { description_html: change.descriptionHtml }),
      ...('dueOn' in change && { due_on: change.dueOn }),
      ...('eventId' in change && { event_id: change.eventId }),
      ...('assigneeId' in change && { assignee_id: change.assigneeId }),
    }))
    .where('account_id', '=', tx.accountId)
    .where('id', '=', id)
    .execute()
}

export const findColumn = async (tx: Tx, status: Status): Promise<{ columnSize: number }> => {
  const { rows } = await sql<{ columnSize: number }>`select ${columnSize(tx, status)} as "columnSize"`.execute(tx.db)
  return rows[0]!
}

/** The task that another one shall stand before: one of the column that the caller may see. */
export const findNeighbour = async (
  scope: CallerScope,
  tx: Tx,
  publicId: string,
  status: Status,
): Promise<{ id: number; position: number } | undefined> => {
  const { rows } = await sql<{ id: number; position: number }>`
    select t.id, t.position from tasks t
    where t.account_id = ${tx.accountId} and t.public_id = ${publicId} and t.status = ${status} and t.archived_at is null
      and ${withinReach(scope)}`.execute(tx.db)
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
