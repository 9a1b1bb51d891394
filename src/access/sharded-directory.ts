import { coalesce } from '../database/coalesce.ts'
import type { Database } from '../database/database.ts'
import type { Shard, ShardMap } from '../database/shards.ts'
import { MAIN_SHARD } from '../kernel/shard-settings.ts'
import type { Account } from './callers.ts'
import { type Directory, type DirectoryOptions, openDirectory } from './directory.ts'
import { type DirectoryKeyKind, keyOfText } from './directory-keys.ts'
import type { CachedShop, ShopHost } from './shop-cache.ts'

/**
 * The same look-ups where accounts live on several servers. Each server has a directory of its own accounts. What was
 * found elsewhere once is asked for there again; anything else is looked for on the first server, and then where the
 * entries of the directory lead. Nothing waits for a server that it does not need.
 */
export const openShardedDirectory = (
  shards: readonly Shard[],
  map: ShardMap,
  options: DirectoryOptions = {},
): Directory => {
  const main = shards[0]!
  const locals = new Map(shards.map((shard) => [shard, openDirectory(shard.database, options)]))
  const { locate, recall } = openLocator(main.database, map)
  const atMain = locals.get(main)!

  /** What an account leaves behind where it was before says nothing. */
  const isAtHome = (shard: Shard, accountId: number) => map.of(accountId) === shard

  const seek = async <T>(
    kind: DirectoryKeyKind,
    key: Buffer,
    ask: (directory: Directory) => Promise<T | null>,
    accountIdOf: (found: T) => number,
  ): Promise<T | null> => {
    const askAt = async (shard: Shard) => {
      const found = await ask(locals.get(shard)!)
      return found !== null && isAtHome(shard, accountIdOf(found)) ? found : null
    }
    const known = recall(kind, key)
    const before = known === null ? null : map.of(known)
    if (before && before !== main) {
      const found = await askAt(before)
      if (found !== null) return found
    }
    const found = await askAt(main)
    if (found !== null) return found
    const [accountId] = await locate({ kind, key })
    if (accountId === undefined) return null
    const shard = map.of(accountId)
    return shard === before || shard === main ? null : askAt(shard)
  }

  const hostKey = (host: ShopHost): [DirectoryKeyKind, Buffer] =>
    'subdomain' in host ? ['subdomain', keyOfText(host.subdomain)] : ['host', keyOfText(host.host)]

  const shopAtHome = (shard: Shard, shop: CachedShop | null) => (shop && isAtHome(shard, shop.account.id) ? shop : null)

  const lookUpFurther = async (host: ShopHost): Promise<CachedShop | null> =>
    seek(
      ...hostKey(host),
      async (directory) => directory.lookUpShop(host),
      ({ account }) => account.id,
    )

  /** The server where this shop was found before, or the first. */
  const likelyShardOf = (host: ShopHost): Shard => {
    const known = recall(...hostKey(host))
    return known === null ? main : map.of(known)
  }

  return {
    findCaller: (key) =>
      seek(
        'credential',
        key.digest,
        (directory) => directory.findCaller(key),
        ({ caller }) => caller.account.id,
      ),
    isRevokedDevice: async (digest) => {
      if (await atMain.isRevokedDevice(digest)) return true
      const [accountId] = await locate({ kind: 'credential', key: digest })
      return accountId !== undefined && locals.get(map.of(accountId))!.isRevokedDevice(digest)
    },
    findShop: (host) =>
      seek(
        ...hostKey(host),
        (directory) => directory.findShop(host),
        ({ id }) => id,
      ),
    lookUpShop: (host) => {
      const shard = likelyShardOf(host)
      const shop = locals.get(shard)!.lookUpShop(host)
      if (!(shop instanceof Promise)) return shopAtHome(shard, shop) ?? lookUpFurther(host)
      return shop.then((found) => shopAtHome(shard, found) ?? lookUpFurther(host))
    },
    cachedShop: (host) => {
      const shard = likelyShardOf(host)
      return shopAtHome(shard, locals.get(shard)!.cachedShop(host))
    },
    isCustomHost: async (host) =>
      (await atMain.isCustomHost(host)) || (await locate({ kind: 'host', key: keyOfText(host) })).length > 0,
    findInvitation: (digest) =>
      seek(
        'invitation',
        digest,
        (directory) => directory.findInvitation(digest),
        ({ account }) => account.id,
      ),
    findPairing: (digest) =>
      seek(
        'pairing',
        digest,
        (directory) => directory.findPairing(digest),
        ({ account }) => account.id,
      ),
    findPaymentWebhook: (key) =>
      seek(
        'payment_webhook',
        keyOfText(key),
        (directory) => directory.findPaymentWebhook(key),
        ({ account }) => account.id,
      ),
    findWalletAccounts: async (deviceDigest, passTypeId) => {
      const accountIds = await locate({ kind: 'wallet_device', key: deviceDigest })
      const where = new Set([main, ...accountIds.map((id) => map.of(id))])
      const findAt = async (shard: Shard): Promise<Account[]> => {
        const accounts = await locals.get(shard)!.findWalletAccounts(deviceDigest, passTypeId)
        return accounts.filter(({ id }) => isAtHome(shard, id))
      }
      return (await Promise.all(Array.from(where, findAt))).flat()
    },
    recordUses: async () => {
      const outcomes = await Promise.allSettled(Array.from(locals.values(), (local) => local.recordUses()))
      const failed = outcomes.find((outcome) => outcome.status === 'rejected')
      if (failed) throw failed.reason
    },
  }
}

interface Asked {
  kind: DirectoryKeyKind
  key: Buffer
}

const KEYS_MAX = 100_000

const LOCATE = `
  select asked.n::int as n, e.account_id as "accountId", coalesce(s.shard, '${MAIN_SHARD}') as shard
  from unnest($1::text[], $2::bytea[]) with ordinality as asked (kind, key, n)
  join directory_entries e on e.kind = asked.kind and e.key = asked.key
  left join account_shards s on s.account_id = e.account_id
  order by asked.n, e.account_id`

/** Where the entries of the directory lead. Which account a key belongs to never changes, so that is remembered. */
const openLocator = (directory: Database, map: ShardMap) => {
  const remembered = new Map<string, number>()
  const nameOf = ({ kind, key }: Asked) => `${kind} ${key.toString('latin1')}`

  const find = async (asked: Asked[]): Promise<number[][]> => {
    const { rows } = await directory.lookups.query<{ n: number; accountId: number; shard: string }>({
      name: 'locate-accounts',
      text: LOCATE,
      values: [asked.map(({ kind }) => kind), asked.map(({ key }) => key)],
    })
    const found: number[][] = asked.map(() => [])
    for (const { n, accountId, shard } of rows) {
      map.learn(accountId, shard)
      found[n - 1]!.push(accountId)
      if (remembered.size >= KEYS_MAX) remembered.clear()
      remembered.set(nameOf(asked[n - 1]!), accountId)
    }
    return found
  }

  return {
    locate: coalesce(find),
    recall: (kind: DirectoryKeyKind, key: Buffer): number | null => remembered.get(nameOf({ kind, key })) ?? null,
  }
}
