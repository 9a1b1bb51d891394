import { expect, test } from 'vitest'
import { PNG, uploadFile } from '../../test/kit/venue/uploads.ts'
import { openVenue } from '../../test/kit/venue/venue.ts'

const ODD_AMOUNTS: [unknown, string][] = [
  ['1.005', 'has too many decimals'],
  [1.005, 'has too many decimals'],
  ['-1', 'must be greater than 0'],
  [-1, 'must be greater than 0'],
  ['-0.01', 'must be greater than 0'],
  ['0', 'must be greater than 0'],
  [0, 'must be greater than 0'],
  ['0.00', 'must be greater than 0'],
  ['1e3', 'is not a number'],
  ['0x10', 'is not a number'],
  ['١٢', 'is not a number'],
  ['1 000', 'is not a number'],
  ['5 EUR', 'is not a number'],
  ['.5', 'is not a number'],
  ['5.', 'is not a number'],
  ['+5', 'is not a number'],
  ['NaN', 'is not a number'],
  ['Infinity', 'is not a number'],
  [1e21, 'is not a number'],
  ['ten', 'is not a number'],
  ['1000000.01', 'must be less than or equal to 1000000.00'],
  [1_000_001, 'must be less than or equal to 1000000.00'],
  ['9'.repeat(39), 'must be less than or equal to 1000000.00'],
  [true, 'is not a number'],
  [['5'], 'is invalid'],
  [{ amount: '5' }, 'is invalid'],
]

test('an amount that is none is refused by its field wherever money is named, and nothing is issued or moved', async () => {
  const { office } = await openVenue()
  const { body: issued } = await office.post('/admin/vouchers', { voucher: { amount: '25.00' } })
  const fixed = { name: 'Fifty', pricing_type: 'fixed', fixed_amount: '50.00' }
  const flexible = { name: 'Yours', pricing_type: 'flexible', minimum_amount: '10.00', maximum_amount: '250.00' }
  const make = async (voucher_product: object) =>
    (await office.post('/admin/voucher_products', { voucher_product })).body.id
  const ids = [await make(fixed), await make(flexible)]
  const before = (await office.get('/admin/voucher_products')).body

  for (const [amount, message] of ODD_AMOUNTS) {
    const told = JSON.stringify(amount)
    const tries: [string, Promise<unknown>][] = [
      ['amount', office.post('/admin/vouchers', { voucher: { amount } })],
      ['amount', office.post(`/admin/vouchers/${issued.id}/adjustment`, { direction: 'credit', amount, reason: 'x' })],
      ['fixed_amount', office.post('/admin/voucher_products', { voucher_product: { ...fixed, fixed_amount: amount } })],
      [
        'purchase_price',
        office.patch(`/admin/voucher_products/${ids[0]}`, { voucher_product: { purchase_price: amount } }),
      ],
      [
        'minimum_amount',
        office.patch(`/admin/voucher_products/${ids[1]}`, { voucher_product: { minimum_amount: amount } }),
      ],
      [
        'maximum_amount',
        office.patch(`/admin/voucher_products/${ids[1]}`, { voucher_product: { maximum_amount: amount } }),
      ],
    ]
    for (const [field, reply] of tries) expect(await reply, `${field}: ${told}`).toRefuse(422, { [field]: [message] })
  }
  const { summary, vouchers } = (await office.get('/admin/vouchers')).body
  expect([summary.count, vouchers[0].balance.amount]).toEqual([1, '25.00'])
  expect((await office.get('/admin/voucher_products')).body).toEqual(before)
})

test('a balance does not grow without end', async () => {
  const { office } = await openVenue()
  const { body: issued } = await office.post('/admin/vouchers', { voucher: { amount: '1000000.00' } })
  const credit = (amount: string) =>
    office.post(`/admin/vouchers/${issued.id}/adjustment`, { direction: 'credit', amount, reason: 'x' })
  // A few at a time: all of them wait for one voucher, and whoever waits too long for a connection is refused.
  for (let n = 0; n < 9; n++) {
    const credits = await Promise.all(Array.from({ length: 11 }, () => credit('1000000.00')))
    expect(new Set(credits.map(({ status }) => status))).toEqual(new Set([200]))
  }
  expect(await credit('0.01')).toRefuse(422, { amount: [expect.stringContaining('must be less than or equal to')] })
  const { body } = await office.get(`/admin/vouchers/${issued.id}`)
  expect([body.balance.amount, body.entries.length]).toEqual(['100000000.00', 100])
})

test('money without cents has none', async () => {
  const { office } = await openVenue((file) => {
    file['account'].currency = 'JPY'
    for (const event of file['events']) {
      for (const ticket of event.tickets) delete ticket.price
    }
  })
  expect(await office.post('/admin/vouchers', { voucher: { amount: '500.5' } })).toRefuse(422, {
    amount: ['has too many decimals'],
  })
  const { body } = await office.post('/admin/vouchers', { voucher: { amount: '500' } })
  expect(body.balance).toEqual({ amount: '500', currency: 'JPY' })
})

test('letters that look alike are different letters, in a file and when they are typed', async () => {
  const { office, reader, workOffJobs } = await openVenue()
  const [letters, digits] = ['OOOO-IIII-SSSS', '0000-1111-5555']
  const { body: made } = await office.post('/admin/voucher_imports', {
    csv: `code,amount\n${letters},5\n${digits},7\n`,
  })
  expect(made.validation_errors).toEqual([])
  expect((await office.post(`/admin/voucher_imports/${made.id}/application`)).status).toBe(202)
  await workOffJobs()
  const balanceOf = async (code: string) => (await reader.post('/admin/voucher_lookup', { code })).body.balance.amount
  expect([await balanceOf(letters), await balanceOf(digits)]).toEqual(['5.00', '7.00'])
  expect(await reader.post('/admin/voucher_lookup', { code: 'O000-1111-5555' })).toRefuse(404)

  for (const code of ['ΟΟΟΟΙΙΙΙΣΣΣΣ', 'АВСЕНКМОРТХУ', 'ABCDEFGHJK2３', 'ABCD.EFGH.JKLM', 'ABCDEFGHJKL\u200B'])
    expect((await office.post('/admin/voucher_imports', { csv: `code,amount\n${code},5\n` })).body).toMatchObject({
      valid_rows_count: 0,
      validation_errors: [{ line: 2, field: 'code' }],
    })
})

test('a file in another encoding makes no import', async () => {
  const { office } = await openVenue()
  const upload = (csv: Buffer) =>
    office.ask('POST', '/admin/voucher_imports', {
      raw: Buffer.concat([Buffer.from('{"csv": "'), csv, Buffer.from('"}')]),
    })
  const latin1 = Buffer.from('amount,note\\n5,Caf\u00e9', 'latin1')
  const cut = Buffer.from('amount,note\\n5,Café').subarray(0, -1)
  for (const csv of [latin1, cut, Buffer.from('amount\\n5', 'utf16le')]) {
    expect([400, 422]).toContain((await upload(csv)).status)
  }
  expect(await office.post('/admin/voucher_imports', { csv: 'amount,note\n5,Caf\ud800' })).toMatchObject({
    status: 422,
  })
  expect((await office.get('/admin/voucher_imports')).body.voucher_imports).toEqual([])
})

test('a cursor that was edited is refused, and so is one of another list', async () => {
  const { office } = await openVenue((file) => {
    file['vouchers'] = Array.from({ length: 3 }, (_, n) => ({ key: `v${n}`, amount: '5.00' }))
  })
  const { pagination } = (await office.get('/admin/vouchers?limit=1')).body
  const { body: product } = await office.post('/admin/voucher_products', {
    voucher_product: { name: 'Fifty', pricing_type: 'fixed', fixed_amount: '50' },
  })
  const cursor: string = pagination.next_page
  const edited = [
    cursor.slice(1),
    `${cursor}A`,
    cursor.toLowerCase() + 'x',
    product.id,
    '1',
    'a%00b',
    "'%20or%201=1",
    '%F0%9F%8E%AB',
  ]
  for (const page of edited) {
    expect(await office.get(`/admin/vouchers?limit=1&page=${page}`), page).toRefuse(422, { page: ['is invalid'] })
  }
  expect((await office.get(`/admin/vouchers?limit=1&page=${cursor}`)).body.vouchers).toHaveLength(1)
})

test('a custom code is refused in every form of it, and nothing is issued', async () => {
  const { office } = await openVenue()
  for (const code of ['MY-OWN-CODE-1234', 'x', 7, ['a']]) {
    const reply = await office.post('/admin/vouchers', { voucher: { amount: '5', code } })
    expect(reply).toRefuse(422, { code: [expect.any(String)] })
  }
  expect((await office.get('/admin/vouchers')).body.summary.count).toBe(0)
})

test('codes are drawn by chance: no two of them begin or end alike for a reason', async () => {
  const { office } = await openVenue()
  const replies = await Promise.all(
    Array.from({ length: 60 }, () => office.post('/admin/vouchers', { voucher: { amount: '1' } })),
  )
  const codes: string[] = replies.map(({ body }) => body.code)
  expect(new Set(codes).size).toBe(60)
  // Of a million groups of four letters two may well be the same, but hardly three.
  for (const part of [0, 5, 10, 15]) {
    expect(new Set(codes.map((code) => code.slice(part, part + 4))).size).toBeGreaterThan(57)
  }
})

test('a product of another venue issues nothing, and one keeps its image when it is offered another’s', async () => {
  const { office, origin } = await openVenue()
  const other = await openVenue()
  const voucher_product = { name: 'Fifty', pricing_type: 'fixed', fixed_amount: '50' }
  const { body: foreign } = await other.office.post('/admin/voucher_products', { voucher_product })
  expect(await office.post('/admin/vouchers', { voucher: { voucher_product_id: foreign.id } })).toRefuse(404)

  const image = await uploadFile({ origin, client: office, path: '/admin/direct_uploads' }, PNG, 'a.png', 'image/png')
  const { body: own } = await office.post('/admin/voucher_products', {
    voucher_product: { ...voucher_product, image: image.signed_id },
  })
  const theirs = await uploadFile({ origin, client: other.office }, PNG, 'b.png', 'image/png')
  const tampered = image.signed_id.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  for (const signed of [theirs.signed_id, tampered, 'nonsense', 7]) {
    const path = `/admin/voucher_products/${own.id}`
    expect(await office.patch(path, { voucher_product: { name: 'Other', image: signed } })).toRefuse(422)
    expect((await office.get(path)).body).toEqual(own)
  }
  for (const validity_months of [-1, 'soon', '1.5', 1e9]) {
    const path = `/admin/voucher_products/${own.id}`
    expect(await office.patch(path, { voucher_product: { validity_months } })).toRefuse(422)
  }
})

test('every answer about vouchers is private and kept nowhere, refusals and empty ones too', async () => {
  const { office, reader, stranger, workOffJobs } = await openVenue()
  const { body: product } = await office.post('/admin/voucher_products', {
    voucher_product: { name: 'Fifty', pricing_type: 'fixed', fixed_amount: '50' },
  })
  const { body: issued } = await office.post('/admin/vouchers', { voucher: { amount: '5' } })
  const { body: made } = await office.post('/admin/voucher_imports', { csv: 'amount\n5\n' })
  const [voucher, fifty, file] = [
    `/admin/vouchers/${issued.id}`,
    `/admin/voucher_products/${product.id}`,
    `/admin/voucher_imports/${made.id}`,
  ]
  const replies = [
    office.get('/admin/vouchers'),
    office.get(voucher),
    office.get('/admin/vouchers.csv'),
    office.get('/admin/voucher_products'),
    office.get(fifty),
    office.get('/admin/voucher_imports'),
    office.get(file),
    office.post('/admin/voucher_lookup', { code: issued.code }),
    office.post(`${voucher}/adjustment`, { direction: 'credit', amount: '1', reason: 'x' }),
    office.post(`${voucher}/block`, { reason: 'x' }),
    office.delete(`${voucher}/block`),
    office.patch(fifty, { voucher_product: { name: 'x' } }),
    office.patch(`${fifty}/position`, { position: 1 }),
    office.delete(`${fifty}/image`),
    office.delete(fifty),
    office.post(`${file}/application`),
    office.get('/admin/vouchers/nothing'),
    office.get('/admin/vouchers?status=odd'),
    office.post('/admin/vouchers', { voucher: {} }),
    office.post('/admin/vouchers', {}),
    office.post('/admin/voucher_lookup', { code: 'nothing' }),
    office.post('/admin/voucher_deliveries/nothing/retry'),
    office.post('/admin/voucher_imports', { csv: '' }),
    reader.post('/admin/vouchers', { voucher: { amount: '5' } }),
    stranger.get('/admin/vouchers'),
    stranger.get('/admin/vouchers.csv'),
  ]
  for (const [n, reply] of (await Promise.all(replies)).entries()) {
    expect([n, reply.status, reply.headers.get('cache-control')]).toEqual([n, reply.status, 'private, no-store'])
  }
  await workOffJobs()
})
