import type { Database } from '../database/database.ts'
import type { Account } from './callers.ts'

/** A shop is known by the label before the shop domain, or by a domain of its own. */
export type ShopHost = { subdomain: string } | { host: string }

export interface CachedShop {
  account: Account
  cache: ShopCache
}

/**
 * Where rooms may keep what they have made of a shop's rows. A change that shows at the shop takes the whole cache
 * away, so what stands on it is as right as if it were made now; except for the clock, which every keeper watches.
 */
export interface ShopCache {
  /** The time of the database when the request came in; null: the cache is new and serves this request only. */
  readonly now: Date | null
  readonly entries: Map<string, unknown>
}

/** From when to when something on a cache is right, as long as nothing changes but the clock. */
export interface Validity {
  from: number
  until: number
}

/** A clock that was set back proves nothing either. */
export const isValidAt = ({ from, until }: Validity, now: Date) => now.getTime() >= from && now.getTime() < until

/** Where every change that shows at a shop is announced, with the account's ID. */
const CHANNEL = 'shop'
const SHOPS_MAX = 1_000

interface Remembered {
  account: Account
  entries: Map<string, unknown>
}

/**
 * Shops are asked for at every page and hardly ever change, so a found one is remembered until its account announces
 * a change. One that was not found is looked up again: made-up names would fill the memory.
 */
export const openShopLookupCache = (database: Database, find: (host: ShopHost) => Promise<Account | null>) => {
  const remembered = new Map<string, Remembered>()
  let changes = 0
  let isListening = false

  const listen = () => {
    isListening = true
    database.pgNotifications.listen(CHANNEL, {
      hear: (payload) => {
        changes++
        for (const [name, { account }] of remembered) if (account.id === Number(payload)) remembered.delete(name)
      },
      forget: () => {
        changes++
        remembered.clear()
      },
    })
  }

  const recall = (host: ShopHost, now: Date | null): CachedShop | Promise<CachedShop | null> => {
    const name = nameOf(host)
    return known(name, now) ?? lookUp(host, name, now)
  }

  const known = (name: string, now: Date | null): CachedShop | null => {
    const shop = now && remembered.get(name)
    return shop ? { account: shop.account, cache: { now, entries: shop.entries } } : null
  }

  const lookUp = async (host: ShopHost, name: string, now: Date | null): Promise<CachedShop | null> => {
    const before = changes
    const account = await find(host)
    if (!account) return null

    if (!now || changes !== before) return { account, cache: { now: null, entries: new Map() } }

    // Looked up twice at once, both get the cache of the first.
    const entries = remembered.get(name)?.entries ?? new Map<string, unknown>()
    if (remembered.size >= SHOPS_MAX) remembered.clear()
    remembered.set(name, { account, entries })
    return { account, cache: { now, entries } }
  }

  return {
    lookUpShop: (host: ShopHost) => {
      if (!isListening) listen()
      const now = database.pgNotifications.ensureFresh()
      return now instanceof Promise ? now.then((time) => recall(host, time)) : recall(host, now)
    },
    cachedShop: (host: ShopHost) => known(nameOf(host), database.pgNotifications.freshAt()),
  }
}

const nameOf = (host: ShopHost) => ('subdomain' in host ? `${host.subdomain}.` : host.host)
