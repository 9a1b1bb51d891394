import { expect, test } from 'vitest'
import {
  type Delivery,
  type ImportDetail,
  type Month,
  type Voucher,
  addsUp,
  balanceAfter,
  changesOfProduct,
  countFaults,
  deliveryStateOf,
  faultsAsCsv,
  fieldsOfProduct,
  isWholeCode,
  moveInList,
  moveMonth,
  reservedAmount,
  signed,
} from '../../web/console/vouchers/rules.ts'
import { createScanReader } from '../../web/ui/scan-reader.ts'

const euros = (amount: string) => ({ amount, currency: 'EUR' })

const voucherOf = (balance: string, available: string) =>
  ({ balance: euros(balance), available_balance: euros(available) }) as Voucher

test('only a whole code is looked up', () => {
  expect(isWholeCode('K7WM-3XQD-9TFA-NPQR')).toBe(true)
  expect(isWholeCode('k7wm 3xqd 9tfa')).toBe(true)
  expect(isWholeCode('K7WM-3XQD-9T')).toBe(false)
  expect(isWholeCode('K7WM/3XQD/9TFA/NPQR')).toBe(false)
})

test('what checkouts have set aside is the difference, and a debit stops at what is available', () => {
  const voucher = voucherOf('37.50', '17.50')
  expect(reservedAmount(voucher)).toBe('20.00')
  expect(reservedAmount(voucherOf('37.50', '37.50'))).toBeNull()
  expect(balanceAfter(voucher, 'credit', 5)).toBe('37.55')
  expect(balanceAfter(voucher, 'debit', 1750)).toBe('20.00')
  expect(balanceAfter(voucher, 'debit', 1751)).toBeNull()
})

test('a delivery is where its times say it is', () => {
  const now = new Date('2026-11-17T12:00:00Z')
  const nothing: Delivery = {
    id: 'd',
    audience: 'recipient',
    recipient_name: 'Rita',
    recipient_email: 'rita@guest.example',
    scheduled_for: null,
    queued_at: null,
    delivering_at: null,
    last_attempted_at: null,
    delivered_at: null,
    failed_at: null,
    failure_message: null,
    attempts_count: 0,
  }
  const state = (facts: Partial<Delivery>) => deliveryStateOf({ ...nothing, ...facts }, now)
  expect(state({})).toBe('queued')
  expect(state({ scheduled_for: '2026-12-24T09:00:00Z' })).toBe('scheduled')
  expect(state({ scheduled_for: '2026-11-01T09:00:00Z' })).toBe('queued')
  expect(state({ delivering_at: '2026-11-17T11:59:00Z' })).toBe('delivering')
  expect(state({ failed_at: '2026-11-17T11:59:00Z' })).toBe('failed')
  expect(state({ delivered_at: '2026-11-17T11:59:00Z' })).toBe('delivered')
})

test('thousands of faults are told by kind, the most frequent first, and saved without a formula in them', () => {
  const faults: ImportDetail['validation_errors'] = [
    { line: 2, field: 'code', message: 'is given twice, first on line 1' },
    ...Array.from({ length: 3999 }, (_, n) => ({ line: n + 3, field: 'amount', message: 'is not a number' })),
  ]
  expect(countFaults(faults)).toEqual([
    { field: 'amount', message: 'is not a number', count: 3999 },
    { field: 'code', message: 'is given twice, first on line 1', count: 1 },
  ])
  const csv = faultsAsCsv([{ line: 2, field: 'note', message: '=1+1' }])
  expect(csv).toBe("\uFEFFline,column,fault\r\n2,note,'=1+1\r\n")
})

test('a month adds up to the cent, or it is said that it does not', () => {
  const month: Month = {
    month: '2026-11',
    opening: '0.10',
    issued: '0.20',
    spent: '0.05',
    returned: '0.01',
    taken_back: '0.02',
    expired: '0.03',
    credited: '0.04',
    debited: '0.06',
    closing: '0.19',
  }
  expect(addsUp(month, 'EUR')).toBe(true)
  expect(addsUp({ ...month, closing: '0.20' }, 'EUR')).toBe(false)
  expect(signed('12.00', -1)).toBe('-12.00')
  expect(signed('0.00', -1)).toBe('0.00')
  expect(moveMonth('2026-11', 2)).toBe('2027-01')
  expect(moveMonth('2026-01', -11)).toBe('2025-02')
})

test('of a product only what was changed is sent, and another way of pricing clears the old one', () => {
  const fields = { ...fieldsOfProduct(null), name: 'Fifty', fixed_amount: '50,00', minimum_amount: '10' }
  expect(changesOfProduct(fields, ['name'])).toEqual({ name: 'Fifty' })
  expect(changesOfProduct({ ...fields, pricing_type: 'flexible', maximum_amount: '99,9' }, ['pricing_type'])).toEqual({
    pricing_type: 'flexible',
    fixed_amount: null,
    purchase_price: null,
    minimum_amount: '10',
    maximum_amount: '99.9',
  })
  const list = ['a', 'b', 'c'].map((id) => ({ id }))
  expect(moveInList(list, 'a', 3).map(({ id }) => id)).toEqual(['b', 'c', 'a'])
  expect(moveInList(list, 'c', 1).map(({ id }) => id)).toEqual(['c', 'a', 'b'])
})

test('a scanner types faster than any person, and ends with Enter', () => {
  const read = createScanReader()
  const feed = (text: string, stepMs: number, from: number) =>
    Array.from(text).reduce((at, key) => {
      expect(read(key, at)).toBeNull()
      return at + stepMs
    }, from)
  expect(read('Enter', feed('K7WM-3XQD-9TFA-NPQR', 8, 0))).toBe('K7WM-3XQD-9TFA-NPQR')
  // A person who types, and one who walks through a list and opens a row.
  expect(read('Enter', feed('K7WM3XQD9TFA', 120, 10_000))).toBeNull()
  expect(read('Enter', feed('jjkk', 8, 20_000))).toBeNull()
  // Shift is held for each capital letter.
  read('Shift', 30_000)
  expect(read('Enter', feed('ABCDEFGHJKLM', 8, 30_001))).toBe('ABCDEFGHJKLM')
})
