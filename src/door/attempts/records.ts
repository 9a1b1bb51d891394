import { type Kysely, sql } from 'kysely'
import type { CallerScope, Rows, Tx } from '../../access/scopes.ts'
import { useGenericPlans, prepare } from '../../database/prepared.ts'
import type { Tables } from '../../database/table-types.ts'
import { type Identifier, ticketColumns, ticketNames, ticketTables, withinReach } from '../records.ts'
import type { Result } from '../rules.ts'
import type { JudgedAttempt, ScannableTicket } from '../wire.ts'

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

type AttemptRow = JudgedRow & (TicketRow | { public_id: null })

interface JudgedRow {
  n: number
  asked_public_id: string
  result: Result
  message: string
  scanned_at: Date
  synced_at: Date
  accepted_at: Date | null
}

interface TicketRow {
  public_id: string
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

type RedeemedRow = ScannableTicket & { n: number; redeemedAt: Date }

const redeemHeld = prepare(
  'redeem-held',
  sql<RedeemedRow>`
    with held as materialized (
      select asked.n::int, asked.credential_id, asked.client_id, asked.event_slug as asked_slug,
        a.account_id, a.event_id, a.order_id, a.ticket_id, a.ctid as version
      from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[]) with ordinality
        as asked (account_id, credential_id, event_id, event_slug, public_id, client_id, n)
      join admissions a on a.account_id = asked.account_id and a.public_id = asked.public_id
      left join redemption_attempts r on r.account_id = asked.account_id and r.credential_id = asked.credential_id
        and r.client_id = asked.client_id
      where (asked.event_id is null or asked.event_id = a.event_id)
        and (asked.client_id is null or (share_attempts_of(asked.credential_id) and r.id is null))
      for no key update of a skip locked
    ),
    redeemed as (
      update admissions a set redeemed_at = foyer_now(), updated_at = after_touch(a.updated_at)
      from held h
      join orders o on o.account_id = h.account_id and o.event_id = h.event_id and o.id = h.order_id
      join events e on e.account_id = h.account_id and e.id = h.event_id
      left join tickets t on t.account_id = h.account_id and t.event_id = h.event_id and t.id = h.ticket_id
      where a.ctid = h.version and why_blocked(o.status, o.archived_at, a.status, a.redeemed_at) is null
      returning h.n, h.credential_id, h.client_id, h.asked_slug, a.account_id, a.event_id, a.id, ${ticketColumns}
    ),
    logged as (
      insert into redemption_attempts (account_id, credential_id, event_id, admission_id, client_id, event_slug,
        public_id, result, message, scanned_at, synced_at, accepted_at)
      select account_id, credential_id, event_id, id, client_id, asked_slug, "publicId", 'accepted',
        ${sql.lit(TICKET_REDEEMED)}, "redeemedAt", "redeemedAt", "redeemedAt"
      from redeemed
      -- Two that were sent the same keys for other tickets wait for each other in one order.
      order by client_id
    )
    select n, ${ticketNames} from redeemed`,
)

/**
 * Redeems tickets of these public IDs that nobody else holds and that are good; null for whatever needs a closer look, as
 * do attempts that were made before. Nobody is waited for, so it cannot be part of a circle. The version that is locked
 * must be the one that this statement sees: whoever changes an order changes its tickets too, so what was read of the
 * order is right as well. A client_id that another process makes known at the same moment is a broken constraint, and
 * then nothing was redeemed.
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
    attempts.map(({ clientId }) => clientId),
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
  sql<AttemptRow>`
    -- taken as not null: n, asked_public_id, result, message, scanned_at, synced_at (it judges all it is given, and each names a public ID)
    select * from attempt_redemptions($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

const judgeAttemptsOnce = prepare(
  'attempt-redemptions-once',
  sql<AttemptRow>`
    -- taken as not null: n, asked_public_id, result, message, scanned_at, synced_at (each row is one of attempt_redemptions)
    select * from attempt_redemptions_once($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

const columnsOf = (attempts: readonly Attempt[]) => [
  attempts.map(({ accountId }) => accountId),
  attempts.map(({ credentialId }) => credentialId),
  attempts.map(({ eventId }) => eventId),
  attempts.map(({ membershipId }) => membershipId),
  attempts.map(({ eventSlug }) => eventSlug),
  attempts.map(({ identifier }) => identifier.publicId),
  attempts.map(({ identifier }) => identifier.code),
  attempts.map(({ clientId }) => clientId),
  attempts.map(({ scannedAt }) => scannedAt),
]

/** Judges the attempts in this order, in one statement, and answers each by its position. */
export const attemptRedemptions = async (
  db: Kysely<Tables>,
  attempts: readonly Attempt[],
): Promise<JudgedAttempt[]> => {
  const judged: JudgedAttempt[] = []
  for (const row of await judgeAttempts(db, columnsOf(attempts))) {
    judged[row.n - 1] = judgedAttempt(row, attempts[row.n - 1]!)
  }
  return judged
}

/** The same for attempts of many devices; null for what was attempted before, or is by a device that syncs just now. */
export const attemptRedemptionsOnce = async (
  db: Kysely<Tables>,
  attempts: readonly Attempt[],
): Promise<(JudgedAttempt | null)[]> => {
  const judged: (JudgedAttempt | null)[] = attempts.map(() => null)
  for (const row of await judgeAttemptsOnce(db, columnsOf(attempts))) {
    judged[row.n - 1] = judgedAttempt(row, attempts[row.n - 1]!)
  }
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
  await useGenericPlans(tx.db)
  await sql`select lock_attempts_of(${credentialId})`.execute(tx.db)
}

/** Comes back when the device is not syncing; by then it may be syncing again. */
export const waitForAttemptsOf = async ({ db }: Rows, credentialId: number) => {
  await sql`select wait_for_attempts_of(${credentialId})`.execute(db)
}

/** Which of these attempts the device made before. */
export const findKnownClientIds = async (tx: Tx, credentialId: number, clientIds: readonly string[]) => {
  const { rows } = await sql<{ clientId: string }>`
    select client_id as "clientId" from redemption_attempts
    where account_id = ${tx.accountId} and credential_id = ${credentialId} and client_id = any (${clientIds}::text[])
  `.execute(tx.db)
  return new Set(rows.map(({ clientId }) => clientId))
}

type KeptRow = Pick<JudgedAttempt, 'result' | 'message' | 'scannedAt' | 'syncedAt' | 'acceptedAt'> & {
  n: number
  keptSlug: string
  keptId: string
  isWithinReach: boolean
} & (ScannableTicket | { publicId: null })

/**
 * What was said about these attempts when they were made, with their tickets as they stand now; null for those that were
 * never made. Of a ticket that has gone out of the caller's reach nothing is shown.
 */
export const findKeptAttempts = async (
  db: Kysely<Tables>,
  attempts: readonly Attempt[],
): Promise<(JudgedAttempt | null)[]> => {
  const { rows } = await sql<KeptRow>`
    select asked.n::int, r.event_slug as "keptSlug", r.public_id as "keptId", r.result, r.message,
      r.scanned_at as "scannedAt", r.synced_at as "syncedAt", r.accepted_at as "acceptedAt",
      ${isWithinReach} as "isWithinReach", ${ticketColumns}
    from unnest(
      ${attempts.map(({ accountId }) => accountId)}::bigint[], ${attempts.map(({ credentialId }) => credentialId)}::bigint[],
      ${attempts.map(({ membershipId }) => membershipId)}::bigint[], ${attempts.map(({ clientId }) => clientId)}::text[]
    ) with ordinality as asked (account_id, credential_id, membership_id, client_id, n)
    join redemption_attempts r on r.account_id = asked.account_id and r.credential_id = asked.credential_id
      and r.client_id = asked.client_id
    left join assignments s on s.account_id = asked.account_id and s.membership_id = asked.membership_id
      and s.event_id = r.event_id
    left join (${ticketTables}) on a.account_id = asked.account_id and a.id = r.admission_id and ${isWithinReach}
  `.execute(db)

  const kept: (JudgedAttempt | null)[] = attempts.map(() => null)
  for (const row of rows) kept[row.n - 1] = keptAttempt(row, attempts[row.n - 1]!)
  return kept
}

/** Attempts that named nothing are of no event, and everybody's who made them. */
const isWithinReach = sql`(asked.membership_id is null or r.admission_id is null or s.event_id is not null)`

const keptAttempt = (row: KeptRow, asked: Attempt): JudgedAttempt => {
  const {
    n: _,
    keptSlug,
    keptId,
    isWithinReach: isShown,
    result,
    message,
    scannedAt,
    syncedAt,
    acceptedAt,
    ...ticket
  } = row
  return {
    clientId: asked.clientId,
    eventSlug: isShown ? keptSlug : asked.eventSlug,
    publicId: isShown ? keptId : asked.identifier.publicId,
    result,
    message,
    scannedAt,
    syncedAt,
    acceptedAt,
    ticket: ticket.publicId === null ? null : ticket,
  }
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
