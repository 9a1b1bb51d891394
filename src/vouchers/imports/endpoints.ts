import { moneyManagement, management } from '../../access/access.ts'
import { created, ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { analyzeImport } from './analyze-import.ts'
import { queueImportForApplication } from './apply-import.ts'
import { findImport, findImports, findPreviewRows } from './records.ts'
import { ImportBody, VoucherImport, VoucherImportDetail, VoucherImports, showImport, showRow } from './wire.ts'
import { EXAMPLE_SETUPS } from '../example-setups.ts'

/** The 5 MiB are counted in the file itself; as JSON, with every quote and every letter escaped, it may be longer. */
const BODY_LIMIT = 16 * 1024 * 1024

const imports = endpoint({
  method: 'GET',
  path: '/admin/voucher_imports',
  operationId: 'listVoucherImports',
  says: 'The voucher imports, newest first, without their rows.',
  access: management('read'),
  answers: { 200: VoucherImports },
  handle: async ({ account }) => ok({ voucher_imports: (await findImports(account.rows)).map(showImport) }),
})

const importCreation = endpoint({
  method: 'POST',
  path: '/admin/voucher_imports',
  operationId: 'createVoucherImport',
  says: 'Reads a CSV file (code, amount, expires_at, note, product_id) and tells its faults; nothing is issued yet.',
  access: moneyManagement('write'),
  body: ImportBody,
  example: { csv: 'code,amount,expires_at,note,product_id\nABCD-EFGH-JK23,25.00,2030-12-31,From the old shop,\n' },
  answers: { 201: VoucherImport },
  creates: true,
  bodyLimit: BODY_LIMIT,
  handle: async ({ account, body }) => {
    const made = await analyzeImport(account, body.csv ?? null)
    return created(showImport(made), `/admin/voucher_imports/${made.publicId}`)
  },
})

const importDetail = endpoint({
  method: 'GET',
  path: '/admin/voucher_imports/:id',
  operationId: 'getVoucherImport',
  says: 'One voucher import with its rows as they were read; codes are masked, and one that is null will be drawn.',
  access: management('read'),
  exampleSetup: EXAMPLE_SETUPS.import,
  answers: { 200: VoucherImportDetail },
  handle: async ({ account, params }) => {
    const { one, preview } = await account.consistentRead(async (rows) => {
      const one = requireFound(await findImport(rows, params.id))
      return { one, preview: await findPreviewRows(rows, one.id) }
    })
    return ok({ ...showImport(one), rows: preview.map((row) => showRow(row, account.account.currency)) })
  },
})

const importApplication = endpoint({
  method: 'POST',
  path: '/admin/voucher_imports/:voucher_import_id/application',
  operationId: 'applyVoucherImport',
  says: 'Issues the vouchers of an import without errors, all or none, after this answer; ask for the import until it is over.',
  access: moneyManagement('write'),
  exampleSetup: EXAMPLE_SETUPS.application,
  answers: { 202: VoucherImport },
  handle: async ({ account, params }) => {
    const submitted = await queueImportForApplication(account, params.voucher_import_id)
    return { status: 202 as const, body: showImport(submitted) }
  },
})

export const importEndpoints = [imports, importCreation, importDetail, importApplication]
