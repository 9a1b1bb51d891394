import { type RawBuilder, sql } from 'kysely'
import type { CallerScope, Rows, Tx } from '../access/scopes.ts'
import { requireFound } from '../kernel/refusals.ts'
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
export const taskWithinReach = (scope: CallerScope): RawBuilder<unknown> =>
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

export interface TaskFilters {
  /** An event's ID, none for tasks without one. */
  event?: number | 'none'
  assignee?: number | 'none'
  archived: boolean
  hideDone: boolean
}

export const findTasks = async (
  scope: CallerScope,
  { event, assignee, archived, hideDone }: TaskFilters,
): Promise<Task[]> => {
  const conditions = [taskWithinReach(scope), archived ? sql`t.archived_at is not null` : sql`t.archived_at is null`]
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
  return (await taskNamed(rows, publicId, taskWithinReach(scope)).execute(rows.db)).rows[0]
}

/** Refuses whoever was bound to events and has lost the one of this task; for the others nothing has changed. */
export const requireTaskWithinReach = async (scope: CallerScope, publicId: string): Promise<void> => {
  if (scope.reach !== 'account') requireFound(await findTask(scope, publicId))
}

/** For writing; the caller holds the board already, so that nobody waits here. */
export const lockTask = async (scope: CallerScope, tx: Tx, publicId: string): Promise<Task | undefined> => {
  const query = sql<Task>`${taskNamed(tx, publicId, taskWithinReach(scope))} for update of t`
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
    ) t where ${taskWithinReach(scope)}`.execute(rows.db)
  return found.rows[0]
}

export interface AssigneeCandidate {
  id: number
  name: string
}

/** Who can be given a task: owners and managers, and the co-organizers of its event. */
export const findAssigneeCandidates = async (
  { accountId, db }: Rows,
  eventId: number | null,
  only: number | null = null,
): Promise<AssigneeCandidate[]> => {
  const { rows } = await sql<AssigneeCandidate>`
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

export type TaskChange = Partial<
  Pick<Task, 'title' | 'descriptionHtml' | 'description' | 'dueOn' | 'eventId' | 'assigneeId'>
>

export const updateTaskFields = async (tx: Tx, id: number, change: TaskChange): Promise<void> => {
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
