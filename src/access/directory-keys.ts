import { type Kysely, sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Tables } from '../database/table-types.ts'
import { MAIN_SHARD } from '../kernel/shard-settings.ts'

/** What leads to an account before the account is known. */
export type DirectoryKeyKind =
  | 'credential'
  | 'invitation'
  | 'pairing'
  | 'payment_webhook'
  | 'host'
  | 'subdomain'
  | 'wallet_device'
  | 'person'

/** Keys that somebody has chosen, so that two accounts may want the same; the others are drawn by lot. */
const CHOSEN: ReadonlySet<DirectoryKeyKind> = new Set<DirectoryKeyKind>(['credential', 'host', 'subdomain'])

/** How a transaction of an account on one of several servers reaches the directory. */
export interface DirectoryLink {
  readonly directory: Database
  /** Whether the account lives on the directory's own server, whose tables are the directory of its accounts. */
  readonly isHere: boolean
  /** The directory's transaction that waits for this one: whoever holds it must not wait for another connection there. */
  readonly within?: Kysely<Tables>
  /** What was written there for this transaction, to be taken back with it. */
  readonly written: WrittenKeys[]
  /** What is to go once it has committed. */
  readonly released: WrittenKeys[]
}

interface WrittenKeys {
  kind: DirectoryKeyKind
  accountId: number
  keys: readonly Buffer[]
}

/** A transaction of an account. */
export interface KeyHolder {
  readonly accountId: number
  readonly db: Kysely<Tables>
  /** Null where there is one server: then its tables are all there is to look in. */
  readonly link: DirectoryLink | null
}

export const keyOfText = (text: string): Buffer => Buffer.from(text)

export const keyOfId = (id: number): Buffer => {
  const key = Buffer.alloc(8)
  key.writeBigInt64BE(BigInt(id))
  return key
}

/**
 * Tells the directory what leads to an account on another server, before the transaction that makes it so commits: what
 * is left of one that did not commit leads to nothing. Answers with the positions of keys that lead to other accounts.
 */
export const claimKeys = async (tx: KeyHolder, kind: DirectoryKeyKind, keys: readonly Buffer[]): Promise<number[]> => {
  const { link } = tx
  if (!link || keys.length === 0) return []
  if (link.isHere) return CHOSEN.has(kind) ? findTakenKeys(tx.db, tx.accountId, kind, keys) : []

  const claim = async (db: Kysely<Tables>) => {
    const taken = CHOSEN.has(kind) ? await findTakenKeys(db, tx.accountId, kind, keys) : []
    const free = keys.filter((_, index) => !taken.includes(index))
    const written = await insertKeys(db, tx.accountId, kind, free)
    link.written.push({ kind, accountId: tx.accountId, keys: written })
    return taken
  }
  return link.within ? claim(link.within) : link.directory.kysely.transaction().execute(claim)
}

/** The transaction was rolled back for certain. What is left behind because this fails is swept. */
export const takeBackKeys = ({ directory, written }: DirectoryLink): Promise<void> => deleteAll(directory, written)

/** They go after the transaction that gives them up: until then the directory leads there in vain, which does no harm. */
export const releaseKeys = (tx: KeyHolder, kind: DirectoryKeyKind, keys: readonly Buffer[]): void => {
  if (!tx.link || tx.link.isHere || keys.length === 0) return
  tx.link.released.push({ kind, accountId: tx.accountId, keys })
}

export const dropReleasedKeys = ({ directory, released }: DirectoryLink): Promise<void> =>
  deleteAll(directory, released)

const deleteAll = async ({ kysely }: Database, entries: readonly WrittenKeys[]) => {
  for (const { kind, accountId, keys } of entries) await deleteKeys(kysely, accountId, kind, keys)
}

/** Locked until the transaction ends, in one order: of two who want the same key the second sees what the first did. */
const lockKeys = async (db: Kysely<Tables>, kind: DirectoryKeyKind, keys: readonly Buffer[]) => {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('directory/' || ${kind}::text || '/' || encode(key, 'hex'), 0))
    from unnest(${keys}::bytea[]) as key order by key`.execute(db)
}

const findTakenKeys = async (
  db: Kysely<Tables>,
  accountId: number,
  kind: DirectoryKeyKind,
  keys: readonly Buffer[],
): Promise<number[]> => {
  await lockKeys(db, kind, keys)
  const { rows } = await sql<{ n: number }>`
    select asked.n::int as n
    from unnest(${keys}::bytea[]) with ordinality as asked (key, n)
    where exists (
        select 1 from directory_entries e
        where e.kind = ${kind} and e.key = asked.key and e.account_id <> ${accountId}
      )
      or ${kind} = 'credential' and exists (
        select 1 from credential_digests d where d.digest = asked.key and d.account_id <> ${accountId}
      )
      or ${kind} = 'host' and exists (
        select 1 from shop_hosts h where h.host = convert_from(asked.key, 'UTF8') and h.account_id <> ${accountId}
      )
      or ${kind} = 'subdomain' and exists (
        select 1 from accounts a where a.subdomain = convert_from(asked.key, 'UTF8') and a.id <> ${accountId}
      )
    order by asked.n`.execute(db)
  return rows.map(({ n }) => n - 1)
}

/** Answers with those that were not there before. */
const insertKeys = async (
  db: Kysely<Tables>,
  accountId: number,
  kind: DirectoryKeyKind,
  keys: readonly Buffer[],
): Promise<Buffer[]> => {
  const { rows } = await sql<{ key: Buffer }>`
    insert into directory_entries (kind, key, account_id)
    select ${kind}, key, ${accountId} from unnest(${keys}::bytea[]) as key order by key
    on conflict do nothing
    returning key`.execute(db)
  return rows.map(({ key }) => key)
}

const deleteKeys = async (
  db: Kysely<Tables>,
  accountId: number,
  kind: DirectoryKeyKind,
  keys: readonly Buffer[],
): Promise<void> => {
  await sql`
    delete from directory_entries
    where kind = ${kind} and account_id = ${accountId} and key = any(${keys}::bytea[])`.execute(db)
}

export interface IntroducedPerson {
  name: string
  email: string
  passwordDigest: string | null
}

/**
 * An address that someone took in the meantime keeps its person. In the order of their addresses, so that two who bring
 * the same people wait for each other and never both. Answers with the addresses that were new.
 */
export const insertPeople = async (db: Kysely<Tables>, people: readonly IntroducedPerson[]): Promise<Set<string>> => {
  const { rows } = await sql<{ email: string }>`
    insert into people (name, email, password_digest)
    select name, email, password_digest
    from unnest(
      ${people.map((person) => person.name)}::text[],
      ${people.map((person) => person.email)}::text[],
      ${people.map((person) => person.passwordDigest)}::text[]
    ) as given (name, email, password_digest)
    order by email
    on conflict (email) do nothing
    returning email`.execute(db)
  return new Set(rows.map(({ email }) => email))
}

/**
 * People belong to the directory. An account on another server has copies of those who work for it, which never change:
 * of a person only the password does, and that is asked for in the directory. Answers with the addresses that were new.
 */
export const introducePeople = async (tx: KeyHolder, people: readonly IntroducedPerson[]): Promise<Set<string>> => {
  const { directory } = tx.link!
  const added = await insertPeople(directory.kysely, people)
  await copyPeople(
    directory,
    tx.db,
    people.map(({ email }) => email),
  )
  return added
}

/** Whether the directory knows one of them. */
export const copyPeople = async (
  directory: Database,
  db: Kysely<Tables>,
  emails: readonly string[],
): Promise<boolean> => {
  const { rows } = await sql<{ id: number; name: string; email: string }>`
    select id, name, email from people where email = any(${emails}::text[]) order by id`.execute(directory.kysely)
  if (rows.length === 0) return false
  await sql`
    insert into people (id, name, email)
    select id, name, email from json_to_recordset(${JSON.stringify(rows)}::json) as given (id bigint, name text, email text)
    on conflict do nothing`.execute(db)
  return true
}

/** Accounts on other servers that a person is a member of, and where each of them lives now. */
export const findAccountsOfPerson = async (
  directory: Database,
  personId: number,
): Promise<{ accountId: number; shard: string }[]> => {
  const { rows } = await directory.lookups.query<{ accountId: number; shard: string }>({
    name: 'accounts-of-person',
    text: `select e.account_id as "accountId", coalesce(s.shard, '${MAIN_SHARD}') as shard
      from directory_entries e left join account_shards s on s.account_id = e.account_id
      where e.kind = 'person' and e.key = $1 order by e.account_id`,
    values: [keyOfId(personId)],
  })
  return rows
}

/** Null for an account on the directory's own server, and for none. */
export const findAccountOfSubdomain = async (directory: Database, subdomain: string): Promise<number | null> => {
  const { rows } = await sql<{ accountId: number }>`
    select account_id as "accountId" from directory_entries
    where kind = 'subdomain' and key = ${keyOfText(subdomain)}`.execute(directory.kysely)
  return rows[0]?.accountId ?? null
}
