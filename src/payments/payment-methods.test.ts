import { expect, test } from 'vitest'
import { methodsWith, openPaymentHouse } from '../../test/kit/venue/payments.ts'
import { DEMO_SHOP } from '../http/example-setup.ts'
import { findUsableMethods } from './payments.ts'
import { openMethodSecrets } from './configuration/secrets.ts'

const house = await openPaymentHouse()

test('every account has its methods from the beginning, and each provider an address of its own', async () => {
  const [venue, other] = [await house.openVenue(), await house.openVenue()]
  const { body } = await venue.office.get('/admin/payment_methods')
  expect(body.payment_methods.map(({ name, enabled }: { name: string; enabled: boolean }) => [name, enabled])).toEqual([
    ['stripe', false],
    ['bank_transfer', false],
    ['at_the_door', false],
    ['test', true],
  ])
  const [stripe, transfer] = body.payment_methods
  expect(stripe.webhook_url).toMatch(/^http:\/\/localhost:3000\/payments\/stripe\/webhooks\/[0-9a-f]{64}$/)
  expect(stripe.webhook_url).not.toBe(other.methodOf('stripe').webhook_url)
  expect(transfer).toMatchObject({ webhook_url: null, instructions: null, expires_after_days: 7 })
})

test('a method is switched on when all it needs is there', async () => {
  const venue = await house.openVenue()
  const change = (name: string, changes: object) =>
    venue.office.patch(`/admin/payment_methods/${venue.methodOf(name).id}`, { payment_method: changes })
  const errorsOf = async (name: string, changes: object) => {
    const { status, body } = await change(name, changes)
    expect(status).toBe(422)
    return body.errors
  }
  expect(await errorsOf('stripe', { enabled: true })).toEqual({
    secret_key: ["can't be blank"],
    webhook_secret: ["can't be blank"],
  })
  expect(await errorsOf('stripe', { secret_key: 'pk_test_published' })).toEqual({ secret_key: ['is invalid'] })
  expect(await errorsOf('stripe', { webhook_secret: 'sk_test_secret' })).toEqual({ webhook_secret: ['is invalid'] })
  expect(await errorsOf('stripe', { instructions: 'IBAN' })).toEqual({ instructions: ['must be blank'] })
  expect(await errorsOf('bank_transfer', { enabled: true })).toEqual({ instructions: ["can't be blank"] })
  expect(await errorsOf('bank_transfer', { expires_after_days: 0 })).toMatchObject({
    expires_after_days: [expect.any(String)],
  })
  expect(await errorsOf('at_the_door', { secret_key: 'sk_test_secret' })).toEqual({ secret_key: ['must be blank'] })
  expect((await findUsableMethods(venue.scope)).map(({ name }) => name)).toEqual(['test'])

  const keys = { secret_key: 'sk_test_secret', webhook_secret: 'whsec_secret' }
  expect((await change('stripe', { enabled: true, ...keys })).body).toMatchObject({
    enabled: true,
    has_secret_key: true,
    has_webhook_secret: true,
  })
  expect(await errorsOf('stripe', { secret_key: null })).toEqual({ secret_key: ["can't be blank"] })
  expect((await change('stripe', { enabled: false, secret_key: null })).body.has_secret_key).toBe(false)
  expect(
    (await change('bank_transfer', { enabled: true, instructions: 'IBAN', expires_after_days: '14' })).body,
  ).toMatchObject({
    enabled: true,
    instructions: 'IBAN',
    expires_after_days: 14,
  })
  expect((await change('at_the_door', { enabled: true })).body.enabled).toBe(true)
  expect((await findUsableMethods(venue.scope)).map(({ name }) => name)).toEqual([
    'bank_transfer',
    'at_the_door',
    'test',
  ])
})

test('what is no method of the account is not found', async () => {
  const [venue, other] = [await house.openVenue(), await house.openVenue()]
  for (const id of [other.methodOf('stripe').id, 0, -1, 'x', '1e3', '9'.repeat(30)]) {
    const reply = await venue.office.patch(`/admin/payment_methods/${id}`, { payment_method: { enabled: false } })
    expect(reply.status, String(id)).toBe(404)
  }
  const { id } = venue.methodOf('stripe')
  expect((await venue.office.patch(`/admin/payment_methods/${id}`, {})).status).toBe(400)
})

test('secrets are written, and never read again: not by owners, not in the audit log, the log or the database', async () => {
  const venue = await house.openVenue()
  await venue.configure('stripe', { enabled: true, secret_key: 'sk_test_veryown', webhook_secret: 'whsec_veryown' })
  expect((await venue.office.get('/admin/payment_methods')).text).not.toContain('veryown')
  const entries = await venue.office.get('/admin/audit_log')
  expect(entries.text).toContain('PATCH /admin/payment_methods/:id')
  expect(entries.text).toContain('secret_key')
  expect(entries.text).not.toContain('veryown')
  expect(house.logged.join('')).not.toContain('veryown')

  const { rows } = await house.app.database.pool.query<{ row: string }>(
    'select m::text as row from payment_methods m where account_id = $1',
    [venue.report.account.id],
  )
  expect(rows.map(({ row }) => row).join()).not.toContain('veryown')

  // Sealed for this account alone.
  const { rows: sealed } = await house.app.database.pool.query(
    `select sealed_secrets from payment_methods where account_id = $1 and name = 'stripe'`,
    [venue.report.account.id],
  )
  const open = (accountId: number) => openMethodSecrets(house.app.secrets, accountId, sealed[0].sealed_secrets)
  expect(open(venue.report.account.id)).toEqual({ secret_key: 'sk_test_veryown', webhook_secret: 'whsec_veryown' })
  expect(() => open(venue.report.account.id + 1)).toThrow('another one’s')
})

const REAL = ['stripe', 'bank_transfer', 'at_the_door']

test('the test method is there only where the installation says so', async () => {
  const { running, report, office, names } = await methodsWith({ FOYER_TEST_PAYMENTS: 'off' }, 'neue-halle')
  expect(names).toEqual(REAL)
  const { rows } = await running.app.database.pool.query(
    `select id from payment_methods where account_id = $1 and name = 'test'`,
    [report.account.id],
  )
  const reply = await office.patch(`/admin/payment_methods/${rows[0].id}`, { payment_method: { enabled: true } })
  expect(reply.status).toBe(404)
})

test('where the installation says nothing, only the demo venue plays at paying', async () => {
  const unset = { FOYER_TEST_PAYMENTS: '' }
  expect((await methodsWith(unset, 'neue-halle')).names).toEqual(REAL)
  expect((await methodsWith(unset, DEMO_SHOP)).names).toEqual([...REAL, 'test'])
  expect((await methodsWith({ ...unset, FOYER_DEMO: '0' }, DEMO_SHOP)).names).toEqual(REAL)
})
