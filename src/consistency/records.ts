import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

export const findAccountIds = async ({ kysely }: Database): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select id from accounts order by id`.execute(kysely)
  return rows.map(({ id }) => id)
}

/** Of which rows stand on two servers for a while. */
export const findMovingAccountIds = async ({ kysely }: Database): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select account_id as id from account_moves`.execute(kysely)
  return rows.map(({ id }) => id)
}
