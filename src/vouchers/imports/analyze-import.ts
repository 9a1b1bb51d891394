import type { Account } from '../../access/callers.ts'
import type { AccountScope, Tx } from '../../access/scopes.ts'
import { newPublicId } from '../../kernel/public-ids.ts'
import { Invalid } from '../../kernel/refusals.ts'
import type { Secrets } from '../../kernel/secrets.ts'
import { BLANK_MESSAGE } from '../../kernel/messages.ts'
import { CsvFault } from './csv.ts'
import { type StoredImport, findTakenCodeDigests, findProductsAndTime, insertImport } from './records.ts'
import { CSV_BYTES_MAX, analyzeRows, parseCsvRows, validRowsCount, addTakenCodeFaults } from './rules.ts'

export const analyzeImport = (scope: AccountScope, csv: string | null): Promise<StoredImport> =>
  scope.transaction((tx) => analyzeAndStore(scope, tx, csv))

/** Whose file it is, and with what its codes are sealed. */
export interface ImportAccount {
  account: Account
  app: { secrets: Secrets }
}

/** Reads a file and keeps its rows for a preview; nothing is issued. */
export const analyzeAndStore = async (scope: ImportAccount, tx: Tx, csv: string | null): Promise<StoredImport> => {
  if (csv === null || csv.trim() === '') throw new Invalid({ csv: [BLANK_MESSAGE] })
  if (Buffer.byteLength(csv) > CSV_BYTES_MAX) throw new Invalid({ csv: ['is too large (maximum is 5 MiB)'] })
  const rows = read(csv)
  const named = new Set(rows.map(({ cells }) => cells.get('product_id') ?? ''))
  const { currency, timeZone } = scope.account
  const terms = { ...(await findProductsAndTime(tx, [...named])), currency, timeZone }
  const untaken = analyzeRows(rows, { ...terms, secrets: scope.app.secrets, accountId: tx.accountId })
  const digests = untaken.rows.flatMap(({ code }) => (code ? [code.digest] : []))
  const analysis = addTakenCodeFaults(untaken, await findTakenCodeDigests(tx, digests))
  return insertImport(tx, { ...analysis, publicId: newPublicId(), validRowsCount: validRowsCount(analysis) })
}

const read = (csv: string) => {
  try {
    return parseCsvRows(csv)
  } catch (error) {
    if (error instanceof CsvFault) throw new Invalid({ csv: [error.message] })
    throw error
  }
}
