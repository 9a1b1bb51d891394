import { expect, test } from 'vitest'
import { openVenue } from './kit/venue/venue.ts'

const MARK = 'unasked-for'
const NUMBER = 987_654_321

/** What a body may not decide, whatever it calls it. */
const unasked = (foreign: { report: { account: { id: number } } }) => ({
  id: NUMBER,
  public_id: MARK,
  account_id: foreign.report.account.id,
  origin: MARK,
  order_code: MARK,
  check_in_code: MARK,
  creator_name: MARK,
  author: MARK,
  creator_id: NUMBER,
  membership_id: NUMBER,
  balance: `${NUMBER}.00`,
  available_balance: `${NUMBER}.00`,
  admission_count: NUMBER,
  remaining_capacity: NUMBER,
  position: NUMBER,
  lock_version_was: NUMBER,
  accepted_at: '1999-01-01T00:00:00Z',
  created_at: '1999-01-01T00:00:00Z',
  updated_at: '1999-01-01T00:00:00Z',
  archived_at: '1999-01-01T00:00:00Z',
  public_url: MARK,
  token: MARK,
})

test('keys that nobody asked for decide nothing, wherever something is made or changed', async () => {
  const venue = await openVenue()
  const foreign = await openVenue()
  const { office } = venue
  const ball = venue.report.events['winter-ball']!
  const party = { customer_name: 'Ada', ticket_id: ball.tickets['ga'] }
  const product = { name: 'Fifty', pricing_type: 'fixed', fixed_amount: '50.00' }
  const creations: [path: string, envelope: string, fields: object, change: (made: Made) => [string, object]][] = [
    ['/admin/events/winter-ball/guest_parties', 'guest_party', party, ({ public_id }) => [`/${public_id}`, party]],
    [
      '/admin/events/winter-ball/guest_list_forms',
      'guest_list_form',
      { ticket_id: ball.tickets['ga'] },
      ({ public_id }) => [`/${public_id}`, { capacity: 5 }],
    ],
    ['/admin/tasks', 'task', { title: 'Coats' }, ({ id }) => [`/${id}`, { title: 'Hats' }]],
    ['/admin/voucher_products', 'voucher_product', product, ({ id }) => [`/${id}`, product]],
    ['/admin/vouchers', 'voucher', { amount: '10.00' }, () => ['', {}]],
    ['/admin/invitations', 'invitation', { email: 'new@guest.example', role: 'scanner' }, () => ['', {}]],
  ]

  for (const [path, envelope, fields, change] of creations) {
    const plain = await office.post(path, { [envelope]: withAnotherAddress(fields) })
    const made = await office.post(path, { ...unasked(foreign), [envelope]: { ...unasked(foreign), ...fields } })
    expect([plain.status, made.status], `${path} ${made.text}`).toEqual([201, 201])
    expect(Object.keys(made.body), path).toEqual(Object.keys(plain.body))

    const [rest, changes] = change(made.body as Made)
    const answers = [made]
    if (rest) {
      const changed = await office.patch(path + rest, { [envelope]: { ...unasked(foreign), ...changes } })
      expect(changed.status, `${path}${rest} ${changed.text}`).toBe(200)
      answers.push(changed)
    }
    for (const { text } of answers) {
      for (const told of [MARK, String(NUMBER), '1999-']) expect(text, path).not.toContain(told)
    }
  }

  const { pool } = venue.app.database
  for (const table of [
    'orders',
    'admissions',
    'signup_links',
    'tasks',
    'voucher_products',
    'vouchers',
    'invitations',
  ]) {
    const { rows } = await pool.query<{ text: string; account: number }>(
      `select to_jsonb(x)::text as text, account_id as account from ${table} x`,
    )
    expect(rows.length, table).toBeGreaterThan(0)
    for (const { text, account } of rows) {
      expect(account, table).toBe(venue.report.account.id)
      for (const kept of [MARK, String(NUMBER), '1999-']) expect(text, table).not.toContain(kept)
    }
  }
})

interface Made {
  id: string
  public_id: string
}

/** An address is invited once. */
const withAnotherAddress = (fields: object) =>
  'email' in fields ? { ...fields, email: 'plain@guest.example' } : fields
