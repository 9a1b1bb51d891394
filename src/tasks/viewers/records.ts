import { sql } from 'kysely'
import type { CallerScope, Tx } from '../../access/scopes.ts'
import type { Database } from '../../database/database.ts'

export const TASK_VIEWERS_CHANNEL = 'foyer_task_viewers'

/** Whoever was silent for longer is not there any more. */
const SILENT_SECONDS = 20

export interface TaskViewer {
  membershipId: number
  name: string
  taskPublicId: string | null
}

/** A page says that it is there, and which task it shows; the others are told where that is news. */
export const recordTaskViewer = async (
  scope: CallerScope,
  tx: Tx,
  { page, taskPublicId }: { page: string; taskPublicId: string | null },
): Promise<void> => {
  const { membershipId } = scope.actor
  await sql`
    with before as (
      select task_public_id from task_viewers
      where account_id = ${tx.accountId} and membership_id = ${membershipId} and page = ${page}
        and seen_at > foyer_now() - make_interval(secs => ${SILENT_SECONDS})
    ), kept as (
      insert into task_viewers as v (account_id, membership_id, page, task_public_id)
      values (${tx.accountId}, ${membershipId}, ${page}, ${taskPublicId})
      on conflict (account_id, membership_id, page) do update
        set task_public_id = excluded.task_public_id, seen_at = excluded.seen_at
    )
    select pg_notify(${TASK_VIEWERS_CHANNEL}, ${String(tx.accountId)})
    where not exists (select from before where task_public_id is not distinct from ${taskPublicId}::text)`.execute(
    tx.db,
  )
}

/** False where it was not there. */
export const deleteTaskViewer = async (scope: CallerScope, tx: Tx, page: string): Promise<boolean> => {
  const { rows } = await sql`
    with gone as (
      delete from task_viewers
      where account_id = ${tx.accountId} and membership_id = ${scope.actor.membershipId} and page = ${page}
      returning page
    )
    select pg_notify(${TASK_VIEWERS_CHANNEL}, ${String(tx.accountId)}) from gone`.execute(tx.db)
  return rows.length > 0
}

/** Whether the caller may see the task. */
export const isTaskWithinReach = async (scope: CallerScope, publicId: string): Promise<boolean> => {
  const { rows } = scope
  const found = await sql`
    select 1 from tasks t
    where t.account_id = ${rows.accountId} and t.public_id = ${publicId} and (${scope.reach === 'account'} or exists (
      select from assignments s
      where s.account_id = t.account_id and s.event_id = t.event_id and s.membership_id = ${scope.actor.membershipId}))
  `.execute(rows.db)
  return found.rows.length > 0
}

/** Who is at the board, each with the task they look at, where the caller may see that. */
export const findTaskViewers = async (scope: CallerScope): Promise<TaskViewer[]> => {
  const { rows } = scope
  const found = await sql<TaskViewer>`
    select distinct v.membership_id as "membershipId", p.name, t.public_id as "taskPublicId"
    from task_viewers v
    join memberships m on m.account_id = v.account_id and m.id = v.membership_id and m.deactivated_at is null
      and m.role in ('owner', 'manager', 'co_organizer')
    join people p on p.id = m.person_id
    left join tasks t on t.account_id = v.account_id and t.public_id = v.task_public_id
      and (${scope.reach === 'account'} or exists (
        select from assignments s
        where s.account_id = t.account_id and s.event_id = t.event_id and s.membership_id = ${scope.actor.membershipId}))
    where v.account_id = ${rows.accountId} and v.seen_at > foyer_now() - make_interval(secs => ${SILENT_SECONDS})
    order by p.name, v.membership_id, t.public_id`.execute(rows.db)
  return found.rows
}

export const deleteSilentTaskViewers = async (database: Database): Promise<void> => {
  await sql`
    delete from task_viewers where seen_at < foyer_now() - make_interval(secs => ${SILENT_SECONDS})`.execute(
    database.kysely,
  )
}
