import type pg from 'pg'
import { oneByOne } from '../kernel/one-by-one.ts'
import { MAIN_SHARD } from '../kernel/shard-settings.ts'
import type { Database } from './database.ts'

/** One of the servers on which accounts live, each whole. */
export interface Shard {
  readonly name: string
  readonly connection: pg.PoolConfig
  readonly database: Database
}

/** Which account lives on which server, as far as this process knows. */
export interface ShardMap {
  /** The server an account lives on. One that was never heard of is looked for on the first. */
  of(accountId: number): Shard
  /** The same, after asking the directory. */
  locate(accountId: number): Promise<Shard>
  /** What a look-up in the directory has told by the way. */
  learn(accountId: number, shard: string): void
  /** Told when the account lives on another server from now on, until the answer is called. */
  onMove(accountId: number, tell: () => void): () => void
  byName(name: string): Shard
}

const CHANNEL = 'account_shards'

/** The address says less than the directory: another process has joined a server that this one was not told of. */
class UnknownShard extends Error {
  readonly code = 'EHOSTUNREACH'
}

/**
 * Kept in memory and told of every change. What it says may be a moment old, which does no harm: on the server that an
 * account has left nothing can be written, and what is not found there is asked for again.
 */
export const openShardMap = async (
  directory: Database,
  shards: readonly Shard[],
  onTrouble: (error: Error) => void,
): Promise<ShardMap> => {
  const named = new Map(shards.map((shard) => [shard.name, shard]))
  const main = shards[0]!
  let names = new Map<number, string>()
  let heard: Map<number, string> | null = null
  const followers = new Map<number, Set<() => void>>()

  const byName = (name: string) => {
    const shard = named.get(name)
    if (!shard) throw new UnknownShard(`FOYER_SHARDS does not name the shard "${name}", on which there are accounts`)
    return shard
  }

  const note = (accountId: number, name: string) => {
    heard?.set(accountId, name)
    if ((names.get(accountId) ?? MAIN_SHARD) === name) return
    if (name === MAIN_SHARD) names.delete(accountId)
    else names.set(accountId, name)
    for (const tell of followers.get(accountId) ?? []) tell()
  }

  const readAll = async () => {
    heard = new Map()
    const { rows } = await directory.pool.query<{ accountId: number; shard: string }>(
      'select account_id as "accountId", shard from account_shards',
    )
    const loaded = new Map(rows.map(({ accountId, shard }) => [accountId, shard]))
    const later = heard
    heard = null
    const known = [...names.keys()]
    for (const accountId of new Set([...known, ...loaded.keys()])) {
      note(accountId, later.get(accountId) ?? loaded.get(accountId) ?? MAIN_SHARD)
    }
  }

  /** One after the other: the first is still under way when the listener has its connection and asks for it again. */
  const inTurn = oneByOne()
  const load = () => inTurn(readAll)

  directory.pgNotifications.listen(CHANNEL, {
    hear: (payload) => {
      const [accountId, name] = payload.split(' ')
      note(Number(accountId), name!)
    },
    // While the directory is away nobody can move; what was missed before is read when it is back.
    forget: () => {},
    resume: () => void load().catch(onTrouble),
  })
  await load()

  const of = (accountId: number) => {
    const name = names.get(accountId)
    return name === undefined ? main : byName(name)
  }
  return {
    of,
    byName,
    learn: note,
    locate: async (accountId) => {
      const { rows } = await directory.lookups.query<{ shard: string }>({
        name: 'shard-of-account',
        text: 'select shard from account_shards where account_id = $1',
        values: [accountId],
      })
      note(accountId, rows[0]?.shard ?? MAIN_SHARD)
      return of(accountId)
    },
    onMove: (accountId, tell) => {
      const others = followers.get(accountId) ?? new Set()
      followers.set(accountId, others.add(tell))
      return () => {
        others.delete(tell)
        if (others.size === 0) followers.delete(accountId)
      }
    },
  }
}
