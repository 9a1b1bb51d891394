import { type Kysely, sql } from 'kysely'
import type { CallerScope, EventScope, Rows, Tx } from '../../access/scopes.ts'
import { planOnce, prepare } from '../../database/prepared.ts'
import type { Tables } from '../../database/table-types.ts'
import { type Identifier, ticketColumns, ticketNames, ticketTables, withinReach } from '../records.ts'
import type { Result } from '../rules.ts'
import type { JudgedAttempt, TicketAtTheDoor } from '../wire.ts'

/** One try to redeem a ticket, by whom and where. */
export interface Attempt {
  accountId: number
  credentialId: number
  /** Null for any event of the account. */
  eventId: number | null
  /** A member who must be assigned to the ticket's event; null where the whole account is open. */
  membershipId: number | null
  eventSlug: string
  identifier: Identifier
  clientId: string | null
  scannedAt: Date | null
}

interface AttemptRow {
  n: number
  asked_public_id: string
  result: Result
  message: string
  scanned_at: Date
  synced_at: Date
  accepted_at: Date | null
  public_id: string | null
  check_in_code: string
  event_slug: string
  event_title: string
  ticket_title: string
  ticket_color: string | null
  is_lead: boolean
  attendee_name: string | null
  status: string
  redeemed_at: Date | null
  place_label: string | null
  place_snapshot: Record<string, unknown> | null
  updated_at: Date
  origin: string
  order_status: string
  archived_at: Date | null
  customer_name: string
  staff_note: string | null
}

const TICKET_REDEEMED = 'Ticket redeemed'

type RedeemedRow = TicketAtTheDoor & { n: number; redeemedAt: Date }

const redeemHeld = prepare(
  'redeem-held',
  sql<RedeemedRow>`
    with held as materialized (
      select asked.n::int, asked.credential_id, asked.event_slug as asked_slug,
        a.account_id, a.event_id, a.order_id, a.ticket_id, a.ctid as version
      from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[]) with ordinality
        as asked (account_id, credential_id, event_id, event_slug, public_id, n)
      join admissions a on a.account_id = asked.account_id and a.public_id = asked.public_id
      where asked.event_id is null or asked.event_id = a.event_id
      for no key update of a skip locked
    ),
    redeemed as (
      update admissions a set redeemed_at = foyer_now(), updated_at = after_touch(a.updated_at)
      from held h
      join orders o on o.account_id = h.account_id and o.event_id = h.event_id and o.id = h.order_id
      join events e on e.account_id = h.account_id and e.id = h.event_id
      left join tickets t on t.account_id = h.account_id and t.event_id = h.event_id and t.id = h.ticket_id
      where a.ctid = h.version and why_blocked(o.status, o.archived_at, a.status, a.redeemed_at) is null
      returning h.n, h.credential_id, h.asked_slug, a.account_id, a.event_id, a.id, ${ticketColumns}
    ),
    logged as (
      insert into redemption_attempts (account_id, credential_id, event_id, admission_id, event_slug, public_id,
        result, message, scanned_at, synced_at, accepted_at)
      select account_id, credential_id, event_id, id, asked_slug, "publicId",
        'accepted', ${sql.lit(TICKET_REDEEMED)}, "redeemedAt", "redeemedAt", "redeemedAt"
      from redeemed
    )
    select n, ${ticketNames} from redeemed`,
)

/**
 * Redeems tickets of these public IDs that nobody else holds and that are good; null for whatever needs a closer look.
 * Nobody is waited for, so it cannot be part of a circle. The version that is locked must be the one that this statement
 * sees: whoever changes an order changes its tickets too, so what was read of the order is right as well.
 */
export const redeemAtOnce = async (
  db: Kysely<Tables>,
  attempts: readonly Attempt[],
): Promise<(JudgedAttempt | null)[]> => {
  const rows = await redeemHeld(db, [
    attempts.map(({ accountId }) => accountId),
    attempts.map(({ credentialId }) => credentialId),
    attempts.map(({ eventId }) => eventId),
    attempts.map(({ eventSlug }) => eventSlug),
    attempts.map(({ identifier }) => identifier.publicId),
  ])

  const judged: (JudgedAttempt | null)[] = attempts.map(() => null)
  for (const { n, ...ticket } of rows) {
    const { clientId, eventSlug } = attempts[n - 1]!
    const { publicId, redeemedAt: now } = ticket
    const times = { scannedAt: now, syncedAt: now, acceptedAt: now }
    judged[n - 1] = { clientId, eventSlug, publicId, result: 'accepted', message: TICKET_REDEEMED, ...times, ticket }
  }
  return judged
}

const judgeAttempts = prepare(
  'attempt-redemptions',
  sql<AttemptRow>`select * from attempt_redemptions($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

/** Judges the attempts in this order, in one statement, and answers each by its position. */
export const attemptRedemptions = async (
  db: Kysely<Tables>,
  attempts: readonly Attempt[],
): Promise<JudgedAttempt[]> => {
  const rows = await judgeAttempts(db, [
    attempts.map(({ accountId }) => accountId),
    attempts.map(({ credentialId }) => credentialId),
    attempts.map(({ eventId }) => eventId),
    attempts.map(({ membershipId }) => membershipId),
    attempts.map(({ eventSlug }) => eventSlug),
    attempts.map(({ identifier }) => identifier.publicId),
    attempts.map(({ identifier }) => identifier.code),
    attempts.map(({ clientId }) => clientId),
    attempts.map(({ scannedAt }) => scannedAt),
  ])

  const judged: JudgedAttempt[] = []
  for (const row of rows) judged[row.n - 1] = judgedAttempt(row, attempts[row.n - 1]!)
  return judged
}

const judgedAttempt = (row: AttemptRow, { clientId, eventSlug }: Attempt): JudgedAttempt => ({
  clientId,
  eventSlug,
  publicId: row.asked_public_id,
  result: row.result,
  message: row.message,
  scannedAt: row.scanned_at,
  syncedAt: row.synced_at,
  acceptedAt: row.accepted_at,
  ticket:
    row.public_id === null
      ? null
      : {
          publicId: row.public_id,
          checkInCode: row.check_in_code,
          eventSlug: row.event_slug,
          eventTitle: row.event_title,
          ticketTitle: row.ticket_title,
          ticketColor: row.ticket_color,
          isLead: row.is_lead,
          attendeeName: row.attendee_name,
          status: row.status,
          redeemedAt: row.redeemed_at,
          placeLabel: row.place_label,
          placeSnapshot: row.place_snapshot,
          updatedAt: row.updated_at,
          origin: row.origin,
          orderStatus: row.order_status,
          archivedAt: row.archived_at,
          customerName: row.customer_name,
          staffNote: row.staff_note,
        },
})

/** One device's batches come one after the other, also when the same one is sent twice at once. */
export const lockAttemptsOf = async (tx: Tx, credentialId: number) => {
  await planOnce(tx.db)
  await sql`select lock_attempts_of(${credentialId})`.execute(tx.db)
}

/** Which of these attempts the device made before. */
export const findKnownClientIds = async (tx: Tx, credentialId: number, clientIds: readonly string[]) => {
  const { rows } = await sql<{ clientId: string }>`
    select client_id as "clientId" from redemption_attempts
    where account_id = ${tx.accountId} and credential_id = ${credentialId} and client_id = any (${clientIds}::text[])
  `.execute(tx.db)
  return new Set(rows.map(({ clientId }) => clientId))
}

type KeptRow = Omit<JudgedAttempt, 'ticket' | 'eventSlug' | 'publicId'> & { askedSlug: string; askedId: string } & (
    | TicketAtTheDoor
    | { publicId: null }
  )

/** What was said about these attempts when they were made, with their tickets as they stand now. */
export const findKeptAttempts = async (
  tx: Tx,
  credentialId: number,
  clientIds: readonly string[],
): Promise<JudgedAttempt[]> => {
  const { rows } = await sql<KeptRow>`
    select r.client_id as "clientId", r.event_slug as "askedSlug", r.public_id as "askedId", r.result, r.message,
      r.scanned_at as "scannedAt", r.synced_at as "syncedAt", r.accepted_at as "acceptedAt", ${ticketColumns}
    from redemption_attempts r
    left join (${ticketTables}) on a.account_id = r.account_id and a.id = r.admission_id
    where r.account_id = ${tx.accountId} and r.credential_id = ${credentialId}
      and r.client_id = any (${clientIds}::text[])
  `.execute(tx.db)
  return rows.map(({ clientId, askedSlug, askedId, result, message, scannedAt, syncedAt, acceptedAt, ...ticket }) => ({
    clientId,
    eventSlug: askedSlug,
    publicId: askedId,
    result,
    message,
    scannedAt,
    syncedAt,
    acceptedAt,
    ticket: ticket.publicId === null ? null : ticket,
  }))
}

/** The events of these slugs that the caller may see. */
export const findEventIds = async (scope: CallerScope, slugs: readonly string[]): Promise<Map<string, number>> => {
  const { accountId, db } = scope.rows
  const { rows } = await sql<{ id: number; slug: string }>`
    select e.id, e.slug from events e
    where e.account_id = ${accountId} and e.slug = any (${slugs}::text[]) and ${withinReach(scope, sql`e.id`)}
  `.execute(db)
  return new Map(rows.map(({ slug, id }) => [slug, id]))
}

/** An attempt of the log, with who made it. */
export interface LoggedAttempt {
  clientId: string | null
  publicId: string
  result: Result
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

/** Newest first. */
export const findAttempts = async (
  { rows: { accountId, db }, event }: EventScope,
  { limit, offset }: { limit: number; offset: number },
): Promise<LoggedAttempt[]> => {
  const { rows } = await sql<LoggedAttempt>`
    select r.client_id as "clientId", r.public_id as "publicId", r.result, r.message, r.scanned_at as "scannedAt",
      r.synced_at as "syncedAt", r.accepted_at as "acceptedAt", c.kind as "credentialKind",
      c.description as "credentialName", a.ticket_title as "ticketTitle", o.origin, a.is_lead as "isLead",
      a.attendee_name as "attendeeName", o.customer_name as "customerName"
    from (
      select * from redemption_attempts
      where account_id = ${accountId} and event_id = ${event.id}
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
