import { sql } from 'kysely'
import type { CallerScope } from '../access/scopes.ts'
import type { Database } from '../database/database.ts'
import type { Topic } from './rules.ts'

export interface PartVersion {
  topic: Topic
  part: number
  version: string
}

export interface AccountChanges {
  parts: PartVersion[]
  /** The events of those whose reach is bound to theirs. */
  assignments: { membershipId: number; eventIds: number[] }[]
}

/**
 * Everything that is known of changes, for all who listen. Numbers of transactions only grow, so their sum tells any
 * later one, whichever connection made it. A topic that nobody has touched for an hour is not in it.
 */
export const findAccountChanges = async ({ rows }: CallerScope): Promise<AccountChanges> => {
  const result = await sql<AccountChanges>`
    select
      (select coalesce(json_agg(p order by p.topic, p.part), '[]') from (
        select topic, part, concat(count(*), '-', sum(change)) as version
        from account_changes where account_id = ${rows.accountId}
        group by topic, part
      ) p) as parts,
      (select coalesce(json_agg(a order by a."membershipId"), '[]') from (
        select membership_id as "membershipId", array_agg(event_id order by event_id) as "eventIds"
        from assignments where account_id = ${rows.accountId}
        group by membership_id
      ) a) as assignments`.execute(rows.db)
  return result.rows[0]!
}

/** Nobody looks back an hour. Whoever is writing at this moment keeps its row. */
export const deleteOldAccountChanges = async (database: Database): Promise<void> => {
  await sql`
    delete from account_changes
    where (account_id, topic, part, backend) in (
      select account_id, topic, part, backend from account_changes
      where changed_at < foyer_now() - interval '1 hour'
      for update skip locked
    )`.execute(database.kysely)
}
