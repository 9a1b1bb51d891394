import type pg from 'pg'
import { describeError, type Log } from '../kernel/log.ts'
import { Misconfigured } from '../kernel/settings.ts'
import { MAIN_SHARD, type ShardSettings, settingOfShard } from '../kernel/shard-settings.ts'
import { sleepUnlessAborted } from '../kernel/sleep.ts'
import { type Database, type DatabaseOptions, isDatabaseUnavailable, openDatabase } from './database.ts'
import { type ConnectionToDatabase, connectTo } from './hosts.ts'
import { type Company, joinCompany, openCompany, refuseLostCompany } from './join-shards.ts'
import { migrate } from './migrate.ts'
import { type Shard, type ShardMap, openShardMap } from './shards.ts'

export interface ShardServers {
  all: Shard[]
  map: ShardMap
  /** Closes all but the first, which whoever opened it closes. */
  close(): Promise<void>
}

export interface OpenShardsOptions extends DatabaseOptions {
  log: Log
  /** A server that is away is an error, and not something to wait for. */
  needsAll: boolean
}

const TRY_AGAIN_MS = 3_000

/** The servers beside the first, migrated and known to the directory. Null where there is one server. */
export const openShardServers = async (
  main: { connection: pg.PoolConfig; database: Database },
  wanted: readonly ShardSettings[],
  options: OpenShardsOptions,
): Promise<ShardServers | null> => {
  if (wanted.length === 0) {
    await refuseLostCompany(main.connection)
    return null
  }

  const company = await openCompany(
    main.connection,
    wanted.map(({ name }) => name),
  )
  const ways = wanted.map((shard) => connectToShard(shard, options.log))
  const others = wanted.map(({ name }, n): Shard => {
    const { connection } = ways[n]!
    return { name, connection, database: openDatabase(connection, options) }
  })
  const closing = new AbortController()
  const close = async () => {
    closing.abort()
    await Promise.all(others.map(({ database }) => database.close()))
    await Promise.all(ways.map((way) => way.close()))
  }
  try {
    await Promise.all(others.map((shard) => prepare(shard, company, { ...options, signal: closing.signal })))
    const all = [{ name: MAIN_SHARD, ...main }, ...others]
    const map = await openShardMap(main.database, all, (error) =>
      options.log.warn(describeError(error), 'it could not be read which account lives where'),
    )
    return { all, map, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The way to a further server, whatever is in it. */
export const connectToShard = ({ name, url }: ShardSettings, log: Log): ConnectionToDatabase =>
  connectTo(settingOfShard(name), url, {
    onMove: (from, to) => log.warn({ shard: name, from, to }, 'Another database server takes the writes now'),
  })

/** One that is away is prepared when it is back; until then its accounts are told to come again, and no others. */
const prepare = async (
  { name, connection }: Shard,
  company: Company,
  { log, needsAll, signal }: OpenShardsOptions & { signal: AbortSignal },
) => {
  const attempt = async () => {
    await migrate(connection)
    await joinCompany(connection, name, company)
  }
  const isAway = (error: unknown) => !(error instanceof Misconfigured) && isDatabaseUnavailable(error)
  const keepTrying = async () => {
    while (await sleepUnlessAborted(signal, TRY_AGAIN_MS, { isHeld: false })) {
      try {
        await attempt()
        return log.info({ shard: name }, 'a shard that was away is back')
      } catch (error) {
        if (!isAway(error)) return log.error({ shard: name, ...describeError(error) }, 'a shard cannot be used')
      }
    }
  }

  try {
    await attempt()
  } catch (error) {
    if (!isAway(error)) throw error
    if (needsAll) {
      const { message, code } = error as NodeJS.ErrnoException
      throw new Misconfigured(`The server of ${settingOfShard(name)} does not answer: ${message || code}.`)
    }
    log.warn({ shard: name, ...describeError(error) }, 'a shard is away; its accounts are not served until it is back')
    void keepTrying()
  }
}
