import { type RawBuilder, sql } from 'kysely'
import type { Role } from '../../access/callers.ts'
import { claimKeys, introducePeople, keyOfId } from '../../access/directory-keys.ts'
import type { AccountScope, Rows, Tx } from '../../access/scopes.ts'
import type { Language } from '../../languages/rules.ts'
import type { AssignableRole } from '../rules.ts'
import type { Invitation } from './wire.ts'

const selectInvitations = ({ accountId }: Rows) => sql`
  select i.id, i.email, i.role, i.created_at as "createdAt",
    array(
      select e.event_id from invitation_events e
      where e.account_id = i.account_id and e.invitation_id = i.id order by e.event_id
    ) as "eventIds",
    (
      select coalesce(json_agg(json_build_object('publicId', p.public_id, 'name', p.name, 'code', o.code)
        order by o.position), '[]')
      from invitation_programs o
      join promoter_programs p on p.account_id = o.account_id and p.id = o.program_id
      where o.account_id = i.account_id and o.invitation_id = i.id
    ) as programs
  from invitations i
  where i.account_id = ${accountId} and i.accepted_at is null and i.revoked_at is null`

/** Newest first. One whose link has run out is still pending: it can be mailed again, or revoked. */
export const findPendingInvitations = async (rows: Rows): Promise<Invitation[]> => {
  const found = await sql<Invitation>`
    ${selectInvitations(rows)} order by i.created_at desc, i.id desc`.execute(rows.db)
  return found.rows
}

export const findPendingInvitation = async (rows: Rows, id: number): Promise<Invitation | undefined> => {
  const found = await sql<Invitation>`${selectInvitations(rows)} and i.id = ${id}`.execute(rows.db)
  return found.rows[0]
}

export const findEventId = async (rows: Rows, slug: string): Promise<number | undefined> => {
  const found = await sql<{ id: number }>`
    select id from events where account_id = ${rows.accountId} and slug = ${slug}`.execute(rows.db)
  return found.rows[0]?.id
}

export interface NewInvitation {
  email: string
  role: AssignableRole
  eventIds: number[]
  invitedBy: number
  digest: Buffer
  sealedToken: Buffer
}

export const INVITATION_DAYS = 14

export const insertInvitation = async (tx: Tx, invitation: NewInvitation): Promise<number> => {
  await claimKeys(tx, 'invitation', [invitation.digest])
  const { rows } = await sql<{ id: number }>`
    with invited as (
      insert into invitations (account_id, email, role, invited_by_membership_id, sealed_token, expires_at)
      values (${tx.accountId}, ${invitation.email}, ${invitation.role}, ${invitation.invitedBy},
        ${invitation.sealedToken}, foyer_now() + make_interval(days => ${INVITATION_DAYS}))
      returning account_id, id
    ), events as (
      insert into invitation_events (account_id, invitation_id, event_id)
      select account_id, id, event_id from invited, unnest(${invitation.eventIds}::bigint[]) as event_id
    ), link as (
      insert into invitation_tokens (digest, account_id, invitation_id)
      select ${invitation.digest}, account_id, id from invited
    )
    select id from invited`.execute(tx.db)
  return rows[0]!.id
}

/** The same link opens the invitation for another fourteen days. */
export const renewInvitation = async (tx: Tx, id: number): Promise<boolean> => {
  const { rows } = await sql`
    update invitations set expires_at = foyer_now() + make_interval(days => ${INVITATION_DAYS})
    where account_id = ${tx.accountId} and id = ${id} and accepted_at is null and revoked_at is null
    returning id`.execute(tx.db)
  return rows.length > 0
}

export const recordRevocation = async (tx: Tx, id: number): Promise<boolean> => {
  const { rows } = await sql`
    update invitations set revoked_at = foyer_now()
    where account_id = ${tx.accountId} and id = ${id} and accepted_at is null and revoked_at is null
    returning id`.execute(tx.db)
  return rows.length > 0
}

/** Those that a member made and nobody has accepted yet. Tells their IDs. */
export const revokeInvitationsMadeBy = (tx: Tx, membershipId: number): Promise<number[]> =>
  revokeWhere(tx, sql`invited_by_membership_id = ${membershipId}`)

/** The same, and those to the member's own address. */
export const revokeInvitationsMadeByOrTo = (tx: Tx, { id, email }: { id: number; email: string }): Promise<number[]> =>
  revokeWhere(tx, sql`(invited_by_membership_id = ${id} or email = ${email})`)

const revokeWhere = async (tx: Tx, condition: RawBuilder<unknown>): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    update invitations set revoked_at = foyer_now()
    where account_id = ${tx.accountId} and accepted_at is null and revoked_at is null and ${condition}
    returning id`.execute(tx.db)
  return rows.map(({ id }) => id)
}

/** An invitation as the mail and the page show it, whatever became of it. */
export interface OpenInvitation {
  id: number
  email: string
  role: AssignableRole
  accountName: string
  language: Language
  inviterName: string | null
  sealedToken: Buffer
  isAccepted: boolean
  /** Withdrawn by someone, or by the end of a membership: its maker's, or an earlier one of whoever is invited. */
  isRevoked: boolean
  isExpired: boolean
  events: { id: number; title: string }[]
  programs: { name: string; code: string | null }[]
  /** Whether somebody has the address already, and as whom. */
  personId: number | null
  personName: string | null
  /** What they are in this account already, and stay. */
  activeRole: Role | null
}

const selectOpen = ({ accountId }: Rows, id: number) => sql`
  select i.id, i.email, i.role, a.name as "accountName", a.language, inviter.name as "inviterName",
    i.sealed_token as "sealedToken", i.accepted_at is not null as "isAccepted", 
    (i.revoked_at is not null or m.deactivated_at is not null or coalesce(own.deactivated_at > i.created_at, false))
      as "isRevoked",
    i.expires_at <= foyer_now() as "isExpired", p.id as "personId", p.name as "personName",
    case when own.deactivated_at is null then own.role end as "activeRole",
    (
      select coalesce(json_agg(json_build_object('id', e.id, 'title', e.title) order by e.starts_at, e.id), '[]')
      from invitation_events n join events e on e.account_id = n.account_id and e.id = n.event_id
      where n.account_id = i.account_id and n.invitation_id = i.id
    ) as events,
    (
      select coalesce(json_agg(json_build_object('name', g.name, 'code', o.code) order by o.position), '[]')
      from invitation_programs o join promoter_programs g on g.account_id = o.account_id and g.id = o.program_id
      where o.account_id = i.account_id and o.invitation_id = i.id
    ) as programs
  from invitations i
  join accounts a on a.id = i.account_id
  left join memberships m on m.account_id = i.account_id and m.id = i.invited_by_membership_id
  left join people inviter on inviter.id = m.person_id
  left join people p on p.email = i.email
  left join memberships own on own.account_id = i.account_id and own.person_id = p.id
  where i.account_id = ${accountId} and i.id = ${id}`

export const findOpenInvitation = async (rows: Rows, id: number): Promise<OpenInvitation | undefined> => {
  const found = await sql<OpenInvitation>`${selectOpen(rows, id)}`.execute(rows.db)
  return found.rows[0]
}

/** The same before anything is locked; somebody whom only the directory knows is known to the account's server then. */
export const readOpenInvitation = async (scope: AccountScope, id: number): Promise<OpenInvitation | undefined> => {
  const invitation = await findOpenInvitation(scope.rows, id)
  const isStranger = invitation?.personId === null
  return isStranger && (await scope.copyPerson(invitation.email)) ? findOpenInvitation(scope.rows, id) : invitation
}

/** Locks the row first: what is read of it next is what the last one who changed it left. */
export const lockOpenInvitation = async (tx: Tx, id: number): Promise<OpenInvitation | undefined> => {
  await sql`select 1 from invitations where account_id = ${tx.accountId} and id = ${id} for update`.execute(tx.db)
  return findOpenInvitation(tx, id)
}

/** Null when someone else took the address a moment ago. */
export const insertPerson = async (
  tx: Tx,
  person: { name: string; email: string; passwordDigest: string },
): Promise<number | null> => {
  if (tx.link && !tx.link.isHere) {
    const isNew = (await introducePeople(tx, [person])).size > 0
    return isNew ? (await findPersonIdByEmail(tx, person.email))! : null
  }
  const { rows } = await sql<{ id: number }>`
    insert into people (name, email, password_digest)
    values (${person.name}, ${person.email}, ${person.passwordDigest})
    on conflict (email) do nothing
    returning id`.execute(tx.db)
  return rows[0]?.id ?? null
}

export const findPersonIdByEmail = async (tx: Tx, email: string): Promise<number | undefined> => {
  const { rows } = await sql<{ id: number }>`select id from people where email = ${email}`.execute(tx.db)
  return rows[0]?.id
}

export interface MembershipOfPerson {
  id: number
  role: Role
  isActive: boolean
}

export const lockMembership = async (tx: Tx, personId: number): Promise<MembershipOfPerson | undefined> => {
  const { rows } = await sql<MembershipOfPerson>`
    select id, role, deactivated_at is null as "isActive" from memberships
    where account_id = ${tx.accountId} and person_id = ${personId} for no key update`.execute(tx.db)
  return rows[0]
}

export const insertMembership = async (tx: Tx, personId: number, role: AssignableRole): Promise<number> => {
  await claimKeys(tx, 'person', [keyOfId(personId)])
  const { rows } = await sql<{ id: number }>`
    insert into memberships (account_id, person_id, role) values (${tx.accountId}, ${personId}, ${role})
    returning id`.execute(tx.db)
  return rows[0]!.id
}

export const recordAcceptance = async (tx: Tx, id: number, membershipId: number): Promise<void> => {
  await sql`
    update invitations set accepted_at = foyer_now(), accepted_membership_id = ${membershipId}
    where account_id = ${tx.accountId} and id = ${id}`.execute(tx.db)
}

export interface LoadedInvitation {
  id: number
  email: string
  role: AssignableRole
  digest: Buffer
  sealedToken: Buffer
  createdAt: Date
}

/** Those of a venue file, with the links they would have been mailed. */
export const insertLoadedInvitations = async (tx: Tx, invitations: LoadedInvitation[]): Promise<void> => {
  await claimKeys(
    tx,
    'invitation',
    invitations.map((each) => each.digest),
  )
  await sql`
    with given as (
      select * from unnest(
        ${invitations.map((each) => each.id)}::bigint[],
        ${invitations.map((each) => each.email)}::text[],
        ${invitations.map((each) => each.role)}::text[],
        ${invitations.map((each) => each.digest)}::bytea[],
        ${invitations.map((each) => each.sealedToken)}::bytea[],
        ${invitations.map((each) => each.createdAt)}::timestamptz[]
      ) as given (id, email, role, digest, sealed_token, created_at)
    ), invited as (
      insert into invitations (account_id, id, email, role, sealed_token, expires_at, created_at)
      select ${tx.accountId}, id, email, role, sealed_token,
        created_at + make_interval(days => ${INVITATION_DAYS}), created_at
      from given
    )
    insert into invitation_tokens (digest, account_id, invitation_id)
    select digest, ${tx.accountId}, id from given`.execute(tx.db)
}

export interface ExportedInvitation {
  email: string
  role: AssignableRole
  createdAt: Date
  /** Slugs. */
  events: string[]
  programs: { name: string; code: string | null }[]
}

/** Oldest first, as they are given to a venue file. */
export const findOpenInvitations = async ({ accountId, db }: Rows): Promise<ExportedInvitation[]> => {
  const { rows } = await sql<ExportedInvitation>`
    select i.email, i.role, i.created_at as "createdAt",
      array(
        select e.slug from invitation_events n join events e on e.account_id = n.account_id and e.id = n.event_id
        where n.account_id = i.account_id and n.invitation_id = i.id order by e.id
      ) as events,
      (
        select coalesce(json_agg(json_build_object('name', p.name, 'code', o.code) order by o.position), '[]')
        from invitation_programs o
        join promoter_programs p on p.account_id = o.account_id and p.id = o.program_id
        where o.account_id = i.account_id and o.invitation_id = i.id
      ) as programs
    from invitations i
    where i.account_id = ${accountId} and i.accepted_at is null and i.revoked_at is null order by i.id`.execute(db)
  return rows
}
