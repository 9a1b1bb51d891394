import { sql } from 'kysely'
import { IS_LIVE_CREDENTIAL } from '../access/directory.ts'
import type { Rows, Tx } from '../access/scopes.ts'
import type { Database } from '../database/database.ts'
import type { Tables } from '../database/table-types.ts'

export type NotificationKind = Tables['notifications']['kind']

export interface Notification {
  id: number
  publicId: string
  kind: NotificationKind
  title: string
  path: string
  readAt: Date | null
  createdAt: Date
}

export interface NewNotification {
  publicId: string
  recipientId: number
  kind: NotificationKind
  subject: string
  title: string
  path: string
  taskId: number | null
  eventId: number | null
}

/** One of them per recipient; told again, it is unread again and as new as the latest time. */
export const insertNotifications = async (
  tx: Tx,
  notices: NewNotification[],
): Promise<{ id: number; recipientId: number }[]> => {
  const { rows } = await sql<{ id: number; recipientId: number }>`
    insert into notifications (account_id, public_id, recipient_id, kind, subject, title, path, task_id, event_id)
    select ${tx.accountId}, public_id, recipient_id, kind, subject, title, path, task_id, event_id
    from json_to_recordset(${JSON.stringify(
      notices.map((each) => ({
        public_id: each.publicId,
        recipient_id: each.recipientId,
        kind: each.kind,
        subject: each.subject,
        title: each.title,
        path: each.path,
        task_id: each.taskId,
        event_id: each.eventId,
      })),
    )}::json) as given (public_id text, recipient_id bigint, kind text, subject text, title text, path text,
      task_id bigint, event_id bigint)
    order by recipient_id
    on conflict (account_id, recipient_id, kind, subject) do update set
      title = excluded.title, path = excluded.path, task_id = excluded.task_id, event_id = excluded.event_id,
      read_at = null, created_at = foyer_now()
    returning id, recipient_id as "recipientId"`.execute(tx.db)
  return rows
}

/** Owners and managers who can act on it. */
export const findOwnerAndManagerIds = async (tx: Tx): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select id from memberships
    where account_id = ${tx.accountId} and role in ('owner', 'manager') and deactivated_at is null
    order by id`.execute(tx.db)
  return rows.map(({ id }) => id)
}

/**
 * A notification is seen only while what it says holds: a task while it is given to the member and the member may
 * see it, a sign-up while the member is one of those who review it.
 */
const IN_FORCE = sql`
  m.deactivated_at is null and case n.kind
    when 'task_assigned' then exists (
      select from tasks t
      where t.account_id = n.account_id and t.id = n.task_id and t.assignee_id = n.recipient_id
        and (m.role in ('owner', 'manager') or (m.role = 'co_organizer' and exists (
          select from assignments s
          where s.account_id = n.account_id and s.membership_id = m.id and s.event_id = t.event_id)))
    )
    else m.role in ('owner', 'manager')
  end`

/** An event that was given another slug meanwhile is found under that alone. */
const PATH = sql`
  coalesce((
    select regexp_replace(n.path, '^/admin/events/[^/]+', '/admin/events/' || e.slug)
    from events e where e.account_id = n.account_id and e.id = n.event_id
  ), n.path)`

const SHOWN = sql`
  n.id, n.public_id as "publicId", n.kind, n.title, ${PATH} as path, n.read_at as "readAt", n.created_at as "createdAt"`

const INBOX_MAX = 100

export const findInbox = async (
  rows: Rows,
  membershipId: number,
): Promise<{ notices: Notification[]; unreadCount: number }> => {
  const result = await sql<Notification & { unread: number }>`
    select ${SHOWN}, count(*) filter (where n.read_at is null) over ()::int as unread
    from notifications n
    join memberships m on m.account_id = n.account_id and m.id = n.recipient_id
    where n.account_id = ${rows.accountId} and n.recipient_id = ${membershipId} and ${IN_FORCE}
    order by n.created_at desc, n.id desc
    limit ${INBOX_MAX}`.execute(rows.db)
  return { notices: result.rows, unreadCount: result.rows[0]?.unread ?? 0 }
}

export const recordRead = async (tx: Tx, membershipId: number, publicId: string): Promise<Notification | undefined> => {
  const { rows } = await sql<Notification>`
    update notifications n set read_at = coalesce(n.read_at, foyer_now())
    from memberships m
    where n.account_id = ${tx.accountId} and n.recipient_id = ${membershipId} and n.public_id = ${publicId}
      and m.account_id = n.account_id and m.id = n.recipient_id and ${IN_FORCE}
    returning ${SHOWN}`.execute(tx.db)
  return rows[0]
}

export const recordAllRead = async (tx: Tx, membershipId: number): Promise<void> => {
  await sql`
    update notifications set read_at = foyer_now()
    where account_id = ${tx.accountId} and recipient_id = ${membershipId} and read_at is null`.execute(tx.db)
}

/** What was read a season ago nobody looks for; what nobody read for a year nobody will. Tells how many there were. */
export const deleteOldNotifications = async (database: Database, most: number): Promise<number> => {
  const { rows } = await sql`
    with old as (
      select account_id, id from notifications
      where read_at < foyer_now() - interval '90 days' or created_at < foyer_now() - interval '1 year'
      order by account_id, id limit ${most}
      for update skip locked
    )
    delete from notifications n using old
    where n.account_id = old.account_id and n.id = old.id
    returning n.id`.execute(database.kysely)
  return rows.length
}

/** A browser is told only while the credential that last signed it up would be let in. */
const IS_SIGNED_UP = sql.raw(IS_LIVE_CREDENTIAL)

export interface NewSubscription {
  publicId: string
  membershipId: number
  credentialId: number
  endpoint: string
  p256dh: string
  auth: string
}

/** A browser that subscribes again keeps its ID and brings its newest keys and its newest credential. */
export const upsertSubscription = async (tx: Tx, given: NewSubscription): Promise<string> => {
  const { rows } = await sql<{ publicId: string }>`
    insert into push_subscriptions (account_id, public_id, membership_id, credential_id, endpoint, p256dh, auth)
    values (${tx.accountId}, ${given.publicId}, ${given.membershipId}, ${given.credentialId}, ${given.endpoint},
      ${given.p256dh}, ${given.auth})
    on conflict (account_id, membership_id, endpoint) do update set
      credential_id = excluded.credential_id, p256dh = excluded.p256dh, auth = excluded.auth
    returning public_id as "publicId"`.execute(tx.db)
  return rows[0]!.publicId
}

/** The newest stay, and the one that signed itself up just now: every notification is posted to each of them. */
export const deleteSurplusSubscriptions = async (
  tx: Tx,
  { membershipId, publicId, most }: { membershipId: number; publicId: string; most: number },
): Promise<void> => {
  await sql`
    delete from push_subscriptions p using (
      select id from push_subscriptions
      where account_id = ${tx.accountId} and membership_id = ${membershipId} and public_id <> ${publicId}
      order by id desc offset ${most - 1}
      for update skip locked
    ) surplus
    where p.account_id = ${tx.accountId} and p.id = surplus.id`.execute(tx.db)
}

export const deleteSubscription = async (tx: Tx, membershipId: number, publicId: string): Promise<boolean> => {
  const { rows } = await sql`
    delete from push_subscriptions
    where account_id = ${tx.accountId} and membership_id = ${membershipId} and public_id = ${publicId}
    returning id`.execute(tx.db)
  return rows.length > 0
}

export const findSubscriptions = async (
  tx: Tx,
  membershipIds: number[],
): Promise<{ id: number; membershipId: number }[]> => {
  const { rows } = await sql<{ id: number; membershipId: number }>`
    select p.id, p.membership_id as "membershipId"
    from push_subscriptions p
    join memberships m on m.account_id = p.account_id and m.id = p.membership_id
    join credentials c on c.account_id = p.account_id and c.id = p.credential_id
    where p.account_id = ${tx.accountId} and p.membership_id = any(${membershipIds}::bigint[]) and ${IS_SIGNED_UP}
    order by p.id`.execute(tx.db)
  return rows
}

export interface PushToSend extends Notification {
  endpoint: string
  p256dh: string
  auth: string
}

/** What a push is to say and to whom; nothing when it was read meanwhile, no longer holds, or the browser left or was signed out. */
export const findPushToSend = async (
  database: Database,
  { accountId, notificationId, subscriptionId }: { accountId: number; notificationId: number; subscriptionId: number },
): Promise<PushToSend | undefined> => {
  const { rows } = await sql<PushToSend>`
    select ${SHOWN}, p.endpoint, p.p256dh, p.auth
    from notifications n
    join memberships m on m.account_id = n.account_id and m.id = n.recipient_id
    join push_subscriptions p on p.account_id = n.account_id and p.membership_id = m.id and p.id = ${subscriptionId}
    join credentials c on c.account_id = p.account_id and c.id = p.credential_id
    where n.account_id = ${accountId} and n.id = ${notificationId} and n.read_at is null and ${IN_FORCE}
      and ${IS_SIGNED_UP}`.execute(database.kysely)
  return rows[0]
}

export const deleteDeadSubscription = async (database: Database, accountId: number, id: number): Promise<void> => {
  await sql`delete from push_subscriptions where account_id = ${accountId} and id = ${id}`.execute(database.kysely)
}

export interface KeyPair {
  publicKey: string
  sealedPrivateKey: Buffer
}

/** The one pair of the installation: of all processes that would make one, the first wins. */
export const findOrCreatePushKeys = async (db: Rows['db'], make: () => KeyPair): Promise<KeyPair> => {
  const find = () =>
    sql<KeyPair>`select public_key as "publicKey", sealed_private_key as "sealedPrivateKey" from push_keys`.execute(db)
  const kept = (await find()).rows[0]
  if (kept) return kept

  const made = make()
  await sql`
    insert into push_keys (public_key, sealed_private_key) values (${made.publicKey}, ${made.sealedPrivateKey})
    on conflict do nothing`.execute(db)
  return (await find()).rows[0]!
}
