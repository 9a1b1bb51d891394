import type { Database } from '../database/database.ts'
import type { Shard, ShardMap } from '../database/shards.ts'
import { Misconfigured } from '../kernel/settings.ts'
import { MAIN_SHARD } from '../kernel/shard-settings.ts'
import type { App, Shards } from './app.ts'
import { findAccountOfSubdomain } from './directory-keys.ts'

export const openShards = (app: App, all: readonly Shard[], map: ShardMap): App => {
  const apps = new Map<Shard, App>()
  const shards: Shards = { all, map, appOn: (shard) => apps.get(shard)! }
  for (const shard of all) apps.set(shard, { ...app, database: shard.database, shards })
  return apps.get(all[0]!)!
}

/** The one place where it is chosen which server an account's rows are read and written on. */
export const appOf = (app: App, accountId: number): App =>
  app.shards ? app.shards.appOn(app.shards.map.of(accountId)) : app

/** The same for an account that this process may not have heard of yet. */
export const locateAppOf = async (app: App, accountId: number): Promise<App> =>
  app.shards ? app.shards.appOn(await app.shards.map.locate(accountId)) : app

/** The same for an account that somebody calls by its name. */
export const appOfSubdomain = async (app: App, subdomain: string): Promise<App> => {
  if (!app.shards) return app
  const accountId = await findAccountOfSubdomain(app.shards.all[0]!.database, subdomain.trim().toLowerCase())
  return accountId === null ? app.shards.appOn(app.shards.all[0]!) : locateAppOf(app, accountId)
}

/** The installation as each of its servers sees it, the directory first. */
export const appsOfShards = (app: App): App[] => {
  const { shards } = app
  return shards ? shards.all.map((shard) => shards.appOn(shard)) : [app]
}

/** The installation on the server that an operator names. */
export const requireAppOn = (app: App, name: string): App => {
  const there = appsOfShards(app)[(app.shards?.all.map((shard) => shard.name) ?? [MAIN_SHARD]).indexOf(name)]
  if (!there) throw new Misconfigured(`There is no shard "${name}": FOYER_SHARDS does not name it.`)
  return there
}

/** The server that has what belongs to no account: people, and what all servers must agree on. */
export const directoryOf = ({ shards, database }: Pick<App, 'shards' | 'database'>): Database =>
  shards ? shards.all[0]!.database : database

/** Told what is announced on a channel of the account's server, also after it has moved to another; null: something was missed. */
export const followAccount = async (
  app: App,
  accountId: number,
  channel: string,
  hear: (notice: string | null) => void,
): Promise<() => void> => {
  const follow = () => appOf(app, accountId).database.pgNotifications.follow(channel, hear)
  if (!app.shards) return follow()

  let hasLeft = false
  let leave = await follow()
  const moveOn = async () => {
    leave()
    // While the new server cannot be heard, whoever listens hears nothing, as with any server that is away.
    leave = await follow().catch(() => () => {})
    if (hasLeft) leave()
    else hear(null)
  }
  const stopWatching = app.shards.map.onMove(accountId, () => void moveOn())
  return () => {
    hasLeft = true
    stopWatching()
    leave()
  }
}
