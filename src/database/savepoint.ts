import { type Kysely, sql } from 'kysely'
import type { Tables } from './table-types.ts'

export interface Savepoint {
  /** Checks what is otherwise checked at the commit, and keeps what was done since. */
  release(): Promise<void>
  /** Undoes what was done since, and leaves the transaction usable. */
  rollBack(): Promise<void>
}

/** Within a transaction: what comes next is kept or undone by itself. One at a time. */
export const openSavepoint = async (db: Kysely<Tables>): Promise<Savepoint> => {
  await sql`savepoint part`.execute(db)
  return {
    release: async () => {
      await sql`set constraints all immediate`.execute(db)
      await sql`set constraints all deferred`.execute(db)
      await sql`release savepoint part`.execute(db)
    },
    rollBack: async () => {
      await sql`rollback to savepoint part`.execute(db)
      await sql`release savepoint part`.execute(db)
    },
  }
}
