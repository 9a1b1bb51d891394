import type { Kysely } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Tables } from '../database/table-types.ts'
import { describeError } from '../kernel/log.ts'
import type { App } from './app.ts'
import { type DirectoryLink, dropReleasedKeys, takeBackKeys } from './directory-keys.ts'

export interface TransactionOptions {
  /** Whether all its statements find a few rows by their keys: then each is planned once for a connection. */
  isKeyed?: boolean
}

/** At this level PostgreSQL shows all statements what the first one saw; nobody is locked and nobody can fail for it. */
export const readConsistently = <T>(
  database: Pick<Database, 'kysely'>,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> =>
  database.kysely.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)

/** What was told to the directory goes when the transaction fails; after a commit of unknown outcome it stays. */
export const inLinkedTransaction = async <T>(
  { database, shards, log }: App,
  work: (db: Kysely<Tables>, link: DirectoryLink | null) => Promise<T>,
  { isKeyed = false }: TransactionOptions = {},
): Promise<T> => {
  const kysely = isKeyed ? database.keyedTransactions : database.kysely
  if (!shards) return kysely.transaction().execute((db) => work(db, null))

  const directory = shards.all[0]!.database
  const link: DirectoryLink = { directory, isHere: directory === database, written: [], released: [] }
  const leaveToSweep = (trouble: unknown) =>
    log.warn(describeError(trouble), 'the directory keeps what leads nowhere until it is swept')
  let isDone = false
  try {
    const result = await kysely.transaction().execute(async (db) => {
      const answer = await work(db, link)
      isDone = true
      return answer
    })
    await dropReleasedKeys(link).catch(leaveToSweep)
    return result
  } catch (error) {
    if (!isDone) await takeBackKeys(link).catch(leaveToSweep)
    throw error
  }
}
