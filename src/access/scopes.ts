import type { Kysely } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Tables } from '../database/table-types.ts'
import { AuditNote } from './audit.ts'
import { type Account, type Actor, type Caller, type Credential, type Reach, reachOf } from './callers.ts'
import type { EventOfPath } from './directory.ts'
import type { House, HouseMeans } from './house.ts'

declare const admitted: unique symbol

/** The way to the rows of one account. It cannot be made outside this file, so whoever holds one was admitted. */
export interface Rows {
  readonly accountId: number
  readonly db: Kysely<Tables>
  readonly [admitted]: true
}

/** The same within a transaction: what is written through it is written whole or not at all. */
export interface Tx extends Rows {
  readonly writes: true
}

/** The work of one admitted caller within one account. */
export class AccountScope {
  readonly account: Account
  readonly #house: House
  readonly #tx: Tx | null

  constructor(house: House, account: Account, tx: Tx | null = null) {
    this.#house = house
    this.account = account
    this.#tx = tx
  }

  /** Settings, secrets, budgets, clock and log. */
  get house(): HouseMeans {
    return this.#house
  }

  /** Whether whatever is done through this scope is part of somebody's transaction. */
  get isWithinTransaction(): boolean {
    return this.#tx !== null
  }

  /** For reading, one statement at a time; inside a transaction it reads what that transaction sees. */
  get rows(): Rows {
    return this.#tx ?? openRows(this.account.id, this.#house.database.kysely)
  }

  /** For short statements that find rows by their keys and are run by every request: they are planned once. */
  get express(): Rows {
    return this.#tx ?? openRows(this.account.id, this.#house.database.express)
  }

  /** Runs the work in one transaction, or in the one this scope is already within. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#tx) return work(this.#tx)
    return this.#house.database.kysely.transaction().execute((db) => work(openTx(this.account.id, db)))
  }

  /** Told what is announced on a channel, in whichever process it happens, until the answer is called; null: something was missed. */
  listen(channel: string, hear: (notice: string | null) => void): Promise<() => void> {
    return this.#house.database.announcements.follow(channel, hear)
  }

  protected get wholeHouse(): House {
    return this.#house
  }

  protected get ownTx(): Tx | null {
    return this.#tx
  }
}

/** A scope with a credential behind it: the organizer's endpoints, the door, the assistant. */
export class CallerScope extends AccountScope {
  readonly caller: Caller
  /** What the audit log will say of this request; null where nothing is written down. */
  readonly note: AuditNote | null

  constructor(house: House, caller: Caller, tx: Tx | null = null, note: AuditNote | null = null) {
    super(house, caller.account, tx)
    this.caller = caller
    this.note = note
  }

  /** The effect and the note of it are one transaction. */
  override async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const { note } = this
    if (!note) return super.transaction(work)
    try {
      return await super.transaction(async (tx) => {
        const result = await work(tx)
        await note.write(tx, this.caller)
        return result
      })
    } catch (error) {
      note.forget()
      throw error
    }
  }

  get actor(): Actor {
    return this.caller.actor
  }

  get credential(): Credential {
    return this.caller.credential
  }

  get reach(): Reach {
    return reachOf(this.caller)
  }

  /** Whose assignments set the limits, or null for whoever reaches the whole account. */
  get boundMembershipId(): number | null {
    return this.reach === 'account' ? null : this.actor.membershipId
  }

  /** The same scope inside a transaction: whatever it opens further down joins it without knowing. */
  within(tx: Tx): CallerScope {
    return new CallerScope(this.wholeHouse, this.caller, tx, this.note)
  }

  /** For the work of several callers that arrived together: each of their notes is then written by itself. */
  unnoted(): AccountScope {
    if (this.ownTx) throw new Error('What is done together with others cannot be part of one caller’s transaction')
    return new AccountScope(this.wholeHouse, this.account)
  }

  /** The same scope, whose first transaction leaves this note in the audit log. */
  noted(note: AuditNote): CallerScope {
    return new CallerScope(this.wholeHouse, this.caller, this.ownTx, note)
  }
}

/** The notes of several callers whose work is one transaction. */
export const leaveNotes = (tx: Tx, scopes: readonly CallerScope[]): Promise<void> =>
  AuditNote.writeAll(
    tx,
    scopes.flatMap(({ note, caller }) => (note ? [{ note, by: caller }] : [])),
  )

/** A scope narrowed to one event that the caller may work on. */
export class EventScope extends CallerScope {
  readonly event: EventOfPath

  constructor(house: House, caller: Caller, event: EventOfPath, tx: Tx | null = null, note: AuditNote | null = null) {
    super(house, caller, tx, note)
    this.event = event
  }

  override within(tx: Tx): EventScope {
    return new EventScope(this.wholeHouse, this.caller, this.event, tx, this.note)
  }

  override noted(note: AuditNote): EventScope {
    return new EventScope(this.wholeHouse, this.caller, this.event, this.ownTx, note)
  }
}

declare const visiting: unique symbol

/** The way to what belongs to people and to no account: who they are and how they sign in. */
export interface PeopleRows {
  readonly db: Kysely<Tables>
  readonly [visiting]: true
}

/** The same within a transaction. */
export interface PeopleTx extends PeopleRows {
  readonly writes: true
}

/** Someone at the console's door who has not signed in yet. */
export class VisitorScope {
  readonly #house: House

  constructor(house: House) {
    this.#house = house
  }

  get house(): HouseMeans {
    return this.#house
  }

  get rows(): PeopleRows {
    return openPeople(this.#house.database.kysely)
  }

  transaction<T>(work: (tx: PeopleTx) => Promise<T>): Promise<T> {
    return this.#house.database.kysely.transaction().execute((db) => work(openPeople(db)))
  }
}

/**
 * The command line works without a caller: it founds an account, or is told one by name. Only operator.ts
 * may open a transaction this way.
 */
export const openForOperator = <T>(
  database: Database,
  work: (db: Kysely<Tables>, open: (accountId: number) => Tx) => Promise<T>,
): Promise<T> => database.kysely.transaction().execute((db) => work(db, (accountId) => openTx(accountId, db)))

/** A job works without a caller, for the account that queued it. Only house-work.ts may open rows this way. */
export const openForJob = (database: Database, accountId: number): Rows => openRows(accountId, database.kysely)

const openPeople = (db: Kysely<Tables>) => ({ db, writes: true }) as unknown as PeopleTx
const openRows = (accountId: number, db: Kysely<Tables>) => ({ accountId, db }) as Rows
const openTx = (accountId: number, db: Kysely<Tables>) => ({ accountId, db, writes: true }) as Tx
