import { expect, test } from 'vitest'
import { signedIn } from '../../../test/kit/venue/sessions.ts'
import { type Venue, openVenue } from '../../../test/kit/venue/venue.ts'
import { findVoucherFaults } from '../consistency/records.ts'
import { openAccountForJob } from '../../access/job-scope.ts'

const euros = (amount: string) => ({ amount, currency: 'EUR' })

const audit = async (venue: Venue) =>
  findVoucherFaults((await openAccountForJob(venue.app, venue.report.account.id))!.rows)

test('a voucher is issued with a random code that only this answer shows', async () => {
  const venue = await openVenue()
  const { office, reader } = venue
  const issued = await office.post('/admin/vouchers', { voucher: { amount: '25.00', note: 'Apology' } })

  expect(issued.status).toBe(201)
  expect(issued.headers.get('cache-control')).toBe('private, no-store')
  expect(issued.body.code).toMatch(/^([A-HJ-NP-Z2-9]{4}-){3}[A-HJ-NP-Z2-9]{4}$/)
  expect(issued.body.masked_code).toBe(`****-****-****-${issued.body.code.slice(-4)}`)
  expect(issued.body).toMatchObject({
    product_id: null,
    product_name: null,
    source: 'manual',
    status: 'active',
    issued_amount: euros('25.00'),
    balance: euros('25.00'),
    available_balance: euros('25.00'),
    expires_at: null,
    blocked_at: null,
    block_reason: null,
  })

  const path = new URL(issued.headers.get('location')!).pathname
  const shown = await reader.get(path)
  expect(shown.text).not.toContain(issued.body.code)
  expect(shown.body.purchase).toBeNull()
  expect(shown.body.entries).toMatchObject([
    {
      kind: 'issuance',
      amount: euros('25.00'),
      balance_after: euros('25.00'),
      order_id: null,
      actor: 'Olga Owner',
      reason: 'Apology',
      metadata: {},
    },
  ])
  expect(await audit(venue)).toEqual([])
})

test('a product decides the amount, the price and the validity', async () => {
  const { office, app } = await openVenue()
  const make = async (voucher_product: object) =>
    (await office.post('/admin/voucher_products', { voucher_product })).body.id
  const bonus = await make({
    name: 'Bonus',
    pricing_type: 'fixed',
    fixed_amount: '60',
    purchase_price: '50',
    validity_months: 6,
  })
  const flexible = await make({ name: 'Yours', pricing_type: 'flexible', minimum_amount: '10', maximum_amount: '100' })
  const issue = (voucher: object) => office.post('/admin/vouchers', { voucher })

  const one = await issue({ voucher_product_id: bonus })
  const expected = app.clock.now()
  expected.setUTCMonth(expected.getUTCMonth() + 6)
  expect(one.body).toMatchObject({ product_id: bonus, product_name: 'Bonus', issued_amount: euros('60.00') })
  expect(Math.abs(Date.parse(one.body.expires_at) - expected.getTime())).toBeLessThan(4 * 24 * 3600_000)
  expect((await office.get('/admin/vouchers')).body.summary).toMatchObject({
    issued: euros('60.00'),
    bonus: euros('10.00'),
  })

  expect((await issue({ voucher_product_id: bonus, amount: '60' })).status).toBe(201)
  expect(await issue({ voucher_product_id: bonus, amount: '50' })).toRefuse(422, { amount: ['must be 60.00'] })
  expect(await issue({ voucher_product_id: flexible })).toRefuse(422, { amount: ["can't be blank"] })
  expect(await issue({ voucher_product_id: flexible, amount: '9.99' })).toRefuse(422, {
    amount: ['must be greater than or equal to 10.00'],
  })
  expect(await issue({ voucher_product_id: flexible, amount: '100.01' })).toRefuse(422, {
    amount: ['must be less than or equal to 100.00'],
  })
  expect((await issue({ voucher_product_id: flexible, amount: 100 })).body.issued_amount).toEqual(euros('100.00'))
  expect(await issue({ voucher_product_id: 'nothing', amount: '5' })).toRefuse(404)
})

test.each([
  [{}, { amount: ["can't be blank"] }],
  [{ amount: '0' }, { amount: ['must be greater than 0'] }],
  [{ amount: '-1' }, { amount: ['must be greater than 0'] }],
  [{ amount: '1.234' }, { amount: ['has too many decimals'] }],
  [{ amount: '1e3' }, { amount: ['is not a number'] }],
  [{ amount: 'ten' }, { amount: ['is not a number'] }],
  [{ amount: '1,5' }, { amount: ['is not a number'] }],
  [{ amount: '1000000.01' }, { amount: ['must be less than or equal to 1000000.00'] }],
  [{ amount: '9'.repeat(39) }, { amount: ['must be less than or equal to 1000000.00'] }],
  [{ amount: { amount: '5' } }, { amount: ['is invalid'] }],
  [{ amount: '5', expires_at: 'tomorrow' }, { expires_at: ['is invalid'] }],
  [{ amount: '5', expires_at: '2020-01-01' }, { expires_at: ['must be in the future'] }],
  [{ amount: '5', expires_at: '2030-02-30' }, { expires_at: ['is invalid'] }],
  [{ amount: '5', note: 'x'.repeat(1001) }, { note: ['is too long (maximum is 1000 characters)'] }],
  [{ amount: '5', code: 'MY-OWN-CODE-1234' }, { code: ['is not accepted: codes are drawn by chance'] }],
])('what cannot be issued is told by field: %j', async (voucher, errors) => {
  const { office } = await openVenue()
  expect(await office.post('/admin/vouchers', { voucher })).toRefuse(422, errors)
  expect((await office.get('/admin/vouchers')).body.summary.count).toBe(0)
})

test('a date as expiry means the end of that day where the venue is', async () => {
  const { office } = await openVenue()
  const issue = async (expires_at: string) =>
    (await office.post('/admin/vouchers', { voucher: { amount: '5', expires_at } })).body.expires_at
  expect(await issue('2035-01-15')).toBe('2035-01-15T22:59:59.999Z')
  expect(await issue('2035-07-15')).toBe('2035-07-15T21:59:59.999Z')
  expect(await issue('2035-07-15T10:00:00+02:00')).toBe('2035-07-15T08:00:00.000Z')
})

test('issuing again with the same Idempotency-Key shows the same code and issues nothing', async () => {
  const { office, app } = await openVenue()
  const ask = () =>
    office.post('/admin/vouchers', { voucher: { amount: '5' } }, { headers: { 'idempotency-key': 'once' } })
  const [first, second] = [await ask(), await ask()]
  expect(second.body).toEqual(first.body)
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect((await office.get('/admin/vouchers')).body.summary.count).toBe(1)
  const { rows } = await app.database.pool.query<{ body: Buffer }>('select body from idempotency_keys')
  expect(rows.some(({ body }) => body.includes(first.body.code))).toBe(false)
})

test('a correction that is sent again with the same Idempotency-Key is made once', async () => {
  const { office } = await openVenue()
  const { body: voucher } = await office.post('/admin/vouchers', { voucher: { amount: '5' } })
  const path = `/admin/vouchers/${voucher.id}`
  const adjustment = { direction: 'credit', amount: '10.00', reason: 'Goodwill' }
  const adjust = () => office.post(`${path}/adjustment`, adjustment, { headers: { 'idempotency-key': 'once' } })
  const [first, second] = [await adjust(), await adjust()]
  expect(first.status).toBe(200)
  expect(second.body).toEqual(first.body)
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect((await office.get(path)).body.balance.amount).toBe('15.00')
})

test('a code is found however it is typed, by a read token too, and everything else is not found', async () => {
  const { office, reader, partner } = await openVenue()
  const other = await openVenue()
  const { body: issued } = await office.post('/admin/vouchers', { voucher: { amount: '25.00' } })
  const { code, ...masked } = issued

  for (const typed of [code, code.toLowerCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' _ ')} `]) {
    const found = await reader.post('/admin/voucher_lookup', { code: typed })
    expect(found.status).toBe(200)
    expect(found.body).toEqual(masked)
  }
  expect((await office.post('/admin/voucher_lookup', { code })).status).toBe(200)
  expect(await other.office.post('/admin/voucher_lookup', { code })).toRefuse(404)
  for (const typed of ['ABCD-EFGH-JKLM-NPQR', 'short', code.slice(1), `${code}%`, 'ÄÖÜ', 'x'.repeat(200)]) {
    expect(await reader.post('/admin/voucher_lookup', { code: typed })).toRefuse(404, { base: ['Not found'] })
  }
  for (const body of [{}, { code: ' ' }, { code: null }]) {
    expect(await reader.post('/admin/voucher_lookup', body)).toRefuse(422, { code: ["can't be blank"] })
  }
  expect(await reader.get(`/admin/voucher_lookup?code=${code}`)).toRefuse(405)
  expect(await partner.post('/admin/voucher_lookup', { code })).toRefuse(401)
})

test('adjustments are new entries with their reason and their author', async () => {
  const venue = await openVenue((file) => {
    file['people'].push({ name: 'Otto Owner', email: 'otto@neue-halle.example', role: 'owner' })
    file['api_tokens'].push({ description: 'otto write', permission: 'write', person: 'otto@neue-halle.example' })
  })
  const { office, client, report } = venue
  const { body: issued } = await office.post('/admin/vouchers', { voucher: { amount: '25.00' } })
  const path = `/admin/vouchers/${issued.id}`

  const credited = await office.post(`${path}/adjustment`, { direction: 'credit', amount: '10.00', reason: 'Goodwill' })
  expect(credited.body).toMatchObject({ balance: euros('35.00'), issued_amount: euros('25.00') })
  const otto = client(report.api_tokens['otto write'])
  const debited = await otto.post(`${path}/adjustment`, { direction: 'debit', amount: 35, reason: 'Mistake' })
  expect(debited.body).toMatchObject({ balance: euros('0.00'), status: 'depleted' })

  const { entries } = (await office.get(path)).body
  expect(entries).toMatchObject([
    {
      kind: 'adjustment_debit',
      amount: euros('-35.00'),
      balance_after: euros('0.00'),
      reason: 'Mistake',
      actor: 'Otto Owner',
    },
    {
      kind: 'adjustment_credit',
      amount: euros('10.00'),
      balance_after: euros('35.00'),
      reason: 'Goodwill',
      actor: 'Olga Owner',
    },
    { kind: 'issuance', amount: euros('25.00') },
  ])
  const again = await office.post(`${path}/adjustment`, { direction: 'credit', amount: '1', reason: 'Back' })
  expect(again.body.status).toBe('active')
  expect(await audit(venue)).toEqual([])
})

test.each([
  [{ direction: 'credit', amount: '1' }, { reason: ["can't be blank"] }],
  [{ direction: 'credit', amount: '1', reason: '  ' }, { reason: ["can't be blank"] }],
  [{ direction: 'sideways', amount: '1', reason: 'x' }, { direction: ['is not included in the list'] }],
  [{ direction: 'credit', reason: 'x' }, { amount: ["can't be blank"] }],
  [{ direction: 'credit', amount: '0', reason: 'x' }, { amount: ['must be greater than 0'] }],
  [{ direction: 'credit', amount: '1.001', reason: 'x' }, { amount: ['has too many decimals'] }],
  [{ direction: 'debit', amount: '25.01', reason: 'x' }, { amount: ['must be less than or equal to 25.00'] }],
  [{ direction: 'credit', amount: '1e9', reason: 'x' }, { amount: ['is not a number'] }],
])('an adjustment that cannot be made leaves no entry: %j', async (adjustment, errors) => {
  const { office } = await openVenue()
  const { body: issued } = await office.post('/admin/vouchers', { voucher: { amount: '25.00' } })
  expect(await office.post(`/admin/vouchers/${issued.id}/adjustment`, adjustment)).toRefuse(422, errors)
  expect((await office.get(`/admin/vouchers/${issued.id}`)).body.entries).toHaveLength(1)
})

test('money that a checkout has reserved is neither available nor debited', async () => {
  const venue = await openVenue((file) => {
    file['vouchers'] = [{ key: 'part', amount: '50.00', redeemed: '12.50', reserved: '20.00' }]
  })
  const { office, report } = venue
  const path = `/admin/vouchers/${report.vouchers['part']!.id}`
  const { body } = await office.get(path)
  expect(body).toMatchObject({ balance: euros('37.50'), available_balance: euros('17.50'), status: 'active' })
  expect(body.entries).toMatchObject([{ kind: 'redemption', amount: euros('-12.50') }, { kind: 'issuance' }])

  const debit = (amount: string) => office.post(`${path}/adjustment`, { direction: 'debit', amount, reason: 'x' })
  expect(await debit('17.51')).toRefuse(422, { amount: ['must be less than or equal to 17.50'] })
  expect((await debit('17.50')).body).toMatchObject({
    balance: euros('20.00'),
    available_balance: euros('0.00'),
    status: 'active',
  })
  expect(await debit('0.01')).toRefuse(422, { amount: ['is more than there is: nothing is left'] })
  expect(await audit(venue)).toEqual([])
})

test('a block has a reason, stands above every other status, and posts nothing', async () => {
  const venue = await openVenue()
  const { office } = venue
  const { body: issued } = await office.post('/admin/vouchers', { voucher: { amount: '25.00' } })
  const path = `/admin/vouchers/${issued.id}`

  expect(await office.post(`${path}/block`, {})).toRefuse(422, { reason: ["can't be blank"] })
  const blocked = await office.post(`${path}/block`, { reason: 'Reported stolen' })
  expect(blocked.body).toMatchObject({ status: 'blocked', block_reason: 'Reported stolen', balance: euros('25.00') })
  const again = await office.post(`${path}/block`, { reason: 'Another' })
  expect(again.body).toMatchObject({ block_reason: 'Reported stolen', blocked_at: blocked.body.blocked_at })
  expect((await office.get('/admin/vouchers')).body.summary.blocked_count).toBe(1)
  expect((await office.post(`${path}/adjustment`, { direction: 'debit', amount: '5', reason: 'x' })).status).toBe(200)

  const open = await office.delete(`${path}/block`)
  expect(open.body).toMatchObject({ status: 'active', blocked_at: null, block_reason: null })
  expect((await office.delete(`${path}/block`)).status).toBe(200)
  expect((await office.get('/admin/vouchers')).body.summary.blocked_count).toBe(0)
  expect((await office.get(path)).body.entries).toHaveLength(2)
  expect(await audit(venue)).toEqual([])
})

test('an unknown voucher and a foreign one are not found, and read tokens change nothing', async () => {
  const { office, reader, partner } = await openVenue()
  const other = await openVenue()
  const { body: foreign } = await other.office.post('/admin/vouchers', { voucher: { amount: '5' } })
  for (const id of ['nothing', foreign.id]) {
    const path = `/admin/vouchers/${id}`
    expect(await office.get(path)).toRefuse(404, { base: ['Not found'] })
    expect(await office.post(`${path}/adjustment`, {})).toRefuse(404)
    expect(await office.post(`${path}/block`, {})).toRefuse(404)
    expect(await office.delete(`${path}/block`)).toRefuse(404)
  }
  expect(await reader.post('/admin/vouchers', { voucher: { amount: '5' } })).toRefuse(401)
  expect(await reader.post(`/admin/vouchers/${foreign.id}/block`, { reason: 'x' })).toRefuse(401)
  expect(await partner.get('/admin/vouchers')).toRefuse(401)
})

test('of people only owners adjust and import, whichever credential they show; managers issue and block', async () => {
  const venue = await openVenue()
  const owner = await signedIn(venue, 'olga@neue-halle.example')
  const session = await signedIn(venue, 'mara@neue-halle.example')
  const wanted = { api_token: { description: 'My own', permission: 'write' } }
  const { body: ownToken } = await session.post('/admin/api_tokens', wanted)
  const managers = [session, venue.client(ownToken.token), venue.client(venue.report.api_tokens['mara write'])]

  const adjustment = { direction: 'credit', amount: '1', reason: 'x' }
  const { body: made } = await owner.post('/admin/voucher_imports', { csv: 'amount\n5\n' })
  const { body: issued, status } = await session.post('/admin/vouchers', { voucher: { amount: '25.00' } })
  expect(status).toBe(201)
  const path = `/admin/vouchers/${issued.id}`
  for (const manager of managers) {
    expect((await manager.post(`${path}/block`, { reason: 'Lost' })).status).toBe(200)
    expect(await manager.post(`${path}/adjustment`, adjustment)).toRefuse(401)
    expect(await manager.post('/admin/voucher_imports', { csv: 'amount\n5\n' })).toRefuse(401)
    expect(await manager.post(`/admin/voucher_imports/${made.id}/application`)).toRefuse(401)
    const account = { api_token: { ...wanted.api_token, kind: 'account' } }
    expect(await manager.post('/admin/api_tokens', account)).toRefuse(403)
  }
  expect((await owner.post(`${path}/adjustment`, adjustment)).status).toBe(200)
  expect(
    (await venue.client(venue.report.api_tokens['olga write']).post(`${path}/adjustment`, adjustment)).status,
  ).toBe(200)
  expect((await venue.office.post(`${path}/adjustment`, adjustment)).status).toBe(200)
  expect((await owner.post(`/admin/voucher_imports/${made.id}/application`)).status).toBe(202)
})
