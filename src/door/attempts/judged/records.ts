import { type Kysely, sql } from 'kysely'
import { prepareStatement } from '../../../database/prepared.ts'
import type { Tables } from '../../../database/table-types.ts'
import type { AttemptResult } from '../../rules.ts'
import type { Attempt } from '../attempt.ts'
import type { JudgedAttempt } from '../wire.ts'

type AttemptRow = JudgedRow & (TicketRow | { public_id: null })

interface JudgedRow {
  n: number
  asked_public_id: string
  result: AttemptResult
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

const judgeAttempts = prepareStatement(
  'attempt-redemptions',
  sql<AttemptRow>`
    -- taken as not null: n, asked_public_id, result, message, scanned_at, synced_at (it judges all it is given, and each names a public ID)
    select * from attempt_redemptions($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

const judgeAttemptsOnce = prepareStatement(
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
  kind: 'entry',
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
          // Who is let in is inside, and who is not lets nobody ask whether they had been.
          leftAt: null,
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
