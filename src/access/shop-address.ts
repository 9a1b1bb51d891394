import type { Account } from './callers.ts'
import type { App } from './app.ts'
import type { CachedShop, ShopCache, ShopHost } from './shop-cache.ts'

/** A shop and the one origin its absolute URLs are made of, whatever Host the request came with. */
export interface ShopAddress {
  account: Account
  origin: string
  cache: ShopCache
}

/** The canonical address of an account's shop. */
export const shopOrigin = ({ settings }: Pick<App, 'settings'>, subdomain: string) =>
  `${settings.baseUrl.slice(0, settings.baseUrl.indexOf(':'))}://${subdomain}.${settings.shopDomain}`

export type Site = 'console' | 'shop'

/** Whose address a Host is: the console's, or a shop's. Ports say nothing about it. */
export const siteOfHost = async (app: App, host: string): Promise<Site> =>
  siteOfHostWithoutLookup(app, host) ?? ((await app.directory.isCustomHost(hostName(host))) ? 'shop' : 'console')

/**
 * The same as far as it can be told without asking anybody. Addresses by number and the console's own name never
 * belong to a shop, names beneath the shop domain always do; null for every other name.
 */
export const siteOfHostWithoutLookup = (app: App, host: string): Site | null => {
  const name = hostName(host)
  if (isConsole(app, name)) return 'console'
  return subdomainOf(app, name) === null ? null : 'shop'
}

/** At once where the shop is remembered. */
export const shopOfHost = (app: App, host: string): ShopAddress | null | Promise<ShopAddress | null> => {
  const name = hostName(host)
  if (isConsole(app, name)) return null

  const addressOf = (shop: CachedShop | null) =>
    shop && { account: shop.account, cache: shop.cache, origin: shopOrigin(app, shop.account.subdomain) }
  const shop = app.directory.lookUpShop(shopHost(app, name))
  return shop instanceof Promise ? shop.then(addressOf) : addressOf(shop)
}

/** The cache of a Host's shop where it is remembered and nobody needs to be asked. */
export const shopCacheOfHost = (app: App, host: string): ShopCache | null => {
  const name = hostName(host)
  return isConsole(app, name) ? null : (app.directory.cachedShop(shopHost(app, name))?.cache ?? null)
}

/** Whether a name is Foyer's own to give away: the console's, or one beneath the shop domain. */
export const isReservedHostName = (app: Pick<App, 'settings'>, name: string) =>
  isConsole(app, name) || subdomainOf(app, name) !== null

const hostNames = new Map<string, string>()
const HOST_NAMES_MAX = 1_000

/** The same few are asked for all day long. */
const hostName = (host: string) => {
  let name = hostNames.get(host)
  if (name === undefined) {
    name = readHostName(host)
    if (hostNames.size >= HOST_NAMES_MAX) hostNames.clear()
    hostNames.set(host, name)
  }
  return name
}

const readHostName = (host: string) => {
  const colon = host.lastIndexOf(':')
  const name = colon >= 0 && /^\d*$/.test(host.slice(colon + 1)) ? host.slice(0, colon) : host
  return (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase()
}

const isConsole = ({ settings }: Pick<App, 'settings'>, name: string) =>
  name === '' ||
  name === 'localhost' ||
  name === settings.consoleHost ||
  name === settings.shopHost ||
  /^[\d.]+$/.test(name) ||
  name.startsWith('[')

const subdomainOf = ({ settings }: Pick<App, 'settings'>, name: string) => {
  const ending = `.${settings.shopHost}`
  return name.endsWith(ending) ? name.slice(0, -ending.length) : null
}

const shopHost = (app: App, name: string): ShopHost => {
  const subdomain = subdomainOf(app, name)
  return subdomain ? { subdomain } : { host: name }
}
