import pg from 'pg'
import { takeTask } from './frame.ts'

export interface BareRedemptions {
  connection: pg.ClientConfig
  clients: number
  accountId: number
  publicIds: string[]
}

/** What the database alone can do: one row, one statement, prepared. */
const UPDATE = `
  update admissions set redeemed_at = foyer_now()
  where account_id = $1 and public_id = $2 and redeemed_at is null and status = 'active'
  returning id`

const redeem = async ({ connection, clients, accountId, publicIds }: BareRedemptions): Promise<{ seconds: number }> => {
  const all = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new pg.Client(connection)
      await client.connect()
      return client
    }),
  )
  let next = 0
  const started = performance.now()
  await Promise.all(
    all.map(async (client) => {
      while (next < publicIds.length) {
        const { rowCount } = await client.query({ name: 'bare', text: UPDATE, values: [accountId, publicIds[next++]] })
        if (rowCount !== 1) throw new Error('A redemption of the baseline found nothing')
      }
    }),
  )
  const seconds = (performance.now() - started) / 1000
  await Promise.all(all.map((client) => client.end()))
  return { seconds }
}

await takeTask(redeem)
