import { sql } from 'kysely'
import type { CallerScope, Rows, Tx } from '../../../access/scopes.ts'
import { ticketColumns, ticketTables, eventWithinReach } from '../../records.ts'
import type { EntryEndFacts } from '../../rules.ts'
import type { ScannableTicket } from '../../wire.ts'
import type { Attempt } from '../attempt.ts'
import type { JudgedAttempt } from '../wire.ts'

/** In the order in which whoever redeems locks them. */
export const lockTickets = async (tx: Tx, attempts: readonly Attempt[]) => {
  await sql`
    select from admissions
    where account_id = ${tx.accountId} and public_id = any (${attempts.map(({ identifier }) => identifier.publicId)}::text[])
    order by account_id, id
    for no key update`.execute(tx.db)
}

/** A locked ticket with its last entry. */
export interface EndableTicket extends EntryEndFacts {
  id: number
  eventId: number
  publicId: string
  endedEntries: number
  /** When they last went out before the present entry. */
  lastExitAt: Date | null
  now: Date
}

type TicketRow = Omit<EndableTicket, 'entry'> & { credentialId: number | null; acceptedAt: Date | null }

/** By public ID, those that the caller may see. */
export const findEndableTickets = async (
  scope: CallerScope,
  { accountId, db }: Tx,
  publicIds: readonly string[],
): Promise<Map<string, EndableTicket>> => {
  const { rows } = await sql<TicketRow>`
    select a.id, a.event_id as "eventId", a.public_id as "publicId", a.redeemed_at as "redeemedAt",
      a.left_at as "leftAt", a.ended_entries as "endedEntries", e.reentry, r.credential_id as "credentialId",
      r.accepted_at as "acceptedAt", foyer_now() as now,
      (
        select max(x.accepted_at) from redemption_attempts x
        where x.account_id = a.account_id and x.admission_id = a.id and x.result = 'accepted' and x.kind = 'exit'
      ) as "lastExitAt"
    from admissions a
    join events e on e.account_id = a.account_id and e.id = a.event_id
    left join redemption_attempts r on r.account_id = a.account_id and r.admission_id = a.id
      and r.result = 'accepted' and r.kind = 'entry' and r.entry_number = a.ended_entries + 1
    where a.account_id = ${accountId} and a.public_id = any (${publicIds}::text[])
      and ${eventWithinReach(scope, sql`a.event_id`)}
  `.execute(db)
  return new Map(
    rows.map(({ credentialId, acceptedAt, ...ticket }) => [
      ticket.publicId,
      { ...ticket, entry: credentialId === null || acceptedAt === null ? null : { credentialId, acceptedAt } },
    ]),
  )
}

/** An attempt to end an entry, and what is said about it. */
export interface EntryEndAttempt {
  attempt: Attempt
  ticket: EndableTicket | undefined
  result: JudgedAttempt['result']
  message: string
  /** Which entry it ended, where it did. */
  entryNumber: number | null
}

/** Adds the attempts to the log, and tells under which time. */
export const insertEndAttempts = async (tx: Tx, ends: readonly EntryEndAttempt[]): Promise<Date> => {
  const { rows } = await sql<{ syncedAt: Date }>`
    insert into redemption_attempts (account_id, credential_id, event_id, admission_id, client_id, event_slug, public_id,
      kind, reason, result, message, scanned_at, synced_at, accepted_at, entry_number)
    select ${tx.accountId}, given.credential_id, given.event_id, given.admission_id, given.client_id, given.event_slug,
      given.public_id, given.kind, given.reason, given.result, given.message, coalesce(given.scanned_at, foyer_now()),
      foyer_now(), case when given.result = 'accepted' then foyer_now() end, given.entry_number
    from unnest(
      ${ends.map(({ attempt }) => attempt.credentialId)}::bigint[],
      ${ends.map(({ attempt, ticket }) => ticket?.eventId ?? attempt.eventId ?? 0)}::bigint[],
      ${ends.map(({ ticket }) => ticket?.id ?? null)}::bigint[],
      ${ends.map(({ attempt }) => attempt.clientId)}::text[],
      ${ends.map(({ attempt }) => attempt.eventSlug)}::text[],
      ${ends.map(({ attempt }) => attempt.identifier.publicId)}::text[],
      ${ends.map(({ attempt }) => attempt.kind)}::text[],
      ${ends.map(({ attempt }) => attempt.reason)}::text[],
      ${ends.map(({ result }) => result)}::text[],
      ${ends.map(({ message }) => message)}::text[],
      ${ends.map(({ attempt }) => attempt.scannedAt)}::timestamptz[],
      ${ends.map(({ entryNumber }) => entryNumber)}::integer[]
    ) with ordinality as given (credential_id, event_id, admission_id, client_id, event_slug, public_id, kind, reason,
      result, message, scanned_at, entry_number, n)
    order by given.n
    returning synced_at as "syncedAt"
  `.execute(tx.db)
  return rows[0]!.syncedAt
}

/** Writes down how these tickets stand now. */
export const updateEndedTickets = async (tx: Tx, tickets: readonly EndableTicket[]) => {
  await sql`
    update admissions a
    set redeemed_at = case when given.is_redeemed then a.redeemed_at end, left_at = given.left_at, ended_entries = given.ended_entries,
      updated_at = after_touch(a.updated_at)
    from unnest(
      ${tickets.map(({ id }) => id)}::bigint[], ${tickets.map(({ redeemedAt }) => redeemedAt !== null)}::boolean[],
      ${tickets.map(({ leftAt }) => leftAt)}::timestamptz[], ${tickets.map(({ endedEntries }) => endedEntries)}::integer[]
    ) as given (id, is_redeemed, left_at, ended_entries)
    where a.account_id = ${tx.accountId} and a.id = given.id
  `.execute(tx.db)
}

/** By public ID. */
export const findScannableTickets = async (
  { accountId, db }: Tx,
  publicIds: readonly string[],
): Promise<Map<string, ScannableTicket>> => {
  const { rows } = await sql<ScannableTicket>`
    select ${ticketColumns} from ${ticketTables}
    where a.account_id = ${accountId} and a.public_id = any (${publicIds}::text[])
  `.execute(db)
  return new Map(rows.map((ticket) => [ticket.publicId, ticket]))
}

export interface EntryMismatch {
  admissionId: number
  kept: string
  logged: string
}

/**
 * Where a ticket says otherwise than the log: who is inside, and how many entries were ended. What came redeemed with a
 * venue file has no entry in the log until it is ended.
 */
export const findEntryMismatches = async ({ accountId, db }: Rows): Promise<EntryMismatch[]> => {
  const { rows } = await sql<EntryMismatch>`
    with logged as (
      select admission_id, count(*) filter (where kind = 'entry') as entries,
        count(*) filter (where kind <> 'entry') as ends, count(*) filter (where kind = 'exit') as exits,
        max(entry_number) filter (where kind = 'entry') as last_entry
      from redemption_attempts
      where account_id = ${accountId} and result = 'accepted'
      group by admission_id
    ),
    compared as (
      select a.id, concat_ws(' ', case when a.redeemed_at is not null then 'redeemed' end,
          case when a.redeemed_at is not null and a.left_at is null then 'inside' end, a.ended_entries, 'ended') as kept,
        concat_ws(' ', case when l.exits > 0 or l.last_entry > l.ends then 'redeemed' end,
          case when l.last_entry > l.ends then 'inside' end, l.ends, 'ended') as logged
      from logged l
      join admissions a on a.account_id = ${accountId} and a.id = l.admission_id
      union all
      select a.id, concat(a.ended_entries, ' ended'), '0 ended'
      from admissions a
      where a.account_id = ${accountId} and a.ended_entries > 0
        and not exists (select from logged l where l.admission_id = a.id)
    )
    select id as "admissionId", kept, logged from compared where kept <> logged order by id
  `.execute(db)
  return rows
}
