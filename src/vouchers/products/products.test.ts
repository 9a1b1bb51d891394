import { expect, test } from 'vitest'
import { PNG, uploadFile } from '../../../test/kit/venue/uploads.ts'
import { openVenue } from '../../../test/kit/venue/venue.ts'

const fifty = { name: 'Voucher 50', pricing_type: 'fixed', fixed_amount: '50.00' }
const yours = { name: 'Your amount', pricing_type: 'flexible', minimum_amount: '10.00', maximum_amount: '250.00' }

test('a fixed product is added at the end of the catalog', async () => {
  const { office, reader } = await openVenue()
  const made = await office.post('/admin/voucher_products', { voucher_product: fifty })

  expect(made.status).toBe(201)
  expect(made.headers.get('cache-control')).toBe('private, no-store')
  expect(made.headers.get('location')).toBe(`http://localhost:3000/admin/voucher_products/${made.body.id}`)
  expect(made.body).toMatchObject({
    name: 'Voucher 50',
    description: '',
    pricing_type: 'fixed',
    visibility: 'public_catalog',
    status: 'active',
    currency: 'EUR',
    fixed_amount: '50.00',
    purchase_price: null,
    bonus_amount: null,
    minimum_amount: null,
    maximum_amount: null,
    tax_rate: '0.00',
    validity_months: 36,
    position: 1,
    image_url: null,
  })
  expect((await reader.get(`/admin/voucher_products/${made.body.id}`)).body).toEqual(made.body)
})

test('a bonus product shows what it gives on top, and a flexible one its bounds', async () => {
  const { office } = await openVenue()
  const bonus = await office.post('/admin/voucher_products', {
    voucher_product: { ...fifty, fixed_amount: 60, purchase_price: '50', visibility: 'secret', validity_months: '12' },
  })
  expect(bonus.body).toMatchObject({
    fixed_amount: '60.00',
    purchase_price: '50.00',
    bonus_amount: { amount: '10.00', currency: 'EUR' },
    visibility: 'secret',
    validity_months: 12,
  })

  const flexible = await office.post('/admin/voucher_products', { voucher_product: yours })
  expect(flexible.body).toMatchObject({
    fixed_amount: null,
    minimum_amount: { amount: '10.00', currency: 'EUR' },
    maximum_amount: { amount: '250.00', currency: 'EUR' },
    position: 2,
  })
})

test('a description has 5,000 characters, whatever they take to write, in a venue file as over the API', async () => {
  const description = '🎁'.repeat(5_000)
  const { office } = await openVenue((file) => {
    file['voucher_products'] = [{ ...fifty, key: 'gift', description }]
  })
  const made = await office.post('/admin/voucher_products', { voucher_product: { ...fifty, description } })
  expect(made.status).toBe(201)
  const { voucher_products: all } = (await office.get('/admin/voucher_products')).body
  expect(all).toMatchObject([{ description }, { description }])
})

test.each([
  [{ ...fifty, name: ' ' }, { name: ["can't be blank"] }],
  [{ ...fifty, name: 'x'.repeat(201) }, { name: ['is too long (maximum is 200 characters)'] }],
  [{ ...fifty, pricing_type: 'auction' }, { pricing_type: ['is not included in the list'] }],
  [{ ...fifty, visibility: 'hidden' }, { visibility: ['is not included in the list'] }],
  [{ ...fifty, fixed_amount: null }, { fixed_amount: ["can't be blank"] }],
  [{ ...fifty, fixed_amount: '0.00' }, { fixed_amount: ['must be greater than 0'] }],
  [{ ...fifty, fixed_amount: '-5' }, { fixed_amount: ['must be greater than 0'] }],
  [{ ...fifty, fixed_amount: '1.005' }, { fixed_amount: ['has too many decimals'] }],
  [{ ...fifty, fixed_amount: '1e3' }, { fixed_amount: ['is not a number'] }],
  [{ ...fifty, fixed_amount: 'fifty' }, { fixed_amount: ['is not a number'] }],
  [{ ...fifty, fixed_amount: [50] }, { fixed_amount: ['is invalid'] }],
  [{ ...fifty, fixed_amount: '99999999999999' }, { fixed_amount: ['must be less than or equal to 1000000.00'] }],
  [{ ...fifty, purchase_price: '50.00' }, { purchase_price: ['must be less than 50.00'] }],
  [{ ...fifty, purchase_price: '0' }, { purchase_price: ['must be greater than 0'] }],
  [{ ...fifty, purchase_price: '70' }, { purchase_price: ['must be less than 50.00'] }],
  [{ ...fifty, minimum_amount: '5' }, { minimum_amount: ['must be blank for a fixed product'] }],
  [{ ...fifty, tax_rate: '100.01' }, { tax_rate: ['is invalid'] }],
  [{ ...fifty, tax_rate: '19.005' }, { tax_rate: ['is invalid'] }],
  [{ ...fifty, tax_rate: '-7' }, { tax_rate: ['is invalid'] }],
  [{ ...fifty, tax_rate: 'none' }, { tax_rate: ['is not a number'] }],
  [{ ...fifty, tax_rate: { of: 19 } }, { tax_rate: ['is invalid'] }],
  [{ ...fifty, validity_months: 0 }, { validity_months: ['must be greater than or equal to 1'] }],
  [{ ...fifty, validity_months: 121 }, { validity_months: ['must be less than or equal to 120'] }],
  [{ ...fifty, validity_months: 1.5 }, { validity_months: ['must be an integer'] }],
  [{ ...yours, maximum_amount: null }, { maximum_amount: ["can't be blank"] }],
  [{ ...yours, minimum_amount: undefined }, { minimum_amount: ["can't be blank"] }],
  [{ ...yours, minimum_amount: '300' }, { maximum_amount: ['must be greater than or equal to 300.00'] }],
  [{ ...yours, fixed_amount: '50' }, { fixed_amount: ['must be blank for a flexible product'] }],
  [{ ...yours, purchase_price: '5' }, { purchase_price: ['must be blank for a flexible product'] }],
])('a product that makes no sense is refused by field: %j', async (voucher_product, errors) => {
  const { office } = await openVenue()
  expect(await office.post('/admin/voucher_products', { voucher_product })).toRefuse(422, errors)
  expect((await office.get('/admin/voucher_products')).body.voucher_products).toEqual([])
})

test('a change keeps what it does not name, and a switch of pricing type clears the old fields', async () => {
  const { office } = await openVenue()
  const { body: made } = await office.post('/admin/voucher_products', {
    voucher_product: { ...fifty, description: 'Nice' },
  })
  const path = `/admin/voucher_products/${made.id}`

  const renamed = await office.patch(path, { voucher_product: { name: 'Fifty', status: 'archived', position: 9 } })
  expect(renamed.body).toMatchObject({
    name: 'Fifty',
    description: 'Nice',
    fixed_amount: '50.00',
    status: 'active',
    position: 1,
  })
  expect(renamed.body.updated_at > made.updated_at).toBe(true)

  const half = { pricing_type: 'flexible', minimum_amount: '10', maximum_amount: '20' }
  expect(await office.patch(path, { voucher_product: half })).toRefuse(422, {
    fixed_amount: ['must be blank for a flexible product'],
  })
  const whole = await office.patch(path, { voucher_product: { ...half, fixed_amount: null, purchase_price: '' } })
  expect(whole.status).toBe(200)
  expect(whole.body).toMatchObject({
    pricing_type: 'flexible',
    fixed_amount: null,
    minimum_amount: { amount: '10.00' },
  })
})

test('a product has a tax rate, none unless it is given one', async () => {
  const { office } = await openVenue()
  const { body: none } = await office.post('/admin/voucher_products', { voucher_product: fifty })
  expect(none.tax_rate).toBe('0.00')
  const { body: made } = await office.post('/admin/voucher_products', { voucher_product: { ...fifty, tax_rate: '7' } })
  expect(made.tax_rate).toBe('7.00')
  const path = `/admin/voucher_products/${made.id}`
  expect((await office.patch(path, { voucher_product: { name: 'Same rate' } })).body.tax_rate).toBe('7.00')
  expect((await office.patch(path, { voucher_product: { tax_rate: 19 } })).body.tax_rate).toBe('19.00')
  expect((await office.get(path)).body.tax_rate).toBe('19.00')
  expect((await office.patch(path, { voucher_product: { tax_rate: null } })).body.tax_rate).toBe('0.00')
})

test('products move to the place they are given, and the others close up', async () => {
  const { office } = await openVenue()
  const make = async (name: string) =>
    (await office.post('/admin/voucher_products', { voucher_product: { ...fifty, name } })).body
  const [a, b, c] = [await make('A'), await make('B'), await make('C')]
  const order = async () =>
    (await office.get('/admin/voucher_products')).body.voucher_products.map(
      (each: { name: string; position: number }) => [each.name, each.position],
    )

  const moved = await office.patch(`/admin/voucher_products/${c.id}/position`, { position: a.position })
  expect([moved.status, moved.text]).toEqual([204, ''])
  expect(moved.headers.get('cache-control')).toBe('private, no-store')
  expect(await order()).toEqual([
    ['C', 1],
    ['A', 2],
    ['B', 3],
  ])

  await office.patch(`/admin/voucher_products/${c.id}/position`, { position: 99 })
  expect(await order()).toEqual([
    ['A', 1],
    ['B', 2],
    ['C', 3],
  ])
  await office.patch(`/admin/voucher_products/${b.id}/position`, { position: 0 })
  expect(await order()).toEqual([
    ['B', 1],
    ['A', 2],
    ['C', 3],
  ])
  expect(await office.patch(`/admin/voucher_products/${b.id}/position`, {})).toRefuse(422, {
    position: ['is not a number'],
  })
})

test('products that are moved and added at once keep one place each', async () => {
  const { office } = await openVenue()
  const make = async () => (await office.post('/admin/voucher_products', { voucher_product: fifty })).body
  const products = [await make(), await make(), await make()]
  const replies = await Promise.all([
    ...products.map(({ id }) => office.patch(`/admin/voucher_products/${id}/position`, { position: 1 })),
    office.post('/admin/voucher_products', { voucher_product: fifty }),
    office.post('/admin/voucher_products', { voucher_product: fifty }),
  ])
  expect(replies.map(({ status }) => status)).toEqual([204, 204, 204, 201, 201])
  const { body } = await office.get('/admin/voucher_products')
  expect(body.voucher_products.map(({ position }: { position: number }) => position)).toEqual([1, 2, 3, 4, 5])
})

test('an archived product stays listed, its vouchers stay usable, and nothing new is issued from it', async () => {
  const { office } = await openVenue()
  const { body: made } = await office.post('/admin/voucher_products', { voucher_product: fifty })
  const { body: voucher } = await office.post('/admin/vouchers', { voucher: { voucher_product_id: made.id } })

  const archived = await office.delete(`/admin/voucher_products/${made.id}`)
  expect([archived.status, archived.text]).toEqual([204, ''])
  expect((await office.delete(`/admin/voucher_products/${made.id}`)).status).toBe(204)
  expect((await office.get('/admin/voucher_products')).body.voucher_products).toMatchObject([
    { id: made.id, status: 'archived' },
  ])
  expect((await office.get(`/admin/vouchers/${voucher.id}`)).body).toMatchObject({
    status: 'active',
    product_id: made.id,
  })
  expect(await office.post('/admin/vouchers', { voucher: { voucher_product_id: made.id } })).toRefuse(422, {
    voucher_product_id: ['is archived'],
  })
})

test('an unknown product, a foreign one and one with a zero byte are not found', async () => {
  const { office } = await openVenue()
  const other = await openVenue()
  const { body: foreign } = await other.office.post('/admin/voucher_products', { voucher_product: fifty })
  for (const id of ['nothing', foreign.id, 'a%00b']) {
    const path = `/admin/voucher_products/${id}`
    expect(await office.get(path)).toRefuse(404, { base: ['Not found'] })
    expect(await office.patch(path, { voucher_product: { name: '' } })).toRefuse(404)
    expect(await office.patch(`${path}/position`, { position: 'first' })).toRefuse(404)
    expect(await office.delete(path)).toRefuse(404)
    expect(await office.delete(`${path}/image`)).toRefuse(404)
  }
})

test('reading takes a read token and writing a write token; a co-organizer has neither', async () => {
  const { office, reader, partner } = await openVenue()
  const { body: made } = await office.post('/admin/voucher_products', { voucher_product: fifty })
  expect((await reader.get('/admin/voucher_products')).status).toBe(200)
  expect(await reader.post('/admin/voucher_products', { voucher_product: fifty })).toRefuse(401)
  expect(await reader.delete(`/admin/voucher_products/${made.id}`)).toRefuse(401)
  expect(await partner.get('/admin/voucher_products')).toRefuse(401)
})

test('an image from a direct upload, or from a draft of the board, is shown to everyone until it is removed', async () => {
  const { office, origin, stranger } = await openVenue()
  const imageAt = (url: string) => fetch(origin + new URL(url).pathname)
  const own = await uploadFile({ origin, client: office, path: '/admin/direct_uploads' }, PNG, 'gift.png', 'image/png')
  const draft = await uploadFile({ origin, client: office }, PNG, 'gift.png', 'image/png')

  const { body: made } = await office.post('/admin/voucher_products', {
    voucher_product: { ...fifty, image: own.signed_id },
  })
  const shown = await imageAt(made.image_url)
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
  const path = `/admin/voucher_products/${made.id}`
  const changed = await office.patch(path, { voucher_product: { image: draft.signed_id } })
  expect(changed.body.image_url).not.toBe(made.image_url)
  expect((await imageAt(changed.body.image_url)).status).toBe(200)
  expect((await imageAt(made.image_url)).status).toBe(404)
  expect((await office.patch(path, { voucher_product: { name: 'Same' } })).body.image_url).toBe(changed.body.image_url)

  expect(await stranger.delete(`${path}/image`)).toRefuse(401)
  expect((await office.delete(`${path}/image`)).status).toBe(204)
  expect((await office.delete(`${path}/image`)).status).toBe(204)
  expect((await office.get(path)).body.image_url).toBeNull()
  expect((await imageAt(changed.body.image_url)).status).toBe(404)
})

test('what is no image of the caller is refused as one', async () => {
  const { office, origin } = await openVenue()
  const other = await openVenue()
  const text = await uploadFile({ origin, client: office }, Buffer.from('no picture'), 'note.txt', 'text/plain')
  const foreign = await uploadFile({ origin, client: other.office }, PNG, 'gift.png', 'image/png')
  for (const image of ['nonsense', text.signed_id, foreign.signed_id, `${foreign.signed_id}x`]) {
    const refused = await office.post('/admin/voucher_products', { voucher_product: { ...fifty, image } })
    expect(refused).toRefuse(422, { image: ['is invalid'] })
  }
  expect((await office.get('/admin/voucher_products')).body.voucher_products).toEqual([])
})
