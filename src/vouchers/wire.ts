import { z } from 'zod'
import { exampleOf, named } from '../http/wire.ts'
import { Purchase } from './deliveries/wire.ts'
import { voucherFields, voucherExample, LedgerEntry } from './ledger/wire.ts'

export const VoucherDetail = named(
  'VoucherDetail',
  z.object({ ...voucherFields, purchase: Purchase.nullable(), entries: z.array(LedgerEntry) }),
  { ...voucherExample, purchase: exampleOf(Purchase)!, entries: [exampleOf(LedgerEntry)!] },
)
