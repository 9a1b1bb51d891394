import { z } from 'zod'
import { management } from '../../access/access.ts'
import { ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { Money, Timestamp, exampleOf, named, showTimestamp } from '../../http/wire.ts'
import { showMoney } from '../../kernel/money.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { EXAMPLE_SETUPS } from '../example-setups.ts'
import { findVoucher } from '../ledger/records.ts'
import { type HeldReservation, findHeldOfVoucher } from './records.ts'

const Reservation = named(
  'VoucherReservation',
  z.object({ id: z.string(), amount: Money, created_at: Timestamp, expires_at: Timestamp }),
  {
    id: 'Rv2Tk8nXq5LzW7mBc3PdYs',
    amount: { amount: '20.00', currency: 'EUR' },
    created_at: '2026-11-02T18:20:00.000Z',
    expires_at: '2026-11-02T18:35:00.000Z',
  },
)

const Reservations = named('VoucherReservations', z.object({ reservations: z.array(Reservation) }), {
  reservations: [exampleOf(Reservation)!],
})

const showReservation = (held: HeldReservation, currency: string): z.output<typeof Reservation> => ({
  id: held.publicId,
  amount: showMoney(held.amountCents, currency),
  created_at: showTimestamp(held.createdAt),
  expires_at: showTimestamp(held.expiresAt),
})

const voucherReservations = endpoint({
  method: 'GET',
  path: '/admin/vouchers/:voucher_id/reservations',
  operationId: 'listVoucherReservations',
  says: 'What pending checkouts have set aside of a voucher, the oldest first: the difference between its balance and what is available.',
  access: management('read'),
  exampleSetup: EXAMPLE_SETUPS.newVoucher,
  answers: { 200: Reservations },
  handle: async ({ account, params }) => {
    const held = await account.consistentRead(async (rows) =>
      findHeldOfVoucher(rows, requireFound(await findVoucher(rows, params.voucher_id)).id),
    )
    return ok({ reservations: held.map((each) => showReservation(each, account.account.currency)) })
  },
})

export const reservationEndpoints = [voucherReservations]
