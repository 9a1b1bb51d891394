import { sql } from 'kysely'
import type { Permission, Role } from '../../access/callers.ts'
import type { Rows } from '../../access/scopes.ts'

export interface ExportedMember {
  name: string
  email: string
  role: Role
  isActive: boolean
  /** Slugs. */
  events: string[]
}

/** In the order in which they joined, so that the first active owner is the account owner. */
export const findMembers = async ({ accountId, db }: Rows): Promise<ExportedMember[]> => {
  const { rows } = await sql<ExportedMember>`
    select p.name, p.email, m.role, m.deactivated_at is null as "isActive",
      array(
        select e.slug from assignments s join events e on e.account_id = s.account_id and e.id = s.event_id
        where s.account_id = m.account_id and s.membership_id = m.id and m.role = 'co_organizer' order by e.id
      ) as events
    from memberships m join people p on p.id = m.person_id
    where m.account_id = ${accountId} order by m.id`.execute(db)
  return rows
}

export interface ExportedCredential {
  description: string
  permission: Permission
  /** The address of the member a personal token belongs to. */
  person: string | null
  /** Also where the membership has changed since, which ended it. */
  isRevoked: boolean
}

export const findApiTokens = async ({ accountId, db }: Rows): Promise<ExportedCredential[]> => {
  const { rows } = await sql<ExportedCredential>`
    select c.description, c.permission, p.email as person,
      c.revoked_at is not null or coalesce(c.membership_epoch <> m.credential_epoch or m.deactivated_at is not null, false)
        as "isRevoked"
    from credentials c
    left join memberships m on m.account_id = c.account_id and m.id = c.membership_id
    left join people p on p.id = m.person_id
    where c.account_id = ${accountId} and c.kind in ('account_token', 'personal_token') order by c.id`.execute(db)
  return rows
}

export const findDevices = async ({ accountId, db }: Rows): Promise<{ name: string; isRevoked: boolean }[]> => {
  const { rows } = await sql<{ name: string; isRevoked: boolean }>`
    select description as name, revoked_at is not null as "isRevoked"
    from credentials where account_id = ${accountId} and kind = 'scanner_device' order by id`.execute(db)
  return rows
}
