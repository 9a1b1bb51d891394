import { type Kysely, sql } from 'kysely'
import { prepareStatement } from '../../../database/prepared.ts'
import type { Tables } from '../../../database/table-types.ts'
import { ticketColumns, ticketColumnNames } from '../../records.ts'
import type { ScannableTicket } from '../../wire.ts'
import type { Attempt } from '../attempt.ts'
import type { JudgedAttempt } from '../wire.ts'

const TICKET_REDEEMED = 'Ticket redeemed'

type RedeemedRow = ScannableTicket & { n: number; redeemedAt: Date }

const redeemHeld = prepareStatement(
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
      returning h.n, h.credential_id, h.client_id, h.asked_slug, a.account_id, a.event_id, a.id,
        a.ended_entries + 1 as entry_number, ${ticketColumns}
    ),
    logged as (
      insert into redemption_attempts (account_id, credential_id, event_id, admission_id, client_id, event_slug,
        public_id, result, message, scanned_at, synced_at, accepted_at, entry_number)
      select account_id, credential_id, event_id, id, client_id, asked_slug, "publicId", 'accepted',
        ${sql.lit(TICKET_REDEEMED)}, "redeemedAt", "redeemedAt", "redeemedAt", entry_number
      from redeemed
      -- Two that were sent the same keys for other tickets wait for each other in one order.
      order by client_id
    )
    select n, ${ticketColumnNames} from redeemed`,
)

/**
 * Redeems tickets of these public IDs that nobody else holds and that are good; null for whatever needs a closer look, as
 * do attempts that were made before and guests who come back. Nobody is waited for, so it cannot be part of a circle. The version that is locked
 * must be the one that this statement sees: whoever changes an order changes its tickets too, so what was read of the
 * order is right as well. A client_id that another process makes known at the same moment is a broken constraint, and
 * then nothing was redeemed.
 */
export const redeemUncontested = async (
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
    const result = { kind: 'entry', result: 'accepted', message: TICKET_REDEEMED } as const
    judged[n - 1] = { clientId, eventSlug, publicId, ...result, ...times, ticket }
  }
  return judged
}
