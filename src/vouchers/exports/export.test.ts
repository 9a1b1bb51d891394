import { expect, test } from 'vitest'
import { openVenue } from '../../../test/kit/venue/venue.ts'
import { csvCellOf } from './export-vouchers.ts'

test('the export is complete, with full codes that can be looked up, and follows the filter', async () => {
  const { office, reader, report, app, logged } = await openVenue((file) => {
    file['voucher_products'] = [{ key: 'p', name: '=Give "50", +10', pricing_type: 'fixed', fixed_amount: '50.00' }]
    file['vouchers'] = [
      { key: 'plain', amount: '40.00', created_at: '2026-01-01T10:00:00Z' },
      {
        key: 'part',
        product: 'p',
        redeemed: '12.50',
        source: 'shop',
        expires_at: '2035-01-01T00:00:00Z',
        created_at: '2026-01-02T10:00:00Z',
      },
      {
        key: 'blocked',
        code: 'ABCDEFGHJK23',
        amount: '5.00',
        blocked_reason: 'Stolen',
        created_at: '2026-01-03T10:00:00Z',
      },
    ]
  })
  const codeOf = (key: string) => report.vouchers[key]!.code
  const csv = await reader.get('/admin/vouchers.csv', { headers: { accept: '*/*' } })

  expect(csv.status).toBe(200)
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(csv.headers.get('cache-control')).toBe('private, no-store')
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="vouchers.csv"')
  expect(csv.text.split('\r\n')).toEqual([
    'code,product,issued_amount,balance,currency,source,expires_at,blocked,created_at',
    'ABCDEFGHJK23,,5.00,5.00,EUR,manual,,true,2026-01-03T10:00:00.000Z',
    `${codeOf('part')},"'=Give ""50"", +10",50.00,37.50,EUR,shop,2035-01-01T00:00:00.000Z,false,2026-01-02T10:00:00.000Z`,
    `${codeOf('plain')},,40.00,40.00,EUR,manual,,false,2026-01-01T10:00:00.000Z`,
    '',
  ])
  expect((await reader.post('/admin/voucher_lookup', { code: codeOf('plain') })).status).toBe(200)
  expect((await office.get('/admin/vouchers.csv?status=blocked')).text.split('\r\n')).toHaveLength(3)

  const { rows } = await app.database.pool.query(
    'select actor, status_filter, rows_count from voucher_exports where account_id = $1 order by id',
    [report.account.id],
  )
  expect(rows).toEqual([
    { actor: 'Olga Owner', status_filter: null, rows_count: 3 },
    { actor: 'Olga Owner', status_filter: 'blocked', rows_count: 1 },
  ])
  const { entries } = (await office.get('/admin/audit_log')).body
  expect(entries).toMatchObject([
    {
      action: 'GET /admin/vouchers.csv',
      subject: { export_id: expect.any(Number), status: 'blocked' },
      actor: { name: 'Olga Owner' },
      credential: { description: 'office write' },
    },
    { action: 'GET /admin/vouchers.csv', credential: { kind: 'account_token', description: 'office read' } },
  ])
  expect(JSON.stringify(entries)).not.toContain(codeOf('plain'))
  expect(logged.filter((line) => line.includes('Vouchers are exported with their codes')).length).toBe(2)
})

test('an export of several pieces misses nothing', async () => {
  const { office, report } = await openVenue((file) => {
    file['vouchers'] = Array.from({ length: 5100 }, (_, n) => ({ key: `v${n}`, amount: '1.00' }))
  })
  const lines = (await office.get('/admin/vouchers.csv')).text.trimEnd().split('\r\n').slice(1)
  const codes = Object.values(report.vouchers).map(({ code }) => code)
  expect(lines.map((line) => line.split(',')[0])).toEqual(codes.toReversed())
})

test('nobody exports without a token of the venue', async () => {
  const { stranger, partner, door } = await openVenue()
  for (const client of [stranger, partner, door]) expect(await client.get('/admin/vouchers.csv')).toRefuse(401)
})

test('a cell that a spreadsheet would calculate is marked as text', () => {
  for (const text of ['=1+1', '+1', '-1', '@sum', '\tx', '\rx']) expect(csvCellOf(text)).toMatch(/^"?'/)
  expect(csvCellOf('Fifty = 50')).toBe('Fifty = 50')
})
