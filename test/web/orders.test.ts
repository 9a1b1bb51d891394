import { expect, test } from 'vitest'
import { formatCents, normalizeTypedAmount, parseCents, parseTypedCents } from '../../web/ui/amounts.ts'
import {
  type Admission,
  type Order,
  type RefundChoice,
  openPayoutsOf,
  previewRefund,
  ticketStateOf,
  timelineOf,
  toggleAdmission,
} from '../../web/console/orders/rules.ts'

const admission = (publicId: string, more: Partial<Admission> = {}): Admission => ({
  public_id: publicId,
  check_in_code: 'K7PDX2QM',
  ticket_title: 'General admission',
  attendee_name: publicId,
  place_label: null,
  status: 'active',
  redeemed_at: null,
  price: '25.00',
  group_number: null,
  custom_field_answers: {},
  ...more,
})

const orderOf = (more: Partial<Order> = {}): Order =>
  ({
    public_id: 'order',
    status: 'paid',
    event: { slug: 'winter-ball', title: 'Winter Ball' },
    total: '75.00',
    voucher_total: '30.00',
    paid: '45.00',
    due: '0.00',
    refunded: '0.00',
    currency: 'EUR',
    items: [],
    admissions: [admission('a'), admission('b'), admission('c')],
    vouchers: [
      { id: 'v1', code: '····AAAA', amount: '20.00', refunded: '0.00' },
      { id: 'v2', code: '····BBBB', amount: '10.00', refunded: '0.00' },
    ],
    payments: [
      {
        id: 'p1',
        payment_method: 'stripe',
        status: 'paid',
        amount: '45.00',
        refunded: '0.00',
        by_hand: false,
        reference: null,
        paid_at: '2026-11-20T10:04:00.000Z',
        refunds: [],
      },
    ],
    refunds: [],
    receipts: [],
    payment_due_at: null,
    paid_at: '2026-11-20T10:04:00.000Z',
    cancelled_at: null,
    created_at: '2026-11-20T10:00:00.000Z',
    ...more,
  }) as Order

const choose = (choice: Partial<RefundChoice>): RefundChoice => ({
  kind: 'whole',
  ticked: new Set(),
  amount: '',
  ...choice,
})

test('amounts are whole units of their currency, however they are typed', () => {
  expect(parseCents('12.5', 'EUR')).toBe(1250)
  expect(parseCents('-0.05', 'EUR')).toBe(-5)
  expect(parseCents('1200', 'JPY')).toBe(1200)
  expect(formatCents(-5, 'EUR')).toBe('-0.05')
  expect(formatCents(1200, 'JPY')).toBe('1200')
  expect(normalizeTypedAmount(' 7,5 ')).toBe('7.5')
  expect(normalizeTypedAmount('1.234,50')).toBe('1234.50')
  expect(normalizeTypedAmount('1,234.50')).toBe('1234.50')
  expect(parseTypedCents('1 234,50', 'EUR')).toBe(123_450)
  // A thousand in one country, one and a bit in another: nobody guesses.
  expect(parseTypedCents('1.234', 'EUR')).toBeNull()
  expect(parseTypedCents('10.5', 'JPY')).toBeNull()
  expect(parseTypedCents('twelve', 'EUR')).toBeNull()
  expect(parseTypedCents('-3', 'EUR')).toBeNull()
})

test('everything goes back to the vouchers first, then the way it came', () => {
  expect(previewRefund(orderOf(), choose({ kind: 'whole' }))).toMatchObject({
    amount: '75.00',
    shares: [
      { to: { voucher: '····AAAA' }, amount: '20.00' },
      { to: { voucher: '····BBBB' }, amount: '10.00' },
      { to: { method: 'stripe' }, amount: '45.00' },
    ],
    ending: [{ public_id: 'a' }, { public_id: 'b' }, { public_id: 'c' }],
    fault: null,
  })
})

test('ticked tickets end and cost what they cost; what went back before does not go twice', () => {
  const order = orderOf({
    refunded: '25.00',
    admissions: [admission('a', { status: 'refunded' }), admission('b'), admission('c')],
    vouchers: [
      { id: 'v1', code: '····AAAA', amount: '20.00', refunded: '20.00' },
      { id: 'v2', code: '····BBBB', amount: '10.00', refunded: '5.00' },
    ],
  })
  expect(previewRefund(order, choose({ kind: 'admissions', ticked: new Set(['b']) }))).toMatchObject({
    amount: '25.00',
    shares: [
      { to: { voucher: '····BBBB' }, amount: '5.00' },
      { to: { method: 'stripe' }, amount: '20.00' },
    ],
    ending: [{ public_id: 'b' }],
    fault: null,
  })
  expect(previewRefund(order, choose({ kind: 'amount', amount: '50,00' }))).toMatchObject({ ending: [], fault: null })
  expect(previewRefund(order, choose({ kind: 'amount', amount: '50,01' })).fault).toBe('too_much')
})

test('what cannot be given back is said before anybody asks for it', () => {
  const came = orderOf({ admissions: [admission('a', { redeemed_at: '2026-12-01T20:00:00.000Z' }), admission('b')] })
  expect(previewRefund(came, choose({ kind: 'whole' })).fault).toBe('came_in')
  expect(previewRefund(came, choose({ kind: 'admissions', ticked: new Set(['a']) })).fault).toBe('came_in')
  expect(previewRefund(came, choose({ kind: 'admissions', ticked: new Set(['b']) })).fault).toBeNull()
  expect(previewRefund(came, choose({ kind: 'admissions' })).fault).toBe('none_ticked')
  expect(previewRefund(came, choose({ kind: 'amount', amount: '' })).fault).toBe('no_amount')
  expect(previewRefund(came, choose({ kind: 'amount', amount: '0' })).fault).toBe('no_amount')
  const over = orderOf({ refunded: '75.00', admissions: [admission('a', { status: 'refunded' })] })
  expect(previewRefund(over, choose({ kind: 'whole' })).fault).toBe('nothing_left')
})

test('a group is ticked as a whole, and only what is still valid of it', () => {
  const table = { ticket_title: 'Table of four', price: '22.50' }
  const order = orderOf({
    admissions: [
      admission('a', { ...table, group_number: 1 }),
      admission('b', { ...table, group_number: 1 }),
      admission('c', { ...table, group_number: 2 }),
      admission('d', { group_number: 1 }),
    ],
  })
  const ticked = toggleAdmission(order, new Set(), 'b')
  expect([...ticked]).toEqual(['a', 'b'])
  expect([...toggleAdmission(order, ticked, 'a')]).toEqual([])
})

const PAID_OUT = '2026-11-22T08:00:00.000Z'

const cardRefund = (id: string, status: Order['payments'][number]['refunds'][number]['status']) => ({
  id,
  amount: '5.00',
  status,
  failure_message: status === 'failed' ? 'Stripe could not give the money back' : null,
  paid_at: status === 'paid' ? PAID_OUT : null,
})

test('money that has not arrived yet is told with how it was paid, and money that has with its time', () => {
  const [payment] = orderOf().payments
  const statuses = ['pending', 'paid', 'by_hand', 'failed'] as const
  const order = orderOf({ payments: [{ ...payment!, refunds: statuses.map((status) => cardRefund(status, status)) }] })
  expect(openPayoutsOf(order).map(({ id, method }) => [id, method])).toEqual([
    ['pending', 'stripe'],
    ['by_hand', 'stripe'],
    ['failed', 'stripe'],
  ])
  expect(timelineOf(order).filter(({ kind }) => kind === 'payout')).toEqual([
    { kind: 'payout', key: 'paid', at: PAID_OUT, amount: '5.00' },
  ])
})

test('the timeline tells of money and tickets in the order in which they happened', () => {
  const order = orderOf({
    status: 'unpaid',
    payment_due_at: '2026-12-01T10:00:00.000Z',
    due: '12.00',
    admissions: [
      admission('a', { redeemed_at: '2026-11-30T20:00:10.000Z' }),
      admission('b', { redeemed_at: '2026-11-30T20:00:40.000Z' }),
    ],
    receipts: [{ number: '17', kind: 'sale', issued_at: '2026-11-20T10:04:00.000Z' }],
    refunds: [
      {
        public_id: 'r',
        amount: '5.00',
        voucher_amount: '5.00',
        payment_amount: '0.00',
        reason: null,
        actor: 'Mara',
        admission_public_ids: ['b'],
        receipt_number: '18',
        created_at: '2026-11-21T09:00:00.000Z',
      },
    ],
  })
  expect(timelineOf(order).map(({ kind }) => kind)).toEqual([
    'placed',
    'voucher',
    'voucher',
    'payment',
    'receipt',
    'refund',
    'came_in',
    'due',
  ])
  expect(timelineOf(order).find(({ kind }) => kind === 'came_in')).toMatchObject({
    admissions: [{ public_id: 'a' }, { public_id: 'b' }],
  })
})

test('a ticket is called valid only where the door lets it in', () => {
  const stateOf = (status: Order['status'], more: Partial<Admission> = {}) =>
    ticketStateOf(orderOf({ status }), admission('a', more))
  expect(stateOf('paid')).toBe('active')
  expect(stateOf('unpaid')).toBe('unpaid')
  expect(stateOf('disputed')).toBe('disputed')
  expect(stateOf('unpaid', { status: 'cancelled' })).toBe('cancelled')
})
