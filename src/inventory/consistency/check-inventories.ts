import type { Database } from '../../database/database.ts'
import { type CounterDifference, compareCounters } from './records.ts'

/** Recomputes every counter of all accounts, or of one, from its rows, and tells where the two differ. */
export const checkInventories = ({ kysely }: Database, accountId: number | null = null): Promise<CounterDifference[]> =>
  compareCounters(kysely, accountId)
