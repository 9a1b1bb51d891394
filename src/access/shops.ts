import type { Database } from '../database/database.ts'
import type { Account } from './callers.ts'

/** A shop is known by the label before the shop domain, or by a domain of its own. */
export type ShopHost = { subdomain: string } | { host: string }

export interface RecalledShop {
  account: Account
  shelf: Shelf
}

/**
 * Where rooms may keep what they have made of a shop's rows. A change that shows at the shop takes the whole shelf
 * away, so what stands on it is as right as if it were made now; except for the clock, which every keeper watches.
 */
export interface Shelf {
  /** The time of the database when the request came in; null: the shelf is new and serves this request only. */
  readonly now: Date | null
  readonly things: Map<string, unknown>
}

/** From when to when something on a shelf is right, as long as nothing changes but the clock. */
export interface Span {
  from: number
  until: number
}

/** A clock that was set back proves nothing either. */
export const covers = ({ from, until }: Span, now: Date) => now.getTime() >= from && now.getTime() < until

/** Where every change that shows at a shop is announced, with the account's ID. */
const CHANNEL = 'shop'
const SHOPS_MAX = 1_000

interface Remembered {
  account: Account
  things: Map<string, unknown>
}

/**
 * Shops are asked for at every page and hardly ever change, so a found one is remembered until its account announces
 * a change. One that was not found is looked up again: made-up names would fill the memory.
 */
export const rememberShops = (database: Database, find: (host: ShopHost) => Promise<Account | null>) => {
  const remembered = new Map<string, Remembered>()
  let changes = 0
  let isListening = false

  const listen = () => {
    isListening = true
    database.announcements.listen(CHANNEL, {
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

  const recall = (host: ShopHost, now: Date | null): RecalledShop | Promise<RecalledShop | null> => {
    const name = nameOf(host)
    return known(name, now) ?? lookUp(host, name, now)
  }

  const known = (name: string, now: Date | null): RecalledShop | null => {
    const shop = now && remembered.get(name)
    return shop ? { account: shop.account, shelf: { now, things: shop.things } } : null
  }

  const lookUp = async (host: ShopHost, name: string, now: Date | null): Promise<RecalledShop | null> => {
    const before = changes
    const account = await find(host)
    if (!account) return null

    if (!now || changes !== before) return { account, shelf: { now: null, things: new Map() } }

    // Looked up twice at once, both get the shelf of the first.
    const things = remembered.get(name)?.things ?? new Map<string, unknown>()
    if (remembered.size >= SHOPS_MAX) remembered.clear()
    remembered.set(name, { account, things })
    return { account, shelf: { now, things } }
  }

  return {
    recallShop: (host: ShopHost) => {
      if (!isListening) listen()
      const now = database.announcements.keepUp()
      return now instanceof Promise ? now.then((time) => recall(host, time)) : recall(host, now)
    },
    recallShopAtOnce: (host: ShopHost) => known(nameOf(host), database.announcements.keptUp()),
  }
}

const nameOf = (host: ShopHost) => ('subdomain' in host ? `${host.subdomain}.` : host.host)
