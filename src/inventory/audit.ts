import type { Rows } from '../access/scopes.ts'
import type { Database } from '../database/database.ts'
import { type Difference, compareCounters } from './records.ts'

/** Recomputes every counter of an account from its rows, and tells where the two differ. */
export const auditInventory = ({ accountId, db }: Rows): Promise<Difference[]> => compareCounters(db, accountId)

/** The same for all accounts of the installation. */
export const auditInventories = ({ kysely }: Database): Promise<Difference[]> => compareCounters(kysely, null)
