import { expect, test } from 'vitest'
import { openAccountForJob } from '../../access/job-scope.ts'
import type { AccountScope } from '../../access/scopes.ts'
import { Invalid, requireFound } from '../../kernel/refusals.ts'
import { type Venue, openVenue } from '../../../test/kit/venue/venue.ts'
import { findVoucherFaults } from '../consistency/records.ts'
import { captureReservation, refundRedemption, releaseReservation, reserveUpTo } from './reserve.ts'

const euros = (amount: string) => ({ amount, currency: 'EUR' })
const soon = () => new Date(Date.now() + 600_000)

/** A voucher of 50 and an order that may pay with it. */
const open = async () => {
  const venue = await openVenue((file) => {
    file['vouchers'] = [{ key: 'v', amount: '50.00' }]
    file['events'][0].orders = [
      {
        key: 'order',
        customer_name: 'Rita',
        customer_email: 'rita@guest.example',
        status: 'paid',
        items: [{ ticket: 'ga' }],
      },
    ]
  })
  const { id, code } = venue.report.vouchers['v']!
  const scope = (await openAccountForJob(venue.app, venue.report.account.id))!
  const orderPublicId = venue.report.events['winter-ball']!.orders['order']!.public_id
  const { rows } = await venue.app.database.pool.query('select id from orders where public_id = $1', [orderPublicId])
  const { rows: vouchers } = await venue.app.database.pool.query('select id from vouchers where public_id = $1', [id])
  const show = async () => (await venue.office.get(`/admin/vouchers/${id}`)).body
  return {
    venue,
    scope,
    code,
    show,
    path: `/admin/vouchers/${id}`,
    orderId: rows[0].id as number,
    orderPublicId,
    voucherId: vouchers[0].id as number,
  }
}

const tryReserving = (scope: AccountScope, code: string, mostCents: number, checkout = 'c1') =>
  reserveUpTo(scope, { voucher: { code }, mostCents, checkout, expiresAt: soon() })

const reserve = async (...asked: Parameters<typeof tryReserving>) => requireFound(await tryReserving(...asked))

const sound = async (venue: Venue) =>
  findVoucherFaults((await openAccountForJob(venue.app, venue.report.account.id))!.rows)

test('a checkout reserves, pays with, and gets back what its order had spent', async () => {
  const { venue, scope, code, show, orderId, orderPublicId, voucherId } = await open()
  const reservation = await reserve(scope, code.toLowerCase(), 2000)
  expect(await show()).toMatchObject({ balance: euros('50.00'), available_balance: euros('30.00') })

  await captureReservation(scope, reservation, orderId)
  await captureReservation(scope, reservation, orderId)
  expect(await show()).toMatchObject({
    balance: euros('30.00'),
    available_balance: euros('30.00'),
    entries: [{ kind: 'redemption', amount: euros('-20.00'), order_id: orderPublicId }, { order_id: null }],
  })
  expect((await venue.office.get('/admin/vouchers')).body.summary.redeemed).toEqual(euros('20.00'))

  const refund = (amountCents: number) =>
    refundRedemption(scope, { voucherId, orderId, amountCents, actor: 'Olga', reason: 'Cancelled' })
  await refund(1500)
  await expect(refund(501)).rejects.toThrow(Invalid)
  await refund(500)
  expect(await show()).toMatchObject({
    balance: euros('50.00'),
    entries: [{ kind: 'refund', amount: euros('5.00') }, {}, {}, {}],
  })
  expect((await venue.office.get('/admin/vouchers')).body.summary.redeemed).toEqual(euros('0.00'))
  expect(await sound(venue)).toEqual([])
})

test('reserving again for one checkout replaces what it had, and releasing frees it', async () => {
  const { venue, scope, code, show } = await open()
  const first = await reserve(scope, code, 2000)
  const again = await reserve(scope, code, 2000)
  expect(await show()).toMatchObject({ available_balance: euros('30.00') })
  const second = await reserve(scope, code, 5000)
  for (const replaced of [first, again])
    await expect(captureReservation(scope, replaced, 1)).rejects.toThrow('This reservation has been released')
  expect(await show()).toMatchObject({ available_balance: euros('0.00'), status: 'active' })
  expect(await tryReserving(scope, code, 1, 'c2')).toBeNull()

  await releaseReservation(scope, second)
  await releaseReservation(scope, second)
  await expect(captureReservation(scope, second, 1)).rejects.toThrow('This reservation has been released')
  expect(await show()).toMatchObject({ available_balance: euros('50.00') })
  expect(await sound(venue)).toEqual([])
})

test('a checkout gets as much as is needed or there, and nothing where nothing is left', async () => {
  const { venue, scope, code, show, path } = await open()
  await reserve(scope, code, 3000)
  await reserve(scope, code, 4000, 'c2')
  const held = async () => (await venue.office.get(`${path}/reservations`)).body.reservations
  expect(await held()).toMatchObject([{ amount: euros('30.00') }, { amount: euros('20.00') }])
  expect(await show()).toMatchObject({ available_balance: euros('0.00') })
  expect(await tryReserving(scope, code, 1, 'c3')).toBeNull()
  // What it had itself never stands in its way.
  await reserve(scope, code, 9000)
  expect(await held()).toMatchObject([{ amount: euros('20.00') }, { amount: euros('30.00') }])
  expect(await sound(venue)).toEqual([])
})

test('neither a blocked nor an expired voucher takes new reservations', async () => {
  const { venue, scope, code, path, orderId, show } = await open()
  const held = await reserve(scope, code, 1000)
  await venue.office.post(`${path}/block`, { reason: 'Stolen' })
  await expect(reserve(scope, code, 500, 'c2')).rejects.toThrow('This voucher is blocked')
  await captureReservation(scope, held, orderId)
  expect(await show()).toMatchObject({ status: 'blocked', balance: euros('40.00') })

  const over = await openVenue((file) => {
    file['vouchers'] = [{ key: 'v', amount: '5.00', created_at: '-P9D', expires_at: '-P1D' }]
  })
  const theirs = (await openAccountForJob(over.app, over.report.account.id))!
  await expect(reserve(theirs, over.report.vouchers['v']!.code, 1)).rejects.toThrow('This voucher has expired')
})

test('the database itself keeps the ledger, whoever writes', async () => {
  const { venue, voucherId, code, scope } = await open()
  await reserve(scope, code, 1000)
  const { pool } = venue.app.database
  const account = venue.report.account.id
  const entry = (seq: number, kind: string, amount: number, after: number) =>
    pool.query(
      `insert into voucher_entries (account_id, voucher_id, seq, public_id, kind, amount_cents, balance_after_cents, reason)
       values ($1, $2, $3, 'x', $4, $5, $6, 'x')`,
      [account, voucherId, seq, kind, amount, after],
    )
  const refuses = (constraint: string) => expect.objectContaining({ constraint })

  await expect(
    pool.query('update voucher_entries set amount_cents = 1 where account_id = $1', [account]),
  ).rejects.toEqual(refuses('the_ledger_is_append_only'))
  await expect(pool.query('delete from voucher_entries where account_id = $1', [account])).rejects.toEqual(
    refuses('the_ledger_is_append_only'),
  )
  await expect(pool.query('truncate voucher_entries')).rejects.toEqual(refuses('the_ledger_is_append_only'))
  await expect(pool.query('update vouchers set balance_cents = 9 where account_id = $1', [account])).rejects.toEqual(
    refuses('a_balance_moves_only_with_the_ledger'),
  )
  await expect(pool.query('update vouchers set reserved_cents = 0 where account_id = $1', [account])).rejects.toEqual(
    refuses('a_balance_moves_only_with_the_ledger'),
  )
  await expect(entry(3, 'adjustment_credit', 100, 5100)).rejects.toEqual(refuses('each_entry_follows_its_predecessor'))
  await expect(entry(2, 'adjustment_credit', 100, 5200)).rejects.toEqual(refuses('each_entry_follows_its_predecessor'))
  await expect(entry(2, 'adjustment_credit', -100, 4900)).rejects.toEqual(refuses('a_sign_fits_its_kind'))
  await expect(entry(2, 'issuance', 100, 5100)).rejects.toEqual(refuses('an_issuance_comes_first'))
  await expect(entry(2, 'adjustment_debit', -4500, 500)).rejects.toEqual(refuses('reserved_money_is_there'))
  await expect(entry(2, 'adjustment_debit', -5100, -100)).rejects.toEqual(refuses('a_balance_after_is_never_negative'))
  await expect(
    pool.query(
      `insert into vouchers (account_id, public_id, code_digest, code_sealed, code_suffix, source, issued_cents, balance_cents)
       values ($1, 'x', sha256('x'), 'x', 'XXXX', 'manual', 500, 500)`,
      [account],
    ),
  ).rejects.toEqual(refuses('a_voucher_is_issued_by_an_entry'))
  await entry(2, 'adjustment_debit', -4000, 1000)
  expect(await sound(venue)).toEqual([])
})

test('what checkouts have set aside is told one by one, and is the difference to what is available', async () => {
  const { venue, scope, code, path, show, orderId } = await open()
  const held = async () => (await venue.office.get(`${path}/reservations`)).body.reservations
  expect(await held()).toEqual([])
  const first = await reserve(scope, code, 2000)
  await reserve(scope, code, 1250, 'c2')
  expect(await held()).toMatchObject([{ amount: euros('20.00') }, { amount: euros('12.50') }])
  expect(await show()).toMatchObject({ balance: euros('50.00'), available_balance: euros('17.50') })
  await captureReservation(scope, first, orderId)
  expect(await held()).toMatchObject([{ amount: euros('12.50') }])
  expect((await venue.office.get('/admin/vouchers/unknown/reservations')).status).toBe(404)
})
