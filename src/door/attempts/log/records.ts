import { sql } from 'kysely'
import type { EventScope, Rows } from '../../../access/scopes.ts'
import type { AttemptKind, AttemptResult } from '../../rules.ts'

/** An attempt of the log, with who made it. */
export interface LoggedAttempt {
  clientId: string | null
  publicId: string
  kind: AttemptKind
  reason: string | null
  result: AttemptResult
  message: string
  scannedAt: Date
  syncedAt: Date
  acceptedAt: Date | null
  credentialKind: string
  credentialName: string
  ticketTitle: string | null
  origin: string | null
  isLead: boolean | null
  attendeeName: string | null
  customerName: string | null
}

/** Newest first; with a public ID the accepted entries of that ticket. */
export const findAttempts = async (
  { rows: { accountId, db }, event }: EventScope,
  { limit, offset, publicId }: { limit: number; offset: number; publicId: string },
): Promise<LoggedAttempt[]> => {
  const { rows } = await sql<LoggedAttempt>`
    select r.client_id as "clientId", r.public_id as "publicId", r.kind, r.reason, r.result, r.message, r.scanned_at as "scannedAt",
      r.synced_at as "syncedAt", r.accepted_at as "acceptedAt", c.kind as "credentialKind",
      c.description as "credentialName", a.ticket_title as "ticketTitle", o.origin, a.is_lead as "isLead",
      a.attendee_name as "attendeeName", o.customer_name as "customerName"
    from (
      select * from redemption_attempts
      where account_id = ${accountId} and event_id = ${event.id} and ${publicId === '' ? sql`true` : entriesOf(accountId, publicId)}
      order by id desc
      limit ${limit} offset ${offset}
    ) r
    join credentials c on c.account_id = r.account_id and c.id = r.credential_id
    left join admissions a on a.account_id = r.account_id and a.id = r.admission_id
    left join orders o on o.account_id = a.account_id and o.id = a.order_id
    order by r.id desc
  `.execute(db)
  return rows
}

const entriesOf = (accountId: number, publicId: string) => sql`(
  result = 'accepted' and kind = 'entry'
  and admission_id = (select id from admissions where account_id = ${accountId} and public_id = ${publicId})
)`

export interface Arrivals {
  expected: number
  arrived: number
  ticketTypes: { title: string; expected: number; arrived: number }[]
  /** When somebody came: the beginnings of five minutes, with how many. */
  fiveMinutes: { startsAt: Date; arrived: number }[]
}

/** Expected are the valid tickets, and whoever came in before a ticket stopped being one. */
export const countArrivals = async ({ accountId, db }: Rows, eventId: number): Promise<Arrivals> => {
  const { rows } = await sql<{ title: string; startsAt: Date | null; expected: number; arrived: number }>`
    select a.ticket_title as title,
      date_bin('5 minutes', a.redeemed_at, timestamptz '2020-01-01 00:00Z') as "startsAt",
      count(*)::int as expected, count(a.redeemed_at)::int as arrived
    from admissions a
    join orders o on o.account_id = a.account_id and o.id = a.order_id
    where a.account_id = ${accountId} and a.event_id = ${eventId}
      and (a.redeemed_at is not null or (a.status = 'active' and o.status = 'paid' and o.archived_at is null))
    group by 1, 2
    order by 2, 1
  `.execute(db)

  const types = Map.groupBy(rows, (row) => row.title)
  const times = Map.groupBy(
    rows.filter((row) => row.startsAt !== null),
    (row) => row.startsAt!.getTime(),
  )
  return {
    expected: sum(rows, 'expected'),
    arrived: sum(rows, 'arrived'),
    ticketTypes: [...types]
      .map(([title, group]) => ({ title, expected: sum(group, 'expected'), arrived: sum(group, 'arrived') }))
      .toSorted((one, other) => one.title.localeCompare(other.title)),
    fiveMinutes: [...times].map(([time, group]) => ({ startsAt: new Date(time), arrived: sum(group, 'arrived') })),
  }
}

const sum = <Key extends string>(rows: readonly Record<Key, number>[], key: Key) =>
  rows.reduce((total, row) => total + row[key], 0)
