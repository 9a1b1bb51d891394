import type { Kysely } from 'kysely'
import { type Database, isDatabaseUnavailable } from '../database/database.ts'
import { useGenericPlans } from '../database/prepared.ts'
import type { Tables } from '../database/table-types.ts'
import { PendingAuditEntry } from './audit.ts'
import {
  type Account,
  type ActingPerson,
  type Caller,
  type Credential,
  type EventReach,
  eventReachOf,
} from './callers.ts'
import type { EventInPath } from './directory.ts'
import type { App, AppServices } from './app.ts'
import { type DirectoryLink, copyPeople, findAccountsOfPerson } from './directory-keys.ts'
import { appOf, directoryOf, followAccount } from './shards.ts'
import { digestOf } from './tokens.ts'
import { type TransactionOptions, inLinkedTransaction, readConsistently } from './transactions.ts'

declare const admitted: unique symbol

/** The way to the rows of one account. It cannot be made outside this file, so whoever holds one was admitted. */
export interface Rows {
  readonly accountId: number
  readonly db: Kysely<Tables>
  readonly [admitted]: true
}

/** The same within a transaction, be it only for reading: a scope that is within it sees what it sees. */
export interface TransactionDb extends Rows {
  readonly writes: boolean
}

/** The same for writing: what is written through it is written whole or not at all. */
export interface Tx extends TransactionDb {
  readonly writes: true
  /** How what leads to the account is told to the directory; null where there is one server. */
  readonly link: DirectoryLink | null
  /** Has this done last, within the transaction: what is told of its outcome sees all that was done in it. */
  beforeCommit(work: () => Promise<void>): void
}

/** The work of one admitted caller within one account. */
export class AccountScope {
  readonly account: Account
  readonly #app: App
  readonly #held: TransactionDb | null

  constructor(app: App, account: Account, held: TransactionDb | null = null) {
    this.#app = app
    this.account = account
    this.#held = held
  }

  /** Settings, secrets, budgets, clock and log. */
  get app(): AppServices {
    return this.here
  }

  /** The installation on the server where the account lives. */
  protected get here(): App {
    return appOf(this.#app, this.account.id)
  }

  /** Whether whatever is done through this scope is part of somebody's transaction. */
  get isWithinTransaction(): boolean {
    return this.#held !== null
  }

  /**
   * For an answer that is one statement; inside a transaction it reads what that transaction sees. What takes several
   * statements is read by `consistentRead`, or its parts are of different moments.
   */
  get rows(): Rows {
    return this.#held ?? openRows(this.account.id, this.here.database.kysely)
  }

  /** For short statements that find rows by their keys and are run by every request: they are planned once. */
  get keyLookups(): Rows {
    return this.#held ?? openRows(this.account.id, this.here.database.keyLookups)
  }

  /** Runs the work in one transaction, or in the one this scope is already within. */
  async transaction<T>(work: (tx: Tx) => Promise<T>, { isKeyed = false }: TransactionOptions = {}): Promise<T> {
    if (!this.#held) return inTransaction(this.here, (open) => work(open(this.account.id)), { isKeyed })
    const tx = requireWritable(this.#held)
    if (isKeyed) await useGenericPlans(tx.db)
    return work(tx)
  }

  /**
   * Every statement of the work sees the same moment, whatever is written meanwhile, and none can write. Within
   * somebody's transaction it sees what that sees.
   */
  consistentRead<T>(work: (rows: TransactionDb) => Promise<T>): Promise<T> {
    if (this.#held) return work(this.#held)
    return readConsistently(this.here.database, (db) => work(openReading(this.account.id, db)))
  }

  /**
   * A consistent read that a standby may answer, where there is one: it shows everything that was committed before it
   * began, as the primary does. Should the standby fail, the work is done again on the primary.
   */
  async replicaRead<T>(work: (rows: TransactionDb) => Promise<T>): Promise<T> {
    const { replica } = this.here.database
    if (this.#held || !replica || !(await replica.hasCaughtUp())) return this.consistentRead(work)
    try {
      return await readConsistently(replica, (db) => work(openReading(this.account.id, db)))
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      replica.distrust()
      return this.consistentRead(work)
    }
  }

  /** The same for an answer that is read piece by piece: whoever began with the standby ends with it. */
  async replicaRows(): Promise<Rows> {
    const { replica } = this.here.database
    if (this.#held || !replica || !(await replica.hasCaughtUp())) return this.rows
    return openRows(this.account.id, replica.kysely)
  }

  /** The same scope inside a transaction: whatever it opens further down joins it without knowing. */
  within(held: TransactionDb): AccountScope {
    return new AccountScope(this.#app, this.account, held)
  }

  /** Told what is announced on a channel, in whichever process it happens, until the answer is called; null: something was missed. */
  listen(channel: string, hear: (notice: string | null) => void): Promise<() => void> {
    return followAccount(this.#app, this.account.id, channel, hear)
  }

  /** Has the account's server know whoever the directory knows by this address. False where it knows nobody, or is the directory. */
  async copyPerson(email: string): Promise<boolean> {
    const { database } = this.here
    const directory = directoryOf(this.here)
    return directory !== database && copyPeople(directory, database.kysely, [email])
  }

  /** Where what belongs to the whole installation is kept, like the keys by which push services know it. */
  get installationDb(): Kysely<Tables> {
    return directoryOf(this.#app).kysely
  }

  protected get wholeApp(): App {
    return this.#app
  }

  protected get held(): TransactionDb | null {
    return this.#held
  }
}

/** A scope with a credential behind it: the organizer's endpoints, the door, the assistant. */
export class CallerScope extends AccountScope {
  readonly caller: Caller
  /** What the audit log will say of this request; null where nothing is written down. */
  readonly note: PendingAuditEntry | null

  constructor(app: App, caller: Caller, held: TransactionDb | null = null, note: PendingAuditEntry | null = null) {
    super(app, caller.account, held)
    this.caller = caller
    this.note = note
  }

  /** The effect and the note of it are one transaction. */
  override async transaction<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const { note } = this
    if (!note) return super.transaction(work, options)
    try {
      return await super.transaction(async (tx) => {
        const result = await work(tx)
        await note.write(tx, this.caller)
        return result
      }, options)
    } catch (error) {
      note.forget()
      throw error
    }
  }

  get actor(): ActingPerson {
    return this.caller.actor
  }

  get credential(): Credential {
    return this.caller.credential
  }

  get reach(): EventReach {
    return eventReachOf(this.caller)
  }

  /** Whose assignments set the limits, or null for whoever reaches the whole account. */
  get boundMembershipId(): number | null {
    return this.reach === 'account' ? null : this.actor.membershipId
  }

  override within(held: TransactionDb): CallerScope {
    return new CallerScope(this.wholeApp, this.caller, held, this.note)
  }

  /** For the work of several callers that arrived together: each of their notes is then written by itself. */
  unnoted(): AccountScope {
    if (this.held) throw new Error('What is done together with others cannot be part of one caller’s transaction')
    return new AccountScope(this.wholeApp, this.account)
  }

  /** The same scope, whose first transaction leaves this note in the audit log. */
  noted(note: PendingAuditEntry): CallerScope {
    return new CallerScope(this.wholeApp, this.caller, this.held, note)
  }
}

/** The notes of several callers whose work is one transaction. */
export const writePendingAuditEntries = (tx: Tx, scopes: readonly CallerScope[]): Promise<void> =>
  PendingAuditEntry.writeAll(
    tx,
    scopes.flatMap(({ note, caller }) => (note ? [{ note, by: caller }] : [])),
  )

/** A scope narrowed to one event that the caller may work on. */
export class EventScope extends CallerScope {
  readonly event: EventInPath

  constructor(
    app: App,
    caller: Caller,
    event: EventInPath,
    held: TransactionDb | null = null,
    note: PendingAuditEntry | null = null,
  ) {
    super(app, caller, held, note)
    this.event = event
  }

  override within(held: TransactionDb): EventScope {
    return new EventScope(this.wholeApp, this.caller, this.event, held, this.note)
  }

  override noted(note: PendingAuditEntry): EventScope {
    return new EventScope(this.wholeApp, this.caller, this.event, this.held, note)
  }
}

declare const visiting: unique symbol

/** The way to what belongs to people and to no account: who they are and how they sign in. */
export interface PeopleDb {
  readonly db: Kysely<Tables>
  readonly [visiting]: true
}

/** The same within a transaction. */
export interface PeopleTx extends PeopleDb {
  readonly writes: true
  readonly link: DirectoryLink | null
}

/** Someone at the console's door who has not signed in yet. */
export class VisitorScope {
  readonly #app: App

  constructor(app: App) {
    this.#app = app
  }

  get app(): AppServices {
    return this.#app
  }

  get rows(): PeopleDb {
    return openPeople(this.#app.database.kysely)
  }

  transaction<T>(work: (tx: PeopleTx) => Promise<T>): Promise<T> {
    return inLinkedTransaction(this.#app, (db, link) => work(openPeople(db, link)))
  }

  consistentRead<T>(work: (rows: PeopleDb) => Promise<T>): Promise<T> {
    return readConsistently(this.#app.database, (db) => work(openPeople(db)))
  }

  /** The same with what is of an account: where that lives on another server, both show a moment of their own. */
  consistentReadWith<T>(accountId: number, work: (people: PeopleDb, own: PeopleDb) => Promise<T>): Promise<T> {
    const there = this.at(accountId)
    if (there.#app.database === this.#app.database) return this.consistentRead((rows) => work(rows, rows))
    return this.consistentRead((people) => there.consistentRead((own) => work(people, own)))
  }

  /** The same visitor on the server where an account lives. */
  at(accountId: number): VisitorScope {
    return new VisitorScope(appOf(this.#app, accountId))
  }

  /** The same where a credential belongs, as long as it opens anything. */
  async atCredential(token: string): Promise<VisitorScope> {
    if (!this.#app.shards) return this
    const found = await this.#app.directory.findCaller({ digest: digestOf(token), eventSlug: null })
    return found ? this.at(found.caller.account.id) : this
  }

  /** The same on each server where a person may be a member: the directory, and those that it names. */
  async everywhere(personId: number): Promise<VisitorScope[]> {
    const { shards } = this.#app
    if (!shards) return [this]
    const main = shards.all[0]!
    const found = await findAccountsOfPerson(main.database, personId)
    for (const { accountId, shard } of found) shards.map.learn(accountId, shard)
    const servers = new Set([main, ...found.map(({ shard }) => shards.map.byName(shard))])
    return Array.from(servers, (shard) => new VisitorScope(shards.appOn(shard)))
  }

  isSameAs(other: VisitorScope): boolean {
    return other.#app.database === this.#app.database
  }

  /** Whether this is the server on which an account lives. */
  isHomeOf(accountId: number): boolean {
    return appOf(this.#app, accountId).database === this.#app.database
  }
}

const requireWritable = (held: TransactionDb): Tx => {
  if (!held.writes) throw new Error('A consistent read cannot write')
  return held as Tx
}

/**
 * The command line works without a caller: it founds an account, or is told one by name. Only operator.ts
 * may open a transaction this way.
 */
export const openOperatorTransaction = <T>(
  app: App,
  work: (db: Kysely<Tables>, open: (accountId: number) => Tx) => Promise<T>,
): Promise<T> => inTransaction(app, (open, db) => work(db, open))

/** A job works without a caller, for the account that queued it. Only job-scope.ts may open rows this way. */
export const accountDbForJob = (database: Database, accountId: number): Rows => openRows(accountId, database.kysely)

const openPeople = (db: Kysely<Tables>, link: DirectoryLink | null = null) =>
  ({ db, link, writes: true }) as unknown as PeopleTx
const openRows = (accountId: number, db: Kysely<Tables>) => ({ accountId, db }) as Rows
const openReading = (accountId: number, db: Kysely<Tables>) =>
  ({ accountId, db, writes: false }) as unknown as TransactionDb

const inTransaction = <T>(
  app: App,
  work: (open: (accountId: number) => Tx, db: Kysely<Tables>) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> =>
  inLinkedTransaction(
    app,
    async (db, link) => {
      const last: (() => Promise<void>)[] = []
      const beforeCommit = (each: () => Promise<void>) => void last.push(each)
      const open = (accountId: number) => ({ accountId, db, link, writes: true, beforeCommit }) as unknown as Tx
      const result = await work(open, db)
      for (const each of last) await each()
      return result
    },
    options,
  )
