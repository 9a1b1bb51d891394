import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { stopClock } from '../../test/kit/database/database.ts'
import { mailsTo } from '../../test/kit/venue/outbox.ts'
import { bodyOf } from '../../test/kit/network/read-eml.ts'
import type { Reply } from '../../test/kit/venue/client.ts'
import { openVenueIn } from '../../test/kit/venue/venue-in.ts'
import { openWebhookListener } from '../../test/kit/network/webhook-listener.ts'
import { openTestApp } from '../../test/kit/venue/venue.ts'

/** Whoever reads a code owns its money, so this test looks for codes it knows in all that an installation says and keeps. */
test('a code is found in the answer that issues it, in the export and in the mail, and nowhere else', async () => {
  const listener = await openWebhookListener()
  const running = await openTestApp({ environment: { FOYER_PRIVATE_NETWORKS: 'on' } })
  onTestFinished(async () => {
    await running.close()
    listener.close()
  })
  const { app, logged } = running
  const { report, client } = await openVenueIn(running, (file) => {
    const delivery = {
      audience: 'recipient',
      recipient_name: 'Rita',
      recipient_email: 'rita.secret@guest.example',
      failed_at: '-P1D',
    }
    const purchase = { customer_name: 'Bea', customer_email: 'bea@guest.example', deliveries: [delivery] }
    file['vouchers'] = [{ key: 'sold', amount: '60.00', source: 'shop', purchase }]
  })
  const [office, reader] = [client('office write'), client('office read')]
  const { body: webhook } = await office.post('/admin/webhook_endpoints', {
    webhook_endpoint: { url: `${listener.address}/all` },
  })

  const issued = await office.post(
    '/admin/vouchers',
    { voucher: { amount: '25.00' } },
    { headers: { 'idempotency-key': 'k' } },
  )
  const replayed = await office.post(
    '/admin/vouchers',
    { voucher: { amount: '25.00' } },
    { headers: { 'idempotency-key': 'k' } },
  )
  expect(replayed.text).toBe(issued.text)
  const imported = 'TOPSECRET23456789'
  const sold = report.vouchers['sold']!
  const codes = [issued.body.code, imported, sold.code] as string[]
  const secrets = codes.flatMap((code) => [code, code.replaceAll('-', ''), code.replaceAll('-', '').toLowerCase()])

  const replies: Reply[] = []
  const ask = async (reply: Promise<Reply>) => replies.push(await reply)
  const at = `/admin/vouchers/${issued.body.id}`
  const { body: made } = await office.post('/admin/voucher_imports', { csv: `code,amount\n${imported},5\n` })
  await ask(office.post('/admin/voucher_imports', { csv: `code,amount\n${imported},5\n${imported},x\n` }))
  await ask(office.get(`/admin/voucher_imports/${made.id}`))
  await ask(office.post(`/admin/voucher_imports/${made.id}/application`))
  await ask(office.post(`/admin/voucher_deliveries/${sold.deliveries[0]}/retry`))
  await running.workOffJobs()
  await ask(office.get(`/admin/voucher_imports/${made.id}`))
  await ask(office.get('/admin/voucher_imports'))
  await ask(office.get('/admin/vouchers'))
  await ask(office.get(at))
  await ask(office.get(`/admin/vouchers/${sold.id}`))
  for (const code of codes) await ask(reader.post('/admin/voucher_lookup', { code }))
  await ask(reader.post('/admin/voucher_lookup', { code: `${codes[0]}x` }))
  await ask(office.post('/admin/vouchers', { voucher: { amount: '1', code: codes[0] } }))
  await ask(reader.get(`/admin/voucher_lookup?code=${codes[0]}`))
  await ask(reader.get(`/admin/vouchers/${codes[0]}`))
  await ask(office.post(`${at}/adjustment`, { direction: 'credit', amount: '1', reason: 'x' }))
  await ask(office.post(`${at}/block`, { reason: 'x' }))
  await ask(office.delete(`${at}/block`))
  await ask(office.post('/admin/vouchers', { voucher: { amount: '1', note: 'x', voucher_product_id: codes[0] } }))
  await ask(office.post('/admin/voucher_lookup', { code: codes[0]!.slice(0, 10) }))
  await ask(office.post(`/admin/voucher_lookup?code=${codes[0]}`, {}))
  await ask(office.ask('POST', '/admin/voucher_lookup', { raw: `{"code": "${codes[0]}"` }))
  await ask(office.get(`/admin/vouchers?page=${codes[0]}`))
  await running.workOffJobs()
  await ask(office.get(`/admin/webhook_endpoints/${webhook.id}/deliveries`))

  const csv = (await reader.get('/admin/vouchers.csv')).text
  const [mail] = await mailsTo(running, 'rita.secret@guest.example')
  expect(bodyOf(mail!, 'text/plain')).toContain(sold.code)
  for (const code of codes) expect(csv).toContain(code)

  const database = await dump(app.database.pool)
  // Whatever is not found was looked for where the rest of it stands.
  expect(database).toContain(issued.body.id)
  expect(database).toContain(issued.body.code.slice(-4))
  expect(logged.join('')).toContain('/admin/vouchers')

  const places: [string, string][] = [
    ...replies.map(({ text, headers }): [string, string] => ['an answer', text + JSON.stringify([...headers])]),
    ['the log', logged.join('')],
    ['the database', database],
    ['a webhook', JSON.stringify(listener.heard)],
    ['the audit log', (await office.get('/admin/audit_log')).text],
    ...(await filesIn(running.dataFolder)),
  ]
  expect(logged.length).toBeGreaterThan(20)
  expect(new Set(listener.bodies('/all').map(({ type }) => type))).toContain('voucher.delivered')
  for (const [place, text] of places) {
    for (const secret of secrets) expect(text.includes(secret), `${place} contains a code`).toBe(false)
  }
})

/** What Foyer keeps outside of the database, except for the mails themselves. */
const filesIn = async (folder: string): Promise<[string, string][]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const names = entries.filter((each) => each.isFile()).map((each) => path.join(each.parentPath, each.name))
  const kept = names.filter((name) => !name.includes(`${path.sep}outbox${path.sep}`))
  expect(kept.length).toBeLessThan(names.length)
  return Promise.all(
    kept.map(async (name): Promise<[string, string]> => [name, name + (await readFile(name, 'latin1'))]),
  )
}

interface Queryable {
  query(text: string): Promise<{ rows: Record<string, unknown>[] }>
}

/** Every row of every table, jobs included; bytes once as they are and once as letters. */
const dump = async (pool: Queryable): Promise<string> => {
  const { rows: tables } = await pool.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  expect(tables.length).toBeGreaterThan(30)
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await pool.query(`select * from ${String(name)}`)
    for (const row of rows) {
      for (const value of Object.values(row)) {
        texts.push(Buffer.isBuffer(value) ? value.toString('latin1') : (JSON.stringify(value) ?? ''))
      }
    }
  }
  return texts.join('\n')
}

test('guessing codes is slowed down, while finding them is not', async () => {
  const running = await openTestApp({ environment: { FOYER_RATE_LIMITS: 'on' } })
  try {
    const { report, client } = await openVenueIn(running, (file) => {
      file['vouchers'] = [{ key: 'v', amount: '5.00' }]
    })
    const reader = client('office read')
    const lookUp = async (code: string) => (await reader.post('/admin/voucher_lookup', { code })).status
    const known = report.vouchers['v']!.code
    // However long it takes, no budget fills up again meanwhile.
    for (const { database } of running.apps) await stopClock(database.pool)

    for (let n = 0; n < 40; n++) expect(await lookUp(known)).toBe(200)
    const guesses = []
    for (let n = 0; n < 35; n++) guesses.push(await lookUp(`GUESS${String(n).padStart(11, '0')}`))
    expect(guesses.filter((status) => status === 404)).toHaveLength(30)
    expect(guesses.filter((status) => status === 429)).toHaveLength(5)
    expect(await lookUp(known)).toBe(429)
  } finally {
    await running.close()
  }
})
