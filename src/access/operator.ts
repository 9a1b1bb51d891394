import { type Insertable, type Kysely, sql } from 'kysely'
import type { Accounts, Tables } from '../database/table-types.ts'
import { normalizeEmail } from '../kernel/emails.ts'
import { requireFound } from '../kernel/refusals.ts'
import { Misconfigured } from '../kernel/settings.ts'
import { recordAudit } from './audit.ts'
import { type Account, PERMISSIONS, type Permission } from './callers.ts'
import { type NewCredential, insertCredentials } from './credentials.ts'
import { claimPaymentWebhooks, reserveAccount } from './found-account.ts'
import type { App } from './app.ts'
import { AccountScope, type Tx, openOperatorTransaction } from './scopes.ts'
import { appOfSubdomain } from './shards.ts'
import { newToken } from './tokens.ts'

/** Whoever can start commands on the machine: works without a credential, on any account. */
export interface Operator {
  /** The time of this transaction, which is what foyer_now() says throughout it. */
  now(): Promise<Date>
  /** Whether there is no account yet. Others who ask wait until this transaction has ended. */
  isFirst(): Promise<boolean>
  /** Null when the subdomain is another account's. */
  foundAccount(account: Insertable<Accounts>): Promise<OpenedAccount | null>
  openAccount(subdomain: string): Promise<OpenedAccount | null>
}

export interface OpenedAccount {
  account: Account
  tx: Tx
}

/** On the server that the app names: a new account is founded there, and one of another server is not seen. */
export const operatorTransaction = <T>(app: App, work: (operator: Operator) => Promise<T>): Promise<T> =>
  openOperatorTransaction(app, (db, open) =>
    work({
      now: () => readNow(db),
      isFirst: () => isFirst(db),
      foundAccount: async (wanted) => {
        const reserved = app.shards ? await reserveAccount(app, open, wanted.subdomain) : {}
        const account = reserved && (await insertAccount(db, { ...wanted, ...reserved }))
        if (!account) return null
        const tx = open(account.id)
        await claimPaymentWebhooks(tx)
        return { account, tx }
      },
      openAccount: async (subdomain) => {
        const account = await findAccount(db, subdomain)
        return account && { account, tx: open(account.id) }
      },
    }),
  )

export interface TokenRequest {
  subdomain: string
  permission: string
  personEmail?: string | undefined
  description: string
}

/** Makes an API token; with a person it acts as that member and ends with the membership. */
export const createToken = async (app: App, input: TokenRequest): Promise<string> =>
  operatorTransaction(await appOfSubdomain(app, input.subdomain), async (operator) => {
    const permission = readPermission(input.permission)
    const description = readLabel('The description', input.description)
    const { account, tx } = await requireAccount(operator, input.subdomain)
    const membership = input.personEmail === undefined ? null : await requireMember(tx, account, input.personEmail)
    return issue(tx, { kind: membership ? 'personal_token' : 'account_token', permission, description, membership })
  })

export interface DeviceRequest {
  subdomain: string
  name: string
}

/** Pairs a door scanner. A device's name is how it is revoked, so two that are in use never share one. */
export const pairDevice = async (app: App, input: DeviceRequest): Promise<string> =>
  operatorTransaction(await appOfSubdomain(app, input.subdomain), async (operator) => {
    const name = readLabel('The name', input.name)
    const { account, tx } = await requireAccount(operator, input.subdomain)
    await lockAccount(tx)
    if (await isPaired(tx, name)) {
      throw new Misconfigured(`The account "${account.subdomain}" has a device "${name}" already; revoke it first.`)
    }
    return issue(tx, { kind: 'scanner_device', permission: 'write', description: name, membership: null })
  })

export const revokeDevice = async (app: App, input: DeviceRequest): Promise<void> =>
  operatorTransaction(await appOfSubdomain(app, input.subdomain), async (operator) => {
    const name = readLabel('The name', input.name)
    const { account, tx } = await requireAccount(operator, input.subdomain)
    if (!(await recordRevocation(tx, name))) {
      throw new Misconfigured(`The account "${account.subdomain}" has no device "${name}" in use.`)
    }
    await recordAudit(tx, { action: 'revoke device by command', subject: { name }, by: null })
  })

/** Everything of an account, for reading; that it was opened is written down under the name of the command. */
export const openAccountByCommand = async (app: App, subdomain: string, action: string): Promise<AccountScope> => {
  const { account } = await operatorTransaction(await appOfSubdomain(app, subdomain), async (operator) => {
    const opened = await requireAccount(operator, subdomain)
    await recordAudit(opened.tx, { action, subject: {}, by: null })
    return opened
  })
  return new AccountScope(app, account)
}

const issue = async (tx: Tx, input: Omit<NewCredential, 'token' | 'revokedAt'>) => {
  const token = newToken(input.kind)
  await insertCredentials(tx, [{ ...input, token, revokedAt: null }])
  const { kind, permission, description } = input
  await recordAudit(tx, { action: 'make credential by command', subject: { kind, permission, description }, by: null })
  return token
}

const LABEL_MAX = 255

const readPermission = (text: string): Permission => {
  const permission = PERMISSIONS.find((each) => each === text)
  if (!permission) throw new Misconfigured(`The permission must be read or write; it is "${text}".`)
  return permission
}

const readLabel = (what: string, text: string) => {
  const label = text.trim()
  if (label === '' || label.length > LABEL_MAX || label.includes('\0') || !label.isWellFormed()) {
    throw new Misconfigured(`${what} must be a text of 1 to ${LABEL_MAX} characters.`)
  }
  return label
}

const requireAccount = async (operator: Operator, subdomain: string) => {
  const opened = await operator.openAccount(subdomain.trim().toLowerCase())
  if (!opened) throw new Misconfigured(`There is no account with the subdomain "${subdomain}".`)
  return opened
}

const requireMember = async (tx: Tx, account: Account, typed: string) => {
  const email = normalizeEmail(typed)
  const member = await findMember(tx, email)
  if (!member) throw new Misconfigured(`Nobody with the address ${email} works for "${account.subdomain}".`)
  if (!member.active) throw new Misconfigured(`The member ${email} of "${account.subdomain}" is deactivated.`)
  return { id: member.id, epoch: member.epoch }
}

/** Any number that no other advisory lock of Foyer uses. */
const FIRST_ACCOUNT_LOCK = 7_240_518

const readNow = async (db: Kysely<Tables>) => {
  const { rows } = await sql<{ now: Date }>`select foyer_now() as now`.execute(db)
  return requireFound(rows[0]).now
}

const isFirst = async (db: Kysely<Tables>) => {
  // Two statements: the second one sees what the holder of the lock has committed meanwhile.
  await sql`select pg_advisory_xact_lock(${FIRST_ACCOUNT_LOCK}::bigint)`.execute(db)
  const { rows } = await sql`
    select 1 from (select id from accounts union all select account_id from account_shards) as known limit 1`.execute(
    db,
  )
  return rows.length === 0
}

const insertAccount = async (db: Kysely<Tables>, account: Insertable<Accounts>): Promise<Account | null> => {
  const founded = await db
    .insertInto('accounts')
    .values(account)
    .onConflict((conflict) => conflict.column('subdomain').doNothing())
    .returning(['id', 'name', 'subdomain', 'currency', 'time_zone as timeZone', 'language'])
    .executeTakeFirst()
  return founded ?? null
}

const findAccount = async (db: Kysely<Tables>, subdomain: string) => {
  const { rows } = await sql<Account>`
    select id, name, subdomain, currency, time_zone as "timeZone", language
    from accounts where subdomain = ${subdomain.replaceAll('\0', '')}`.execute(db)
  return rows[0] ?? null
}

const lockAccount = (tx: Tx) => sql`select 1 from accounts where id = ${tx.accountId} for update`.execute(tx.db)

const findMember = async (tx: Tx, email: string) => {
  const { rows } = await sql<{ id: number; epoch: number; active: boolean }>`
    select m.id, m.credential_epoch as epoch, m.deactivated_at is null as active
    from memberships m join people p on p.id = m.person_id
    where m.account_id = ${tx.accountId} and p.email = ${email.replaceAll('\0', '')}`.execute(tx.db)
  return rows[0] ?? null
}

const isPaired = async (tx: Tx, name: string) => {
  const { rows } = await sql`
    select 1 from credentials
    where account_id = ${tx.accountId} and kind = 'scanner_device' and description = ${name}
      and revoked_at is null`.execute(tx.db)
  return rows.length > 0
}

const recordRevocation = async (tx: Tx, name: string) => {
  const { rows } = await sql`
    update credentials set revoked_at = foyer_now()
    where account_id = ${tx.accountId} and kind = 'scanner_device' and description = ${name} and revoked_at is null
    returning id`.execute(tx.db)
  return rows.length > 0
}
