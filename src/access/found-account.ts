import { sql } from 'kysely'
import type { App } from './app.ts'
import { claimKeys, keyOfText } from './directory-keys.ts'
import type { Tx } from './scopes.ts'

/**
 * Where there are several servers the directory is told of an account before it is there. Answers with the ID that the
 * directory has drawn for it, on its own server with nothing; null when the subdomain is another account's.
 */
export const reserveAccount = async (
  { shards, database }: App,
  open: (accountId: number) => Tx,
  subdomain: string,
): Promise<{ id?: number } | null> => {
  const directory = shards!.all[0]!.database
  const shard = shards!.all.find((each) => each.database === database)!
  const id = shard === shards!.all[0] ? null : await drawAccountId(directory)
  const taken = await claimKeys(open(id ?? 0), 'subdomain', [keyOfText(subdomain)])
  if (taken.length > 0) return null
  if (id === null) return {}
  await sql`insert into account_shards (account_id, shard) values (${id}, ${shard.name})`.execute(directory.kysely)
  shards!.map.learn(id, shard.name)
  return { id }
}

const drawAccountId = async ({ kysely }: App['database']) => {
  const { rows } = await sql<{ id: number }>`
    -- taken as not null: id (a sequence has a next value)
    select nextval(pg_get_serial_sequence('accounts', 'id')) as id`.execute(kysely)
  return rows[0]!.id
}

/** A new account has the address for its payment provider from the beginning. */
export const claimPaymentWebhooks = async (tx: Tx): Promise<void> => {
  if (!tx.link || tx.link.isHere) return
  const { rows } = await sql<{ key: string }>`
    select key from payment_webhook_keys where account_id = ${tx.accountId}`.execute(tx.db)
  await claimKeys(
    tx,
    'payment_webhook',
    rows.map(({ key }) => keyOfText(key)),
  )
}
