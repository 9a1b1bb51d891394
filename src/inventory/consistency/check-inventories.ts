import type { Database } from '../../database/database.ts'
import { type CounterDifference, compareCounters } from './records.ts'

/** Recomputes every counter of all accounts from its rows, and tells where the two differ. */
export const checkInventories = ({ kysely }: Database): Promise<CounterDifference[]> => compareCounters(kysely, null)
