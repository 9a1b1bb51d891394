import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { Misconfigured } from '../kernel/settings.ts'
import { MAIN_SHARD, settingOfShard } from '../kernel/shard-settings.ts'
import { openLongClient } from './long-connection.ts'
import { MIGRATION_LOCK } from './migrate.ts'

const CONNECTION_NAME = 'foyer shards'

interface Identity {
  directoryId: string
  name: string
  number: number
}

/** What the directory has written down of its company. */
export interface Company {
  directoryId: string
  numbers: Map<string, number>
  /** How far the directory has drawn its numbers, by sequence. */
  drawn: Record<string, string | null>
}

/** One server alone: refused where accounts of it live elsewhere, or where it is somebody else's. */
export const refuseLostCompany = async (connection: pg.ClientConfig): Promise<void> => {
  const client = await openLongClient(connection, CONNECTION_NAME)
  try {
    const identity = await findIdentity(client)
    if (!identity) return
    refuseOther('DATABASE_URL', identity, { ...identity, name: MAIN_SHARD })
    await refuseUnnamed(client, new Set([MAIN_SHARD]))
  } finally {
    await client.end()
  }
}

/** Makes the first server the directory of these others. */
export const openCompany = async (connection: pg.ClientConfig, names: readonly string[]): Promise<Company> =>
  underLock(connection, async (client) => {
    const known = await findIdentity(client)
    const identity = known ?? (await recordIdentity(client, { directoryId: randomUUID(), name: MAIN_SHARD, number: 0 }))
    refuseOther('DATABASE_URL', identity, { ...identity, name: MAIN_SHARD })
    await refuseUnnamed(client, new Set([MAIN_SHARD, ...names]))
    for (const name of [MAIN_SHARD, ...names]) {
      await client.query(
        `insert into shards (name, number) select $1, coalesce(max(number) + 1, 0) from shards
         on conflict (name) do nothing`,
        [name],
      )
    }
    await client.query(`select draw_own_ids(0, '{}')`)
    await client.query('select guard_paused_accounts()')
    const { rows: numbers } = await client.query<{ name: string; number: number }>('select name, number from shards')
    const { rows: drawn } = await client.query<{ name: string; last: string | null }>(
      `-- taken as not null: name (a sequence has a name)
       select sequencename::text as name, last_value::text as last from pg_sequences where schemaname = 'public'`,
    )
    return {
      directoryId: identity.directoryId,
      numbers: new Map(numbers.map(({ name, number }) => [name, number])),
      drawn: Object.fromEntries(drawn.map(({ name, last }) => [name, last])),
    }
  })

/** Makes a server one of the company, or finds that it is. */
export const joinCompany = async (
  connection: pg.ClientConfig,
  name: string,
  { directoryId, numbers, drawn }: Company,
): Promise<void> =>
  underLock(connection, async (client) => {
    const mine = { directoryId, name, number: numbers.get(name)! }
    const known = await findIdentity(client)
    if (known) refuseOther(settingOfShard(name), known, mine)
    else {
      await refuseInhabited(client, name)
      await recordIdentity(client, mine)
    }
    await client.query('select draw_own_ids($1, $2)', [mine.number, JSON.stringify(drawn)])
    await client.query('select guard_paused_accounts()')
  })

const underLock = async <T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = await openLongClient(connection, CONNECTION_NAME)
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    return await work(client)
  } finally {
    await client.end()
  }
}

const findIdentity = async (client: pg.Client): Promise<Identity | null> => {
  const { rows } = await client.query<Identity>(
    'select directory_id as "directoryId", name, number from shard_identity',
  )
  return rows[0] ?? null
}

const recordIdentity = async (client: pg.Client, identity: Identity): Promise<Identity> => {
  await client.query('insert into shard_identity (directory_id, name, number) values ($1, $2, $3)', [
    identity.directoryId,
    identity.name,
    identity.number,
  ])
  return identity
}

const refuseOther = (setting: string, found: Identity, expected: Identity) => {
  if (found.directoryId !== expected.directoryId) {
    throw new Misconfigured(`The server of ${setting} belongs to another installation.`)
  }
  if (found.name !== expected.name || found.number !== expected.number) {
    throw new Misconfigured(`The server of ${setting} is the shard "${found.name}" of this installation.`)
  }
}

const refuseInhabited = async (client: pg.Client, name: string) => {
  const { rows } = await client.query('select from accounts limit 1')
  if (rows.length > 0) {
    throw new Misconfigured(
      `The server of ${settingOfShard(name)} has accounts of its own; a new shard begins empty, and accounts move to it.`,
    )
  }
}

const refuseUnnamed = async (client: pg.Client, names: ReadonlySet<string>) => {
  const { rows } = await client.query<{ shard: string }>('select distinct shard from account_shards order by 1')
  const unnamed = rows.map(({ shard }) => shard).filter((shard) => !names.has(shard))
  if (unnamed.length > 0) {
    throw new Misconfigured(
      `FOYER_SHARDS does not name ${unnamed.join(', ')}, where accounts of this installation live.`,
    )
  }
}
