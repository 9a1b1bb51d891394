import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

export const findAccountIds = async ({ kysely }: Database): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select id from accounts order by id`.execute(kysely)
  return rows.map(({ id }) => id)
}
