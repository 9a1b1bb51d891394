import { sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'

export interface LoggedAction {
  action: string
  publicId: string
  /** Whether tickets were mailed along with it. */
  delivers: boolean
  by: string | null
  at: Date
}

/** What the log says of a party and its admissions, newest first. */
export const findAuditedActions = async (
  rows: Rows,
  publicIds: readonly string[],
  limit: number,
): Promise<LoggedAction[]> => {
  const { rows: actions } = await sql<LoggedAction>`
    -- taken as not null: publicId (only entries with one are looked for)
    select action, subject ->> 'public_id' as "publicId", coalesce(subject ->> 'deliver', '') = 'true' as delivers,
      actor_name as by, created_at as at from audit_entries
    where account_id = ${rows.accountId} and subject ->> 'public_id' = any (${publicIds}::text[])
    order by id desc limit ${limit}`.execute(rows.db)
  return actions
}

export interface LoggedDoorEntry {
  kind: 'entry' | 'exit' | 'annulment'
  publicId: string
  by: string | null
  at: Date
}

/** Who came in and went out, newest first. */
export const findDoorEntries = async (
  rows: Rows,
  eventId: number,
  orderId: number,
  limit: number,
): Promise<LoggedDoorEntry[]> => {
  const { rows: entries } = await sql<LoggedDoorEntry>`
    select r.kind, r.public_id as "publicId", c.description as by, r.scanned_at as at
    from admissions a
    join redemption_attempts r on r.account_id = a.account_id and r.admission_id = a.id and r.result = 'accepted'
    left join credentials c on c.account_id = r.account_id and c.id = r.credential_id
    where a.account_id = ${rows.accountId} and a.event_id = ${eventId} and a.order_id = ${orderId}
    order by r.id desc limit ${limit}`.execute(rows.db)
  return entries
}

export interface ImportOfParty {
  appliedBy: string | null
  undoneAt: Date | null
}

export const findImportOf = async (rows: Rows, orderId: number): Promise<ImportOfParty | undefined> => {
  const { rows: imports } = await sql<ImportOfParty>`
    select i.applied_by as "appliedBy", i.undone_at as "undoneAt"
    from guest_import_rows r join guest_imports i on i.account_id = r.account_id and i.id = r.import_id
    where r.account_id = ${rows.accountId} and r.order_id = ${orderId}`.execute(rows.db)
  return imports[0]
}
