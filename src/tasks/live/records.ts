import { sql } from 'kysely'
import type { CallerScope, Tx } from '../../access/scopes.ts'
import type { Database } from '../../database/database.ts'

export const BOARDS_CHANNEL = 'foyer_boards'

export type ChangeKind = 'created' | 'updated' | 'moved' | 'archived' | 'restored' | 'deleted' | 'commented'

export interface NewChange {
  /** From lockBoard(): changes are numbered in the order in which they become visible. */
  number: number
  taskPublicId: string
  kind: ChangeKind
  eventId: number | null
  formerEventId?: number | null
}

/** Kept for those who look away for a moment, and told to all processes when the transaction commits. */
export const insertChange = async (tx: Tx, change: NewChange): Promise<void> => {
  await sql`
    with kept as (
      insert into task_changes (account_id, number, task_public_id, kind, event_id, former_event_id)
      values (${tx.accountId}, ${change.number}, ${change.taskPublicId}, ${change.kind}, ${change.eventId},
        ${change.formerEventId ?? change.eventId})
    )
    select pg_notify(${BOARDS_CHANNEL}, ${String(tx.accountId)})`.execute(tx.db)
}

export interface BoardChange {
  number: number
  taskPublicId: string
  kind: ChangeKind | 'left'
}

export interface BoardChanges {
  last: number
  /** True when changes after the given number have been dropped already, or the number was never given out. */
  isIncomplete: boolean
  /** The events of a co-organizer; a board looks different when they change. */
  eventIds: number[]
  changes: BoardChange[]
}

const CHANGES_MAX = 500

/**
 * What the caller may know of the changes after a number, as things stand now; after the latest one, which is nothing
 * yet, when there is none. Of a task that left the caller's
 * events no more is told than that it left.
 */
export const findBoardChanges = async (scope: CallerScope, number: number | null): Promise<BoardChanges> => {
  const { rows } = scope
  const isEverything = scope.reach === 'account'
  const after = sql`coalesce(${number}::bigint, (select last_change from task_boards where account_id = ${rows.accountId}), 0)`
  const result = await sql<BoardChanges>`
    with own as (
      select event_id from assignments
      where account_id = ${rows.accountId} and membership_id = ${scope.actor.membershipId} and not ${isEverything}
    ), seen as (
      select c.number, c.task_public_id as "taskPublicId",
        case when ${isEverything} or c.event_id in (select event_id from own) then c.kind else 'left' end as kind
      from task_changes c
      where c.account_id = ${rows.accountId} and c.number > ${after}
        and (${isEverything} or c.event_id in (select event_id from own)
          or c.former_event_id in (select event_id from own))
      order by c.number limit ${CHANGES_MAX + 1}
    )
    select coalesce(b.last_change, 0) as last,
      ${after} < coalesce(b.forgotten_change, 0) or ${after} > coalesce(b.last_change, 0)
        or (select count(*) from seen) > ${CHANGES_MAX} as "isIncomplete",
      array(select event_id from own order by event_id) as "eventIds",
      (select coalesce(json_agg(seen order by number), '[]') from seen) as changes
    from (select ${rows.accountId}::bigint as account_id) a
    left join task_boards b on b.account_id = a.account_id`.execute(rows.db)
  return result.rows[0]!
}

/** The number of the latest change. */
export const findLastChangeNumber = async ({ rows }: CallerScope): Promise<number> => {
  const result = await sql<{ last: number }>`
    select last_change as last from task_boards where account_id = ${rows.accountId}`.execute(rows.db)
  return result.rows[0]?.last ?? 0
}

export const deleteOldChanges = async (database: Database): Promise<void> => {
  await sql`
    with gone as (
      delete from task_changes where created_at < foyer_now() - interval '1 day'
      returning account_id, number
    ), latest as (
      select account_id, max(number) as number from gone group by account_id
    )
    update task_boards b set forgotten_change = greatest(b.forgotten_change, latest.number)
    from latest where latest.account_id = b.account_id`.execute(database.kysely)
}
