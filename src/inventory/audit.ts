import type { Database } from '../database/database.ts'
import { type Difference, compareCounters } from './records.ts'

/** Recomputes every counter of all accounts from its rows, and tells where the two differ. */
export const auditInventories = ({ kysely }: Database): Promise<Difference[]> => compareCounters(kysely, null)
