import type { Account } from '../../access/callers.ts'
import type { AccountScope, Tx } from '../../access/scopes.ts'
import { newPublicId } from '../../kernel/public-ids.ts'
import { Invalid } from '../../kernel/refusals.ts'
import type { Secrets } from '../../kernel/secrets.ts'
import { BLANK_MESSAGE } from '../../kernel/messages.ts'
import { CsvFault } from './csv.ts'
import { type Import, findTaken, findTerms, insertImport } from './records.ts'
import { CSV_BYTES_MAX, analyze, readRows, validRowsCount, withTakenCodes } from './rules.ts'

export const analyzeImport = (scope: AccountScope, csv: string | null): Promise<Import> =>
  scope.transaction((tx) => storeAnalysis(scope, tx, csv))

/** Whose file it is, and with what its codes are sealed. */
export interface ImportMeans {
  account: Account
  app: { secrets: Secrets }
}

/** Reads a file and keeps its rows for a preview; nothing is issued. */
export const storeAnalysis = async (scope: ImportMeans, tx: Tx, csv: string | null): Promise<Import> => {
  if (csv === null || csv.trim() === '') throw new Invalid({ csv: [BLANK_MESSAGE] })
  if (Buffer.byteLength(csv) > CSV_BYTES_MAX) throw new Invalid({ csv: ['is too large (maximum is 5 MiB)'] })
  const rows = read(csv)
  const named = new Set(rows.map(({ cells }) => cells.get('product_id') ?? ''))
  const { currency, timeZone } = scope.account
  const terms = { ...(await findTerms(tx, [...named])), currency, timeZone }
  const untaken = analyze(rows, { ...terms, secrets: scope.app.secrets, accountId: tx.accountId })
  const digests = untaken.rows.flatMap(({ code }) => (code ? [code.digest] : []))
  const analysis = withTakenCodes(untaken, await findTaken(tx, digests))
  return insertImport(tx, { ...analysis, publicId: newPublicId(), validRowsCount: validRowsCount(analysis) })
}

const read = (csv: string) => {
  try {
    return readRows(csv)
  } catch (error) {
    if (error instanceof CsvFault) throw new Invalid({ csv: [error.message] })
    throw error
  }
}
