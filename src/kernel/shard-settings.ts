import { readDatabaseUrl } from './database-url.ts'
import { Misconfigured } from './misconfigured.ts'

/** A further server on which accounts live; its URL may name several hosts, as DATABASE_URL may. */
export interface ShardSettings {
  name: string
  url: string
}

/** What a message about the address of a shard calls it. */
export const settingOfShard = (name: string) => `FOYER_SHARDS for "${name}"`

/** The first server, that of DATABASE_URL or the embedded one. */
export const MAIN_SHARD = 'main'

const NAME = /^[a-z][a-z0-9-]{0,30}$/
const PROTOCOLS = ['postgres:', 'postgresql:']

/** Reads FOYER_SHARDS: `name=url` with commas between them. A comma within a URL belongs to it. */
export const readShardSettings = (text: string | undefined): ShardSettings[] => {
  if (!text?.trim()) return []
  const shards = text
    .split(/,(?=\s*[^\s=,/@:]+=postgres(?:ql)?:)/)
    .map((part) => part.trim())
    .map(readShard)
  const names = shards.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Misconfigured(`FOYER_SHARDS names "${twice}" twice.`)
  return shards
}

const readShard = (part: string): ShardSettings => {
  const at = part.indexOf('=')
  const [name, url] = [part.slice(0, Math.max(at, 0)), part.slice(at + 1)]
  if (!NAME.test(name) || name === MAIN_SHARD) {
    throw new Misconfigured(
      `FOYER_SHARDS must be like one=postgres://…,two=postgres://…, with names of small letters, digits and hyphens other than "${MAIN_SHARD}".`,
    )
  }
  if (!PROTOCOLS.some((protocol) => url.startsWith(`${protocol}//`))) {
    throw new Misconfigured(`FOYER_SHARDS must lead "${name}" to a URL beginning with postgres:// or postgresql://.`)
  }
  readDatabaseUrl(settingOfShard(name), url)
  return { name, url }
}
