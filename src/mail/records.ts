import { type QueryExecutorProvider, sql } from 'kysely'

/** Whose mail it is: the installation's address under the venue's name, and where answers go. */
export interface VenueSender {
  name: string
  replyTo: string | null
}

export const findVenueSender = async (rows: { accountId: number; db: QueryExecutorProvider }): Promise<VenueSender> => {
  const { rows: accounts } = await sql<VenueSender>`
    select name, reply_to_email as "replyTo" from accounts where id = ${rows.accountId}`.execute(rows.db)
  return accounts[0]!
}
