import { sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'
import type { AuditRow } from './wire.ts'

export interface AuditFilter {
  actorId: number | null
  credentialId: number | null
  /** The beginning of an action, such as "POST /admin/invitations". */
  action: string
  from: Date | null
  to: Date | null
  /** Entries older than this one. */
  before: number | null
  limit: number
}

/** Newest first; their IDs ascend with their time closely enough to page by. */
export const findAuditEntries = async (rows: Rows, filter: AuditFilter): Promise<AuditRow[]> => {
  const found = await sql<AuditRow>`
    select id, action, subject, membership_id as "membershipId", actor_name as "actorName",
      credential_id as "credentialId", credential_kind as "credentialKind",
      credential_description as "credentialDescription", created_at as "createdAt"
    from audit_entries
    where account_id = ${rows.accountId}
      and (${filter.before}::bigint is null or id < ${filter.before}::bigint)
      and (${filter.actorId}::bigint is null or membership_id = ${filter.actorId}::bigint)
      and (${filter.credentialId}::bigint is null or credential_id = ${filter.credentialId}::bigint)
      and starts_with(action, ${filter.action})
      and (${filter.from}::timestamptz is null or created_at >= ${filter.from}::timestamptz)
      and (${filter.to}::timestamptz is null or created_at < ${filter.to}::timestamptz)
    order by id desc limit ${filter.limit}`.execute(rows.db)
  return found.rows
}
