import { type Kysely, sql } from 'kysely'
import type { Tx } from '../../../access/scopes.ts'
import type { Tables } from '../../../database/table-types.ts'
import { ticketColumns, ticketTables } from '../../records.ts'
import type { ScannableTicket } from '../../wire.ts'
import type { Attempt } from '../attempt.ts'
import type { JudgedAttempt } from '../wire.ts'

/** Which of these attempts the device made before. */
export const findKnownClientIds = async (tx: Tx, credentialId: number, clientIds: readonly string[]) => {
  const { rows } = await sql<{ clientId: string }>`
    select client_id as "clientId" from redemption_attempts
    where account_id = ${tx.accountId} and credential_id = ${credentialId} and client_id = any (${clientIds}::text[])
  `.execute(tx.db)
  return new Set(rows.map(({ clientId }) => clientId))
}

type KeptRow = Pick<JudgedAttempt, 'kind' | 'result' | 'message' | 'scannedAt' | 'syncedAt' | 'acceptedAt'> & {
  n: number
  keptSlug: string
  keptId: string
  isWithinReach: boolean
} & (ScannableTicket | { publicId: null })

/**
 * What was said about these attempts when they were made, with their tickets as they stand now; null for those that were
 * never made. Of a ticket that has gone out of the caller's reach nothing is shown.
 */
export const findEarlierAttempts = async (
  db: Kysely<Tables>,
  attempts: readonly Attempt[],
): Promise<(JudgedAttempt | null)[]> => {
  const { rows } = await sql<KeptRow>`
    select asked.n::int, r.event_slug as "keptSlug", r.public_id as "keptId", r.kind, r.result, r.message,
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
    kind,
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
    kind,
    result,
    message,
    scannedAt,
    syncedAt,
    acceptedAt,
    ticket: ticket.publicId === null ? null : ticket,
  }
}
