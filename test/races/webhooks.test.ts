import { expect, test } from 'vitest'
import { race } from '../kit/race.ts'
import { openVenue } from '../kit/venue/venue.ts'

const ATTEMPTS = Number(process.env['FOYER_RACE_ATTEMPTS'] ?? 240)

test('an endpoint that is taken away at the same moment never makes what it would be told about fail', async () => {
  const { office } = await openVenue()
  const endpoints: string[] = []
  const statuses: number[] = []
  await race(ATTEMPTS, async (n) => {
    if (n % 3 === 0) {
      const wanted = { webhook_endpoint: { url: `https://books.example/${n}` } }
      const { status, body } = await office.post('/admin/webhook_endpoints', wanted)
      if (status === 201) endpoints.push(body.id)
    } else if (n % 3 === 1) {
      const id = endpoints.shift()
      if (id) statuses.push((await office.delete(`/admin/webhook_endpoints/${id}`)).status)
    } else {
      statuses.push((await office.post('/admin/vouchers', { voucher: { amount: '1.00' } })).status)
    }
  })
  expect(new Set(statuses)).toEqual(new Set([201, 204]))
}, 60_000)

test('control: an endpoint that was looked up without being held may be gone when its delivery is written', async () => {
  const { office, app, report } = await openVenue()
  const { pool } = app.database
  const account = report.account.id
  const { body } = await office.post('/admin/webhook_endpoints', {
    webhook_endpoint: { url: 'https://books.example/' },
  })
  await office.post('/admin/vouchers', { voucher: { amount: '1.00' } })
  const { rows } = await pool.query<{ endpoint: number; message: number }>(
    `select e.id as endpoint, m.id as message from webhook_endpoints e join webhook_messages m using (account_id)
     where account_id = $1`,
    [account],
  )

  expect((await office.delete(`/admin/webhook_endpoints/${body.id}`)).status).toBe(204)
  const telling = pool.query(
    'insert into webhook_deliveries (account_id, public_id, endpoint_id, message_id) values ($1, $2, $3, $4)',
    [account, 'late', rows[0]!.endpoint, rows[0]!.message],
  )
  await expect(telling).rejects.toMatchObject({ code: '23503' })
})
