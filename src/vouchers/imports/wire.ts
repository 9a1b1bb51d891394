import { z } from 'zod'
import { unwrappedBody } from '../../http/body.ts'
import { Money, Timestamp, exampleOf, named, showTimestamp, showTimestampOrNull } from '../../http/wire.ts'
import { showMoney } from '../../kernel/money.ts'
import { maskedCodeOf } from '../codes.ts'
import type { StoredImport, PreviewRow } from './records.ts'
import { IMPORT_STATUSES } from './rules.ts'

const importFields = {
  id: z.string(),
  status: z.enum(IMPORT_STATUSES),
  rows_count: z.int(),
  valid_rows_count: z.int(),
  imported_rows_count: z.int(),
  validation_errors: z.array(z.object({ line: z.int(), field: z.string(), message: z.string() })),
  failure_message: z.string().nullable(),
  analyzed_at: Timestamp,
  applied_at: Timestamp.nullable(),
  created_at: Timestamp,
}

const importExample = {
  id: 'Im4Qz7tXw2LrK9sVc5HnPd',
  status: 'analyzed' as const,
  rows_count: 2,
  valid_rows_count: 1,
  imported_rows_count: 0,
  validation_errors: [{ line: 3, field: 'amount', message: 'is not a number' }],
  failure_message: null,
  analyzed_at: '2026-10-01T09:00:00.000Z',
  applied_at: null,
  created_at: '2026-10-01T09:00:00.000Z',
}

export const VoucherImport = named('VoucherImport', z.object(importFields), importExample)

export const VoucherImports = named('VoucherImports', z.object({ voucher_imports: z.array(VoucherImport) }), {
  voucher_imports: [importExample],
})

const Row = named(
  'VoucherImportRow',
  z.object({
    line: z.int(),
    masked_code: z.string().nullable(),
    amount: Money.nullable(),
    expires_at: Timestamp.nullable(),
    note: z.string().nullable(),
    product_id: z.string().nullable(),
    product_name: z.string().nullable(),
  }),
  {
    line: 2,
    masked_code: '****-****-****-JK23',
    amount: { amount: '25.00', currency: 'EUR' },
    expires_at: null,
    note: 'From the old shop',
    product_id: null,
    product_name: null,
  },
)

export const VoucherImportDetail = named('VoucherImportDetail', z.object({ ...importFields, rows: z.array(Row) }), {
  ...importExample,
  rows: [exampleOf(Row)!],
})

/** Read as it is: trimming would move the lines, and its size is judged in bytes. */
export const ImportBody = unwrappedBody(z.object({ csv: z.string().nullish() }))

export const showImport = (one: StoredImport): z.output<typeof VoucherImport> => ({
  id: one.publicId,
  status: one.status,
  rows_count: one.rowsCount,
  valid_rows_count: one.validRowsCount,
  imported_rows_count: one.importedRowsCount,
  validation_errors: one.validationErrors,
  failure_message: one.failureMessage,
  analyzed_at: showTimestamp(one.analyzedAt),
  applied_at: showTimestampOrNull(one.appliedAt),
  created_at: showTimestamp(one.createdAt),
})

export const showRow = (row: PreviewRow, currency: string): z.output<typeof Row> => ({
  line: row.line,
  masked_code: row.codeSuffix === null ? null : maskedCodeOf(row.codeSuffix),
  amount: row.amountCents === null ? null : showMoney(row.amountCents, currency),
  expires_at: showTimestampOrNull(row.expiresAt),
  note: row.note,
  product_id: row.productPublicId,
  product_name: row.productName,
})
