import { expect, test } from 'vitest'
import { openVenue } from '../../../test/kit/venue/venue.ts'

const euros = (amount: string) => ({ amount, currency: 'EUR' })

/** One voucher in every state. */
const everyState = (file: Record<string, unknown>) => {
  file['voucher_products'] = [
    { key: 'bonus', name: 'Give 50, get 60', pricing_type: 'fixed', fixed_amount: '60.00', purchase_price: '50.00' },
  ]
  const purchase = { customer_name: 'Bea', customer_email: 'bea@guest.example', delivery_mode: 'self_managed' }
  file['vouchers'] = [
    { key: 'active', amount: '40.00', created_at: '-P1D' },
    { key: 'part', amount: '50.00', redeemed: '12.50', reserved: '20.00', created_at: '-P2D' },
    { key: 'spent', amount: '30.00', redeemed: '30.00', created_at: '-P3D' },
    { key: 'spent and over', amount: '30.00', redeemed: '30.00', created_at: '-P300D', expires_at: '-P1D' },
    { key: 'gone', amount: '10.00', created_at: '-P400D', expires_at: '-P10D' },
    { key: 'blocked', amount: '70.00', blocked_reason: 'Stolen', created_at: '-P4D' },
    { key: 'blocked and over', amount: '5.00', blocked_reason: 'Stolen', created_at: '-P500D', expires_at: '-P9D' },
    { key: 'sold', product: 'bonus', source: 'shop', created_at: '-P5D', purchase },
    {
      key: 'given back',
      amount: '20.00',
      source: 'shop',
      created_at: '-P6D',
      purchase: { ...purchase, status: 'refunded' },
    },
    {
      key: 'half back',
      amount: '20.00',
      source: 'shop',
      created_at: '-P7D',
      purchase: { ...purchase, status: 'partially_refunded' },
    },
    {
      key: 'unpaid',
      amount: '20.00',
      source: 'shop',
      created_at: '-P8D',
      purchase: { ...purchase, status: 'pending' },
    },
  ]
}

test('the status filter shows each voucher once, and the summary ignores it', async () => {
  const { office, report, workOffJobs } = await openVenue(everyState)
  const keys = new Map(Object.entries(report.vouchers).map(([key, { id }]) => [id, key]))
  const list = async (query: string) => {
    const { body } = await office.get(`/admin/vouchers${query}`)
    return { names: body.vouchers.map(({ id }: { id: string }) => keys.get(id)), summary: body.summary }
  }

  const expected = {
    '?status=active': ['active', 'part', 'sold', 'half back', 'unpaid'],
    '?status=blocked': ['blocked', 'blocked and over'],
    '?status=depleted': ['spent', 'given back', 'spent and over'],
    '?status=expired': ['gone'],
  }
  const summary = {
    count: 11,
    issued: euros('355.00'),
    redeemed: euros('72.50'),
    outstanding: euros('247.50'),
    sold_count: 2,
    sold: euros('70.00'),
    bonus: euros('10.00'),
    blocked_count: 2,
  }
  for (const [query, names] of Object.entries(expected)) expect(await list(query)).toEqual({ names, summary })
  expect((await list('')).names).toHaveLength(11)

  // Nothing looks different once the expirations are posted and the summary is folded.
  await workOffJobs()
  for (const [query, names] of Object.entries(expected)) expect(await list(query)).toEqual({ names, summary })
})

test('pages follow each other without a gap, also while vouchers are issued', async () => {
  const { office, report } = await openVenue((file) => {
    file['vouchers'] = Array.from({ length: 7 }, (_, n) => ({ key: `v${n}`, amount: '5.00', created_at: '-P1D' }))
  })
  const seen: string[] = []
  let path: string | null = '/admin/vouchers?limit=3&status=active'
  while (path) {
    const { body, headers } = await office.get(path)
    seen.push(...body.vouchers.map(({ id }: { id: string }) => id))
    await office.post('/admin/vouchers', { voucher: { amount: '1' } })

    const link = headers.get('link')
    expect(link === null).toBe(body.pagination.next_page === null)
    if (link) {
      expect(link).toBe(
        `<http://localhost:3000/admin/vouchers?status=active&limit=3&page=${body.pagination.next_page}>; rel="next"`,
      )
    }
    path = link && new URL(/<(.+)>/.exec(link)![1]!).href.replace('http://localhost:3000', '')
  }
  expect(seen).toEqual(
    Object.values(report.vouchers)
      .map(({ id }) => id)
      .toReversed(),
  )
})

test('fifty vouchers a page unless another number from one to a hundred is asked for', async () => {
  const { office } = await openVenue((file) => {
    file['vouchers'] = Array.from({ length: 120 }, (_, n) => ({ key: `v${n}`, amount: '5.00' }))
  })
  const count = async (query: string) => (await office.get(`/admin/vouchers${query}`)).body.vouchers.length
  expect(await count('')).toBe(50)
  expect(await count('?limit=1')).toBe(1)
  expect(await count('?limit=100')).toBe(100)
  expect(await count('?limit=1000')).toBe(100)
  expect(await count('?limit=99999999999')).toBe(100)
  expect(await count('?limit=0')).toBe(1)
  expect(await count('?limit=-5')).toBe(1)
  expect(await count('?limit=many')).toBe(50)
})

test('a status or a page that does not exist is refused', async () => {
  const { office } = await openVenue()
  const other = await openVenue()
  const { body: foreign } = await other.office.post('/admin/vouchers', { voucher: { amount: '5' } })
  const { body: own } = await office.post('/admin/vouchers', { voucher: { amount: '5' } })

  expect(await office.get('/admin/vouchers?status=actve')).toRefuse(422, { status: ['is not included in the list'] })
  expect(await office.get('/admin/vouchers.csv?status=actve')).toRefuse(422, {
    status: ['is not included in the list'],
  })
  for (const page of ['2', foreign.id, own.id.replace(/.$/, '!'), `${own.id}x`]) {
    expect(await office.get(`/admin/vouchers?page=${page}`)).toRefuse(422, { page: ['is invalid'] })
  }
  expect((await office.get(`/admin/vouchers?page=${own.id}`)).body.vouchers).toEqual([])
})
