import { type Selectable, sql } from 'kysely'
import type { Role } from '../access/callers.ts'
import { claimKeys, insertPeople, introducePeople, keyOfId, keyOfText, releaseKeys } from '../access/directory-keys.ts'
import type { Rows, Tx } from '../access/scopes.ts'
import type { Accounts } from '../database/table-types.ts'
import { type StoredValues, fromRow } from '../definitions/define.ts'
import { allocateIds, insertRows } from '../loading/records.ts'
import { accountDefinition } from './definitions.ts'

/** Answers with the hosts that were free; the others lead to another shop. */
export const claimShopHosts = async (tx: Tx, hosts: string[]): Promise<Set<string>> => {
  if (hosts.length === 0) return new Set()
  const elsewhere = new Set(await claimKeys(tx, 'host', hosts.map(keyOfText)))
  const { rows } = await sql<{ host: string }>`
    insert into shop_hosts (host, account_id)
    select host, ${tx.accountId} from unnest(${hosts.filter((_, n) => !elsewhere.has(n))}::text[]) as host
    order by host
    on conflict (host) do nothing
    returning host`.execute(tx.db)
  return new Set(rows.map(({ host }) => host))
}

export interface KnownPerson {
  id: number
  name: string
  email: string
}

export const findPeopleByEmail = async (tx: Tx, emails: string[]): Promise<Map<string, KnownPerson>> => {
  const { rows } = await sql<KnownPerson>`
    select id, name, email from people where email = any(${emails}::text[])`.execute(tx.db)
  return new Map(rows.map((person) => [person.email, person]))
}

export interface NewPerson {
  name: string
  email: string
  passwordDigest: string | null
}

/** Where the people of the installation are, and where this account is. */
export const insertMissingPeople = async (tx: Tx, people: NewPerson[]): Promise<void> => {
  if (people.length === 0) return
  if (tx.link && !tx.link.isHere) await introducePeople(tx, people)
  else await insertPeople(tx.db, people)
}

export interface NewMembership {
  personId: number
  role: Role
  deactivatedAt: Date | null
}

/** IDs ascend in the given order: the account owner is the owner with the lowest. */
export const insertMemberships = async (tx: Tx, memberships: NewMembership[]): Promise<number[]> => {
  const ids = await allocateIds(tx, 'memberships', memberships.length)
  await claimKeys(
    tx,
    'person',
    memberships.map(({ personId }) => keyOfId(personId)),
  )
  await insertRows(
    tx,
    'memberships',
    memberships.map((membership, n) => ({
      id: ids[n]!,
      person_id: membership.personId,
      role: membership.role,
      deactivated_at: membership.deactivatedAt,
      credential_epoch: FIRST_CREDENTIAL_EPOCH,
    })),
  )
  return ids
}

export const FIRST_CREDENTIAL_EPOCH = 1

export const insertAssignments = (tx: Tx, assignments: { membershipId: number; eventId: number }[]): Promise<void> =>
  insertRows(
    tx,
    'assignments',
    assignments.map(({ membershipId, eventId }) => ({ membership_id: membershipId, event_id: eventId })),
  )

export interface StoredAccount {
  thing: StoredValues<typeof accountDefinition>
  row: Selectable<Accounts>
}

export const findAccount = async ({ db, accountId }: Rows): Promise<StoredAccount | null> => {
  const row = await db
    .selectFrom('accounts')
    .selectAll()
    .select((account) =>
      account
        .selectFrom('shop_hosts')
        .select((host) => host.fn.agg<string[]>('array_agg', ['host']).orderBy('host').as('hosts'))
        .whereRef('shop_hosts.account_id', '=', 'accounts.id')
        .as('custom_domains'),
    )
    .where('id', '=', accountId)
    .executeTakeFirst()
  return row ? { thing: fromRow(accountDefinition, { ...row, custom_domains: row.custom_domains ?? [] }), row } : null
}

/** Nobody can add what belongs to the account meanwhile. */
export const lockAccount = (tx: Tx) => sql`select from accounts where id = ${tx.accountId} for update`.execute(tx.db)

/** Without a column the row is only touched, because something that belongs to it has changed. */
export const updateAccount = async (tx: Tx, columns: Readonly<Record<string, unknown>>): Promise<void> => {
  await tx.db
    .updateTable('accounts')
    .set((account) => ({ name: account.ref('name'), ...columns }))
    .where('id', '=', tx.accountId)
    .execute()
}

export const deleteShopHosts = async (tx: Tx, hosts: string[]): Promise<void> => {
  releaseKeys(tx, 'host', hosts.map(keyOfText))
  await sql`delete from shop_hosts where account_id = ${tx.accountId} and host = any(${hosts}::text[])`.execute(tx.db)
}

/** Whether money was taken in it: guest parties cost nothing and do not count. */
export const isCurrencyInUse = async (tx: Tx): Promise<boolean> => {
  const { rows } = await sql<{ used: boolean }>`
    select coalesce(account_has_taken_money(${tx.accountId}), false) as used`.execute(tx.db)
  return rows[0]!.used
}

/** Where prices stand before anything was sold. */
const PRICES = {
  tickets: ['price_cents'],
  voucher_products: ['fixed_cents', 'purchase_cents', 'minimum_cents', 'maximum_cents'],
  voucher_import_rows: ['amount_cents'],
}

/** Moves the decimal point of every price by so many digits. False where one would not be whole: then some have moved. */
export const rescalePrices = async (tx: Tx, digits: number): Promise<boolean> => {
  const [times, parts] = [10 ** Math.max(0, digits), 10 ** Math.max(0, -digits)]
  for (const [table, columns] of Object.entries(PRICES)) {
    const broken = columns.map((column) => sql`coalesce(${sql.ref(column)} % ${parts}::bigint, 0) <> 0`)
    const moved = columns.map(
      (column) => sql`${sql.ref(column)} = ${sql.ref(column)} * ${times}::bigint / ${parts}::bigint`,
    )
    const { rows } = await sql`
      select from ${sql.table(table)} where account_id = ${tx.accountId} and (${sql.join(broken, sql` or `)}) limit 1`.execute(
      tx.db,
    )
    if (rows.length > 0) return false
    await sql`update ${sql.table(table)} set ${sql.join(moved)} where account_id = ${tx.accountId}`.execute(tx.db)
  }
  return true
}
