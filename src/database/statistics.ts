import { sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * Tells the planner what the tables hold by now. The server finds out by itself, but after a minute or two; until then it
 * would look for the order of each ticket among all orders of the event.
 */
export const refreshStatistics = async ({ kysely }: Database): Promise<void> => {
  await sql`analyze`.execute(kysely)
}
