import { expect, test } from 'vitest'
import { type Venue, openVenue } from '../../../test/kit/venue/venue.ts'

const euros = (amount: string) => ({ amount, currency: 'EUR' })
const upload = (venue: Venue, csv: unknown) => venue.office.post('/admin/voucher_imports', { csv })
const count = async (venue: Venue) => (await venue.office.get('/admin/vouchers')).body.summary.count

test('a file is read first and issues nothing until it is applied, by a job', async () => {
  const venue = await openVenue((file) => {
    file['voucher_products'] = [
      { key: 'p', name: 'Fifty', pricing_type: 'fixed', fixed_amount: '50.00', validity_months: 12 },
    ]
  })
  const { office, reader, report } = venue
  const product = report.voucher_products['p']!.id
  const csv = `\uFEFFCode,Amount,expires_at,note,product_id\r\nabcd-efgh jk_23,25.00,2035-12-31,"From the\nold shop",\r\n,50,,,${product}\r\n`
  const made = await upload(venue, csv)

  expect(made.status).toBe(201)
  expect(made.headers.get('cache-control')).toBe('private, no-store')
  expect(made.body).toMatchObject({
    status: 'analyzed',
    rows_count: 2,
    valid_rows_count: 2,
    imported_rows_count: 0,
    validation_errors: [],
    failure_message: null,
    applied_at: null,
  })
  expect(await count(venue)).toBe(0)

  const path = new URL(made.headers.get('location')!).pathname
  const preview = (await reader.get(path)).body
  expect(preview.rows).toMatchObject([
    {
      line: 2,
      masked_code: '****-****-****-JK23',
      amount: euros('25.00'),
      expires_at: '2035-12-31T22:59:59.999Z',
      note: 'From the\nold shop',
      product_id: null,
      product_name: null,
    },
    { line: 4, masked_code: null, amount: euros('50.00'), note: null, product_id: product, product_name: 'Fifty' },
  ])

  const submitted = await office.post(`${path}/application`)
  expect(submitted.status).toBe(202)
  expect(submitted.body.status).toBe('applying')
  expect(await office.post(`${path}/application`)).toRefuse(422, { base: ['This import is being applied'] })
  await venue.workOffJobs()

  expect((await reader.get(path)).body).toMatchObject({
    status: 'applied',
    imported_rows_count: 2,
    valid_rows_count: 2,
  })
  expect(await office.post(`${path}/application`)).toRefuse(422, { base: ['This import has been applied already'] })
  expect(await count(venue)).toBe(2)
  const found = (await reader.post('/admin/voucher_lookup', { code: 'ABCDEFGHJK23' })).body
  expect(found).toMatchObject({ source: 'import', balance: euros('25.00'), expires_at: '2035-12-31T22:59:59.999Z' })
  const shown = (await reader.get(`/admin/vouchers/${found.id}`)).body
  expect(shown).toMatchObject({
    purchase: null,
    entries: [{ kind: 'issuance', actor: 'Olga Owner', reason: 'From the\nold shop' }],
  })
  expect((await reader.get('/admin/voucher_imports')).body.voucher_imports).toMatchObject([
    { id: made.body.id, status: 'applied' },
  ])
})

test('every fault is told with its line, its field and its message', async () => {
  const venue = await openVenue()
  const { body: issued } = await venue.office.post('/admin/vouchers', { voucher: { amount: '5' } })
  const other = await openVenue((file) => {
    file['voucher_products'] = [{ key: 'p', name: 'Theirs', pricing_type: 'fixed', fixed_amount: '5' }]
  })
  const rows = [
    'code,amount,expires_at,note,product_id',
    ',12.345,,,',
    ',,,,',
    ',-3,,,',
    ',0,,,',
    ',1e3,,,',
    ',five,,,',
    ',99999999,,,',
    'ABCDEFGHJK2,5,,,',
    `${'A'.repeat(65)},5,,,`,
    'ABCDEFGHJKLÖ,5,,,',
    `${issued.code},5,,,`,
    'TWIN-TWIN-TWIN,5,,,',
    'twintwintwin,5,,,',
    ',5,2020-01-01,,',
    ',5,31.12.2035,,',
    `,5,,${'x'.repeat(1001)},`,
    ',5,,,nothing',
    `,5,,,${other.report.voucher_products['p']!.id}`,
    'GOODCODE2345,5,,,',
    ',nix,gestern,,nothing',
  ]
  const made = await upload(venue, rows.join('\n'))
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({ rows_count: 20, valid_rows_count: 2 })
  const told = made.body.validation_errors.map((fault: object) => Object.values(fault).join(' '))
  expect(told).toEqual([
    '2 amount has too many decimals',
    "3 amount can't be blank",
    '4 amount must be greater than 0',
    '5 amount must be greater than 0',
    '6 amount is not a number',
    '7 amount is not a number',
    '8 amount must be less than or equal to 1000000.00',
    '9 code is too short (minimum is 12 characters)',
    '10 code is too long (maximum is 64 characters)',
    '11 code must be letters and digits only',
    '12 code has already been taken',
    '14 code is given twice, first on line 13',
    '15 expires_at must be in the future',
    '16 expires_at is invalid',
    '17 note is too long (maximum is 1000 characters)',
    '18 product_id must exist',
    '19 product_id must exist',
    '21 amount is not a number',
    '21 expires_at is invalid',
    '21 product_id must exist',
  ])
  expect(made.text).not.toContain(issued.code)

  const path = `/admin/voucher_imports/${made.body.id}`
  expect(await venue.office.post(`${path}/application`)).toRefuse(422, {
    base: ['This import has errors; correct the file and upload it again'],
  })
  await venue.workOffJobs()
  expect(await count(venue)).toBe(1)
})

test('codes of twelve and of sixty-four letters are taken, and another account’s code is no conflict', async () => {
  const venue = await openVenue()
  const other = await openVenue()
  for (const each of [venue, other]) {
    const made = await upload(each, `code,amount\nABCDEFGHJK23,5\n${'B'.repeat(64)},5\n`)
    expect(made.body.validation_errors).toEqual([])
    expect((await each.office.post(`/admin/voucher_imports/${made.body.id}/application`)).status).toBe(202)
  }
  await venue.workOffJobs()
  expect([await count(venue), await count(other)]).toEqual([2, 2])
})

test.each([
  [undefined, "can't be blank"],
  [null, "can't be blank"],
  [' \n', "can't be blank"],
  [7, 'is invalid'],
  [['code'], 'is invalid'],
  ['code,amount\n', 'has no rows'],
  ['code\nABCDEFGHJK23\n', 'has no column amount in its header'],
  [
    'code,amount,price\n1,2,3\n',
    'has an unknown column in its header; it knows code, amount, expires_at, note, product_id',
  ],
  ['\uFEFFcode;amount;expires_at\r\n;25,00;\r\n', 'must have commas between its columns'],
  ['code\tamount\n\t25\n', 'must have commas between its columns'],
  ['amount,amount\n1,2\n', 'has a column twice in its header'],
  ['amount\n1,2\n', 'has more columns than its header on line 2'],
  ['amount\n"1\n', 'has a quote that is not closed on line 2'],
  [`amount\n1${','.repeat(1_000_000)}`, 'has too many columns on line 2'],
  ['amount,note\n1,Caf\uFFFD\n', 'is not valid UTF-8'],
  ['amount,note\n1,a\0b\n', 'is invalid'],
])('a file that cannot be read at all makes no import: %j', async (csv, message) => {
  const venue = await openVenue()
  expect(await upload(venue, csv)).toRefuse(422, { csv: [message] })
  expect((await venue.office.get('/admin/voucher_imports')).body.voucher_imports).toEqual([])
})

test('five thousand rows and five MiB are taken, and not one more', async () => {
  const venue = await openVenue()
  const rows = (length: number) => `amount\n${'1.00\n'.repeat(length)}`
  expect((await upload(venue, rows(5000))).body).toMatchObject({ rows_count: 5000, valid_rows_count: 5000 })
  expect(await upload(venue, rows(5001))).toRefuse(422, { csv: ['has too many rows (maximum is 5000 rows)'] })

  const most = 5 * 1024 * 1024
  const head = 'amount,note\n1,'
  const full = await upload(venue, head + 'x'.repeat(most - head.length))
  expect(full.body.validation_errors).toEqual([
    { line: 2, field: 'note', message: 'is too long (maximum is 1000 characters)' },
  ])
  expect(await upload(venue, head + 'x'.repeat(most - head.length + 1))).toRefuse(422, {
    csv: ['is too large (maximum is 5 MiB)'],
  })
})

test('a code that is taken after the preview makes the whole application fail', async () => {
  const venue = await openVenue()
  const first = await upload(venue, 'code,amount\nABCDEFGHJK23,5\n,5\n')
  const second = await upload(venue, 'code,amount\nABCDEFGHJK23,7\n,7\n')
  for (const { body } of [first, second]) {
    await venue.office.post(`/admin/voucher_imports/${body.id}/application`)
    await venue.workOffJobs()
  }
  const path = `/admin/voucher_imports/${second.body.id}`
  expect((await venue.office.get(path)).body).toMatchObject({
    status: 'failed',
    imported_rows_count: 0,
    applied_at: null,
    failure_message: 'The code on line 2 has been taken meanwhile',
  })
  expect(await count(venue)).toBe(2)
  expect(await venue.office.post(`${path}/application`)).toRefuse(422)
})

test('an import that got stuck for an hour can be submitted again, and no row is issued twice', async () => {
  const venue = await openVenue((file) => {
    file['voucher_imports'] = [
      { key: 'stuck', csv: 'code,amount\nABCDEFGHJK23,25.00\n', status: 'applying', applying_since: '-PT2H' },
      { key: 'fresh', csv: 'amount\n5\n', status: 'applying', applying_since: '-PT59M' },
      { key: 'done', csv: 'amount\n5\n', status: 'applied' },
      { key: 'failed', csv: 'amount\n5\n', status: 'failed' },
    ]
  })
  const apply = (key: string) =>
    venue.office.post(`/admin/voucher_imports/${venue.report.voucher_imports[key]!.id}/application`)
  expect(await apply('fresh')).toRefuse(422)
  expect(await apply('done')).toRefuse(422)
  expect(await apply('failed')).toRefuse(422)
  expect((await apply('stuck')).body.status).toBe('applying')
  expect(await apply('stuck')).toRefuse(422)
  await venue.workOffJobs()
  expect(await count(venue)).toBe(2)
})

test('imports are made with a write token, read with a read token, and never found by a stranger', async () => {
  const venue = await openVenue()
  const other = await openVenue()
  const { body: made } = await upload(venue, 'amount\n5\n')
  expect(await venue.reader.post('/admin/voucher_imports', { csv: 'amount\n5\n' })).toRefuse(401)
  expect(await venue.reader.post(`/admin/voucher_imports/${made.id}/application`)).toRefuse(401)
  expect((await venue.reader.get(`/admin/voucher_imports/${made.id}`)).status).toBe(200)
  expect(await venue.partner.get('/admin/voucher_imports')).toRefuse(401)
  for (const id of ['nothing', made.id]) {
    expect(await other.office.get(`/admin/voucher_imports/${id}`)).toRefuse(404)
    expect(await other.office.post(`/admin/voucher_imports/${id}/application`)).toRefuse(404)
  }
})
