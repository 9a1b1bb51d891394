import type { Database } from '../database/database.ts'
import { coalesce } from '../database/coalesce.ts'
import type { Language } from '../languages/rules.ts'
import type { Account, Caller, Permission, Role } from './callers.ts'
import { openLastUsedRecorder } from './last-used.ts'
import { type CachedShop, type ShopHost, openShopLookupCache } from './shop-cache.ts'
import type { CredentialKind } from './tokens.ts'

/**
 * Every look-up that is made before the account is known stands in this file. No credential is remembered:
 * one that was revoked is refused at its next request. Requests that arrive together are
 * looked up together, so a busy door costs one statement and not one per request.
 */
export interface Directory {
  findCaller(key: CallerKey): Promise<AuthenticatedRequest | null>
  /** Whether it is the token of a door device that was revoked: asked only when it opens nothing. */
  isRevokedDevice(digest: Buffer): Promise<boolean>
  findShop(host: ShopHost): Promise<Account | null>
  /** The same from memory, as far as it can be trusted. */
  lookUpShop(host: ShopHost): CachedShop | null | Promise<CachedShop | null>
  /** The same where nobody needs to be asked; null says nothing. */
  cachedShop(host: ShopHost): CachedShop | null
  isCustomHost(host: string): Promise<boolean>
  /** Whose invitation a mailed link opens, whatever became of it. */
  findInvitation(digest: Buffer): Promise<SecretTarget | null>
  /** Whose pairing a QR code's secret opens, whatever became of it. */
  findPairing(digest: Buffer): Promise<SecretTarget | null>
  /** Whose payment method the key of a webhook's address leads to. */
  findPaymentWebhook(key: string): Promise<SecretTarget | null>
  /** The accounts of which a phone has registered passes of this type. */
  findWalletAccounts(deviceDigest: Buffer, passTypeId: string): Promise<Account[]>
  /** Writes down when credentials were last used, which otherwise happens now and then. */
  recordUses(): Promise<void>
}

/** Something of an account that a secret opens. */
export interface SecretTarget {
  account: Account
  id: number
}

export interface CallerKey {
  digest: Buffer
  /** The event of the path, looked up on the same trip; null when the path names none. */
  eventSlug: string | null
  /** Whether a slug that the event had before leads to it too; otherwise only its slug of now does. */
  leadsOn?: boolean
}

/** A live credential, and the event of its account that was asked for. */
export interface AuthenticatedRequest {
  caller: Caller
  event: EventInPath | null
}

export interface EventInPath {
  id: number
  slug: string
  title: string
  /** Whether the member behind the credential is assigned to it. */
  assigned: boolean
}

export interface DirectoryOptions {
  /** Told when the last uses of credentials could not be written down. */
  onTrouble?: (error: Error) => void
}

export const openDirectory = (database: Database, { onTrouble = () => {} }: DirectoryOptions = {}): Directory => {
  const findShop = coalesce((hosts: ShopHost[]) => findShops(database, hosts))
  const uses = openLastUsedRecorder(database, onTrouble)

  const findAndNote = async (keys: CallerKey[]) => {
    const introductions = await findCallers(database, keys)
    for (const introduction of introductions) {
      if (introduction) uses.note(introduction.caller.account.id, introduction.caller.credential.id)
    }
    return introductions
  }

  return {
    findCaller: coalesce(findAndNote),
    isRevokedDevice: coalesce((digests: Buffer[]) => findRevokedDevices(database, digests)),
    recordUses: uses.flush,
    findInvitation: (digest) => findOpened(database, 'find-invitation', FIND_INVITATION, digest),
    findPairing: (digest) => findOpened(database, 'find-pairing', FIND_PAIRING, digest),
    findPaymentWebhook: (key) => findOpened(database, 'find-payment-webhook', FIND_PAYMENT_WEBHOOK, key),
    findWalletAccounts: async (deviceDigest, passTypeId) => {
      const values = [deviceDigest, passTypeId]
      const { rows } = await database.lookups.query<Account>({
        name: 'find-wallet-accounts',
        text: FIND_WALLET_ACCOUNTS,
        values,
      })
      return rows
    },
    findShop,
    ...openShopLookupCache(database, findShop),
    isCustomHost: coalesce((hosts: string[]) => findCustomHosts(database, hosts)),
  }
}

const findCustomHosts = async (database: Database, hosts: string[]): Promise<boolean[]> => {
  const { rows } = await database.lookups.query<{ host: string }>({
    name: 'custom-hosts',
    text: 'select host from shop_hosts where host = any($1)',
    values: [hosts],
  })
  const known = new Set(rows.map((row) => row.host))
  return hosts.map((host) => known.has(host))
}

/**
 * Whether a credential `c` opens anything, with the membership `m` that it acts as, if it does: not after it was revoked or
 * has expired, nor after another role, another password or a dismissal.
 */
export const IS_LIVE_CREDENTIAL = `
  c.revoked_at is null and (c.expires_at is null or c.expires_at > foyer_now())
  and (c.membership_id is null or (m.deactivated_at is null and m.credential_epoch = c.membership_epoch))`

const FIND_CALLERS = `
  select asked.n::int as n,
    a.id as account_id, a.name as account_name, a.subdomain, a.currency, a.time_zone, a.language,
    c.id as credential_id, c.kind, c.permission, c.description,
    m.role, actor.id as membership_id, p.id as person_id, p.name as person_name, p.email as person_email,
    e.id as event_id, e.slug as event_slug, e.title as event_title, s.event_id is not null as assigned,
    coalesce((select true from webhook_endpoints w where w.account_id = a.id and w.disabled_at is null limit 1), false)
      as has_webhooks
  from unnest($1::bytea[], $2::text[], $3::boolean[]) with ordinality as asked (digest, slug, leads_on, n)
  join credential_digests d on d.digest = asked.digest
  join credentials c on c.account_id = d.account_id and c.id = d.credential_id
  join accounts a on a.id = c.account_id
  left join memberships m on m.account_id = c.account_id and m.id = c.membership_id
  join lateral (
    select m.id, m.person_id where m.id is not null
    union all
    (select o.id, o.person_id from memberships o
      where m.id is null and o.account_id = c.account_id and o.role = 'owner' and o.deactivated_at is null
      order by o.id limit 1)
  ) actor on true
  join people p on p.id = actor.person_id
  left join event_slugs k on k.account_id = c.account_id and k.slug = asked.slug
  left join events e on e.account_id = k.account_id and e.id = k.event_id and (asked.leads_on or e.slug = asked.slug)
  left join assignments s on s.account_id = c.account_id and s.membership_id = m.id and s.event_id = e.id
  where ${IS_LIVE_CREDENTIAL}`

interface CallerRow {
  n: number
  account_id: number
  account_name: string
  subdomain: string
  currency: string
  time_zone: string
  language: Language
  credential_id: number
  kind: CredentialKind
  permission: Permission
  description: string
  role: Role | null
  membership_id: number
  person_id: number
  person_name: string
  person_email: string
  event_id: number | null
  event_slug: string | null
  event_title: string | null
  assigned: boolean
  has_webhooks: boolean
}

const findCallers = async (database: Database, keys: CallerKey[]): Promise<(AuthenticatedRequest | null)[]> => {
  // What arrives together mostly comes from the same few credentials, so each is asked for once.
  const positions = new Map<string, number>()
  const asked: CallerKey[] = []
  const positionOf = keys.map((key) => {
    const name = `${key.digest.toString('latin1')}${key.leadsOn ? '>' : ' '}${key.eventSlug ?? ''}`
    let position = positions.get(name)
    if (position === undefined) {
      position = asked.push(key) - 1
      positions.set(name, position)
    }
    return position
  })

  const { rows } = await database.lookups.query<CallerRow>({
    name: 'find-callers',
    text: FIND_CALLERS,
    values: [
      asked.map((key) => key.digest),
      asked.map((key) => key.eventSlug),
      asked.map(({ leadsOn = false }) => leadsOn),
    ],
  })

  const found: (AuthenticatedRequest | null)[] = asked.map(() => null)
  for (const row of rows) found[row.n - 1] = introduce(row)
  return positionOf.map((position) => found[position] ?? null)
}

const introduce = (row: CallerRow): AuthenticatedRequest => ({
  caller: {
    account: {
      id: row.account_id,
      name: row.account_name,
      subdomain: row.subdomain,
      currency: row.currency,
      timeZone: row.time_zone,
      language: row.language,
    },
    credential: {
      id: row.credential_id,
      kind: row.kind,
      permission: row.permission,
      description: row.description,
      role: row.role,
    },
    actor: {
      personId: row.person_id,
      membershipId: row.membership_id,
      name: row.person_name,
      email: row.person_email,
    },
    hasWebhooks: row.has_webhooks,
  },
  event:
    row.event_id === null
      ? null
      : { id: row.event_id, slug: row.event_slug!, title: row.event_title!, assigned: row.assigned },
})

const FIND_REVOKED_DEVICES = `
  select asked.n::int as n
  from unnest($1::bytea[]) with ordinality as asked (digest, n)
  join credential_digests d on d.digest = asked.digest
  join credentials c on c.account_id = d.account_id and c.id = d.credential_id
  where c.kind = 'scanner_device' and c.revoked_at is not null`

const findRevokedDevices = async (database: Database, digests: Buffer[]): Promise<boolean[]> => {
  const { rows } = await database.lookups.query<{ n: number }>({
    name: 'find-revoked-devices',
    text: FIND_REVOKED_DEVICES,
    values: [digests],
  })
  const revoked = new Set(rows.map(({ n }) => n))
  return digests.map((_, index) => revoked.has(index + 1))
}

const FIND_SHOPS = `
  select asked.n::int as n, a.id, a.name, a.subdomain, a.currency, a.time_zone as "timeZone", a.language
  from unnest($1::text[], $2::text[]) with ordinality as asked (subdomain, host, n)
  left join shop_hosts h on h.host = asked.host
  join accounts a on a.id = h.account_id or a.subdomain = asked.subdomain
  where a.shop_published_at is not null`

const findShops = async (database: Database, hosts: ShopHost[]): Promise<(Account | null)[]> => {
  const { rows } = await database.lookups.query<Account & { n: number }>({
    name: 'find-shops',
    text: FIND_SHOPS,
    values: [
      hosts.map((each) => ('subdomain' in each ? each.subdomain : null)),
      hosts.map((each) => ('host' in each ? each.host : null)),
    ],
  })

  const found: (Account | null)[] = hosts.map(() => null)
  for (const { n, ...account } of rows) found[n - 1] = account
  return found
}

/** Nobody has passes of more venues at once than this. */
const FIND_WALLET_ACCOUNTS = `
  select a.id, a.name, a.subdomain, a.currency, a.time_zone as "timeZone", a.language
  from accounts a
  where a.id in (select r.account_id from wallet_registrations r where r.device_digest = $1 and r.pass_type_id = $2)
  order by a.id limit 50`

const findOpenedBy = (table: string, id: string, key = 'digest') => `
  select d.${id} as id, a.id as "accountId", a.name, a.subdomain, a.currency, a.time_zone as "timeZone", a.language
  from ${table} d join accounts a on a.id = d.account_id
  where d.${key} = $1`

const FIND_INVITATION = findOpenedBy('invitation_tokens', 'invitation_id')
const FIND_PAIRING = findOpenedBy('pairing_digests', 'pairing_id')
const FIND_PAYMENT_WEBHOOK = findOpenedBy('payment_webhook_keys', 'payment_method_id', 'key')

const findOpened = async (
  database: Database,
  name: string,
  text: string,
  key: Buffer | string,
): Promise<SecretTarget | null> => {
  const { rows } = await database.lookups.query<Omit<Account, 'id'> & { id: number; accountId: number }>({
    name,
    text,
    values: [key],
  })
  const row = rows[0]
  if (!row) return null
  const { id, accountId, ...account } = row
  return { id, account: { id: accountId, ...account } }
}
