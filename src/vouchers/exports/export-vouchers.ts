import { Readable } from 'node:stream'
import { recordAudit } from '../../access/audit.ts'
import type { CallerScope } from '../../access/scopes.ts'
import { showAmount } from '../../kernel/money.ts'
import { unsealCode } from '../codes.ts'
import type { ListCursor } from '../ledger/records.ts'
import type { VoucherStatus } from '../rules.ts'
import { type ExportRow, findExportRows, insertExportLog, recordExportFinished } from './records.ts'

const ROWS_AT_ONCE = 1000
const HEAD = 'code,product,issued_amount,balance,currency,source,expires_at,blocked,created_at\r\n'

/**
 * Every voucher with its full code, as a file that is written while it is read. Between two pieces nothing is held in
 * the database, so a slow reader costs nobody anything. Who took the codes is written down before the first of them.
 */
export const exportVouchers = async (account: CallerScope, status: VoucherStatus | null): Promise<Readable> => {
  const exportId = await account.transaction(async (tx) => {
    const id = await insertExportLog(tx, { credentialId: account.credential.id, actor: account.actor.name, status })
    await recordAudit(tx, {
      action: 'GET /admin/vouchers.csv',
      subject: { export_id: id, ...(status && { status }) },
      by: account.caller,
    })
    return id
  })
  const told = { account: account.account.id, credential: account.credential.id, export: exportId, status }
  account.app.log.info(told, 'Vouchers are exported with their codes')

  const pieces = write(account, status, exportId)
  const first = await pieces.next()
  return Readable.from(startingWith(first.value ?? '', pieces), { objectMode: false, highWaterMark: 64 * 1024 })
}

async function* startingWith(first: string, rest: AsyncGenerator<string>) {
  yield first
  yield* rest
}

async function* write(account: CallerScope, status: VoucherStatus | null, exportId: number): AsyncGenerator<string> {
  const read = (after: ListCursor | null) => findExportRows(account.rows, { status, after, limit: ROWS_AT_ONCE })
  let head = HEAD
  let count = 0
  let reading: Promise<ExportRow[]> | null = read(null)
  while (reading) {
    const rows: ExportRow[] = await reading
    count += rows.length
    const last = rows.at(-1)
    // The next piece is fetched while this one is written; whoever stops listening leaves it to nobody.
    reading = last && rows.length === ROWS_AT_ONCE ? read({ createdAt: last.place, id: last.id }) : null
    reading?.catch(() => {})
    yield head + rows.map((row) => lineOf(account, row)).join('')
    head = ''
  }
  await account.transaction((tx) => recordExportFinished(tx, exportId, count))
}

const lineOf = ({ account, app }: CallerScope, row: ExportRow): string => {
  const { currency } = account
  const amounts = `${showAmount(row.issuedCents, currency)},${showAmount(row.balanceCents, currency)},${currency}`
  return `${unsealCode(app.secrets, row.codeSealed)},${csvCellOf(row.productName ?? '')},${amounts},${row.facts}\r\n`
}

/** A text that a spreadsheet would take for a formula is marked as text. */
export const csvCellOf = (text: string): string => {
  const defused = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused
}
