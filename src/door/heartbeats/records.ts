import { sql } from 'kysely'
import type { CallerScope } from '../../access/scopes.ts'

export interface Heartbeat {
  queue: number
  snapshotAt: Date | null
  appVersion: string | null
}

/**
 * Writes down what the device says of itself, and tells when what the list of scannable events says last changed: an
 * event, its place, the first ticket of one that is not published, the account with its shop, what a co-organizer is
 * assigned to, or that an event was over.
 */
export const recordHeartbeat = async (
  scope: CallerScope,
  { queue, snapshotAt, appVersion }: Heartbeat,
): Promise<Date> => {
  const { accountId, db } = scope.rows
  const { rows } = await sql<{ eventsChangedAt: Date }>`
    with seen as (
      insert into device_heartbeats (account_id, credential_id, seen_at, queue, snapshot_at, app_version)
      values (${accountId}, ${scope.credential.id}, foyer_now(), ${queue}, ${snapshotAt}, ${appVersion})
      on conflict (account_id, credential_id) do update
      set seen_at = excluded.seen_at, queue = excluded.queue, snapshot_at = excluded.snapshot_at,
        app_version = excluded.app_version
    )
    select greatest(
      c.updated_at,
      (
        select max(greatest(e.updated_at, v.updated_at, case when e.ends_at <= foyer_now() then e.ends_at end,
          case when e.published_at is null then (
            select a.created_at from admissions a
            where a.account_id = e.account_id and a.event_id = e.id
            order by a.id limit 1
          ) end))
        from events e
        left join venues v on v.account_id = e.account_id and v.id = e.venue_id
        where e.account_id = c.id
      ),
      (
        select max(greatest(m.updated_at, s.created_at))
        from memberships m
        left join assignments s on s.account_id = m.account_id and s.membership_id = m.id
        where m.account_id = c.id and m.id = ${scope.boundMembershipId}
      )
    ) as "eventsChangedAt"
    from accounts c where c.id = ${accountId}
  `.execute(db)
  return rows[0]!.eventsChangedAt
}
