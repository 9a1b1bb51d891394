import type pg from 'pg'
import { takeTask, timeClients } from './frame.ts'

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

const redeem = ({ accountId, publicIds, ...run }: BareRedemptions) =>
  timeClients({ ...run, count: publicIds.length }, async (client, n) => {
    const { rowCount } = await client.query({ name: 'bare', text: UPDATE, values: [accountId, publicIds[n]] })
    if (rowCount !== 1) throw new Error('A redemption of the baseline found nothing')
  })

await takeTask(redeem)
