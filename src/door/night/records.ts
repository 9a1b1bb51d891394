import { sql } from 'kysely'
import type { CallerScope, EventScope, TransactionDb, Tx } from '../../access/scopes.ts'
import { eventWithinReach } from '../records.ts'

export interface NightDevice {
  id: number
  name: string
  count: number
  lastSeenAt: Date | null
  queue: number | null
  snapshotAt: Date | null
}

/**
 * The devices of the account that are in use, and whatever else let somebody in. An entry that was taken back, by whomever,
 * counts no more for who had made it.
 */
export const findDevices = async ({ accountId, db }: TransactionDb, eventId: number): Promise<NightDevice[]> => {
  const { rows } = await sql<NightDevice>`
    with counted as (
      select r.credential_id, (count(*) - count(x.id))::int as count
      from redemption_attempts r
      left join redemption_attempts x on x.account_id = r.account_id and x.event_id = r.event_id
        and x.admission_id = r.admission_id and x.entry_number = r.entry_number
        and x.result = 'accepted' and x.kind = 'annulment'
      where r.account_id = ${accountId} and r.event_id = ${eventId} and r.result = 'accepted' and r.kind = 'entry'
      group by r.credential_id
    )
    select c.id, c.description as name, coalesce(n.count, 0) as count, coalesce(h.seen_at, c.last_used_at) as "lastSeenAt",
      h.queue, h.snapshot_at as "snapshotAt"
    from credentials c
    left join counted n on n.credential_id = c.id
    left join device_heartbeats h on h.account_id = c.account_id and h.credential_id = c.id
    where c.account_id = ${accountId}
      and (n.credential_id is not null or (c.kind = 'scanner_device' and c.revoked_at is null))
    order by c.description, c.id
  `.execute(db)
  return rows
}

export interface NightTicketCounts {
  ticketId: number | null
  title: string
  expected: number
  arrived: number
  inside: number
}

/** Expected are the valid tickets, and whoever came in before a ticket stopped being one. */
export const countTickets = async ({ accountId, db }: TransactionDb, eventId: number): Promise<NightTicketCounts[]> => {
  const { rows } = await sql<NightTicketCounts>`
    select a.ticket_id as "ticketId", a.ticket_title as title, count(*)::int as expected,
      count(a.redeemed_at)::int as arrived,
      (count(*) filter (where a.redeemed_at is not null and a.left_at is null))::int as inside
    from admissions a
    join orders o on o.account_id = a.account_id and o.event_id = a.event_id and o.id = a.order_id
    where a.account_id = ${accountId} and a.event_id = ${eventId}
      and (a.redeemed_at is not null or (a.status = 'active' and o.status = 'paid' and o.archived_at is null))
    group by 1, 2
    order by 2, 1
  `.execute(db)
  return rows
}

export interface ArrivalsOfMinute {
  minute: Date
  count: number
}

export const countArrivalsByMinute = async (
  { accountId, db }: TransactionDb,
  eventId: number,
): Promise<ArrivalsOfMinute[]> => {
  const { rows } = await sql<ArrivalsOfMinute>`
    select date_trunc('minute', a.redeemed_at) as minute, count(*)::int as count
    from admissions a
    where a.account_id = ${accountId} and a.event_id = ${eventId} and a.redeemed_at is not null
    group by 1
    order by 1
  `.execute(db)
  return rows
}

export interface NightConflict {
  id: number
  ticketPublicId: string
  origin: string
  isLead: boolean
  attendeeName: string | null
  customerName: string
  device: string
  scannedAt: Date
  redeemedAt: Date | null
  redeemedBy: string | null
}

const CONFLICTS_MAX = 500

/** Synced scans of guests who were in already, which nobody has acknowledged; the oldest first. */
export const findConflicts = async ({ accountId, db }: TransactionDb, eventId: number): Promise<NightConflict[]> => {
  const { rows } = await sql<NightConflict>`
    select r.id, r.public_id as "ticketPublicId", o.origin, a.is_lead as "isLead", a.attendee_name as "attendeeName",
      o.customer_name as "customerName", c.description as device, r.scanned_at as "scannedAt",
      a.redeemed_at as "redeemedAt", by.description as "redeemedBy"
    from (
      select account_id, event_id, attempt_id from sync_conflicts
      where account_id = ${accountId} and event_id = ${eventId} and acknowledged_at is null
      order by attempt_id
      limit ${CONFLICTS_MAX}
    ) k
    join redemption_attempts r on r.account_id = k.account_id and r.event_id = k.event_id and r.id = k.attempt_id
    join credentials c on c.account_id = r.account_id and c.id = r.credential_id
    join admissions a on a.account_id = r.account_id and a.id = r.admission_id
    join orders o on o.account_id = a.account_id and o.event_id = a.event_id and o.id = a.order_id
    left join lateral (
      select e.credential_id from redemption_attempts e
      where e.account_id = r.account_id and e.admission_id = r.admission_id and e.result = 'accepted'
        and e.kind = 'entry' and e.id < r.id
      order by e.entry_number desc limit 1
    ) entry on true
    left join credentials by on by.account_id = r.account_id and by.id = entry.credential_id
    order by r.id
  `.execute(db)
  return rows
}

export const findNow = async ({ db }: TransactionDb): Promise<Date> => {
  const { rows } = await sql<{ now: Date }>`select foyer_now() as now`.execute(db)
  return rows[0]!.now
}

/**
 * Changes with everything the night shows. Read every second, so it looks at no more than the ends of indexes, the
 * heartbeats of an account, and what the event's tickets sum up to.
 */
export const findNightVersion = async ({ rows: { accountId, db }, event }: EventScope): Promise<string> => {
  const { rows } = await sql<{ version: string }>`
    select concat_ws(' ',
      (select max(r.id) from redemption_attempts r where r.account_id = ${accountId} and r.event_id = ${event.id}),
      (select count(*) from sync_conflicts k
        where k.account_id = ${accountId} and k.event_id = ${event.id} and k.acknowledged_at is null),
      (select max(h.seen_at) from device_heartbeats h where h.account_id = ${accountId}),
      (select concat_ws('-', count(*), extract(epoch from sum(a.updated_at - timestamptz '2020-01-01 00:00Z')))
        from admissions a where a.account_id = ${accountId} and a.event_id = ${event.id}),
      -- The list of guests is kept fresh by the same stream, and not all that is said of a party stands in its admissions.
      (select extract(epoch from sum(o.updated_at - timestamptz '2020-01-01 00:00Z'))
        from orders o where o.account_id = ${accountId} and o.event_id = ${event.id} and o.origin = 'guest_list')
    ) as version
  `.execute(db)
  return rows[0]!.version
}

/** Says that somebody has seen to it; once is enough. False where there is no such conflict that the caller may see. */
export const recordConflictAcknowledgement = async (
  scope: CallerScope,
  tx: Tx,
  attemptId: number,
): Promise<boolean> => {
  const { rows } = await sql<{ id: number }>`
    with known as (
      select k.attempt_id as id from sync_conflicts k
      where k.account_id = ${tx.accountId} and k.attempt_id = ${attemptId} and ${eventWithinReach(scope, sql`k.event_id`)}
    ), acknowledged as (
      update sync_conflicts k set acknowledged_at = foyer_now(), membership_id = ${scope.actor.membershipId}
      from known where k.account_id = ${tx.accountId} and k.attempt_id = known.id and k.acknowledged_at is null
    )
    select id from known
  `.execute(tx.db)
  return rows.length > 0
}

/** Has it shown again. False where there is no such conflict that the caller may see. */
export const withdrawConflictAcknowledgement = async (
  scope: CallerScope,
  tx: Tx,
  attemptId: number,
): Promise<boolean> => {
  const { rows } = await sql<{ id: number }>`
    update sync_conflicts k set acknowledged_at = null, membership_id = null
    where k.account_id = ${tx.accountId} and k.attempt_id = ${attemptId} and ${eventWithinReach(scope, sql`k.event_id`)}
    returning k.attempt_id as id
  `.execute(tx.db)
  return rows.length > 0
}
