import type { Secrets } from '../../kernel/secrets.ts'
import {
  BLANK_MESSAGE,
  INVALID_MESSAGE,
  MUST_EXIST_MESSAGE,
  TAKEN_MESSAGE,
  characterCount,
  tooLongMessage,
  tooShortMessage,
} from '../../kernel/messages.ts'
import {
  CODE_LENGTH_MAX,
  CODE_LENGTH_MIN,
  type SealedCode,
  isVoucherCode,
  normalizeVoucherCode,
  sealCode,
} from '../codes.ts'
import { addMonths, parseExpiry } from '../expiry.ts'
import { MUST_BE_IN_FUTURE_MESSAGE, type InputContext } from '../ledger/rules.ts'
import { REASON_MAX, parsePositiveAmount } from '../rules.ts'
import { CsvFault, type CsvRecord, readCsv } from './csv.ts'

export const CSV_BYTES_MAX = 5 * 1024 * 1024
const ROWS_MAX = 5000

export const IMPORT_STATUSES = ['analyzed', 'applying', 'applied', 'failed'] as const
export type ImportStatus = (typeof IMPORT_STATUSES)[number]

const COLUMNS = ['code', 'amount', 'expires_at', 'note', 'product_id'] as const
type Column = (typeof COLUMNS)[number]

export interface RowFault {
  line: number
  field: Column
  message: string
}

export interface ProductOfRow {
  id: number
  validityMonths: number
}

export interface ImportRow {
  line: number
  code: SealedCode | null
  amountCents: number | null
  expiresAt: Date | null
  note: string | null
  productId: number | null
}

export interface RowAnalysis {
  rows: ImportRow[]
  faults: RowFault[]
}

export interface RowAnalysisContext extends InputContext {
  secrets: Secrets
  accountId: number
  products: ReadonlyMap<string, ProductOfRow>
}

/** The rows of a file below its header, by column. A fault of the file as a whole is thrown. */
export const parseCsvRows = (csv: string): { line: number; cells: Map<Column, string> }[] => {
  if (!csv.isWellFormed() || csv.includes('\uFFFD')) throw new CsvFault('is not valid UTF-8')
  if (csv.includes('\0')) throw new CsvFault(INVALID_MESSAGE)

  const records = readCsv(csv)
  const head = records.next()
  if (head.done) throw new CsvFault(BLANK_MESSAGE)
  const columns = readHead(head.value)

  const rows: { line: number; cells: Map<Column, string> }[] = []
  for (const { line, cells } of records) {
    if (rows.length === ROWS_MAX) throw new CsvFault(`has too many rows (maximum is ${ROWS_MAX} rows)`)
    if (cells.length > columns.length) throw new CsvFault(`has more columns than its header on line ${line}`)
    rows.push({ line, cells: new Map(cells.map((cell, n) => [columns[n]!, cell.trim()])) })
  }
  if (rows.length === 0) throw new CsvFault('has no rows')
  return rows
}

const readHead = ({ cells }: CsvRecord): Column[] => {
  // As spreadsheets save it where the comma stands before decimals.
  if (cells.length === 1 && /[;\t]/.test(cells[0]!)) throw new CsvFault('must have commas between its columns')
  const columns = cells.map((cell) => {
    const name = cell.trim().toLowerCase()
    const column = COLUMNS.find((each) => each === name)
    if (!column) throw new CsvFault(`has an unknown column in its header; it knows ${COLUMNS.join(', ')}`)
    return column
  })
  if (new Set(columns).size < columns.length) throw new CsvFault('has a column twice in its header')
  if (!columns.includes('amount')) throw new CsvFault('has no column amount in its header')
  return columns
}

/** Reads every row and tells every fault; which codes are taken is known only to the database. */
export const analyzeRows = (rows: ReturnType<typeof parseCsvRows>, terms: RowAnalysisContext): RowAnalysis => {
  const faults: RowFault[] = []
  const firstLines = new Map<string, number>()
  const read = rows.map(({ line, cells }): ImportRow => {
    const tell = (field: Column, message: string) => {
      faults.push({ line, field, message })
      return null
    }
    const cell = (column: Column) => cells.get(column) ?? ''

    const product =
      cell('product_id') === ''
        ? null
        : (terms.products.get(cell('product_id')) ?? tell('product_id', MUST_EXIST_MESSAGE))
    const note = cell('note')
    return {
      line,
      code: readCode(cell('code'), line, firstLines, terms, (message) => tell('code', message)),
      amountCents: readCell(cell('amount'), terms.currency, (message) => tell('amount', message)),
      expiresAt: readExpiryCell(cell('expires_at'), product, terms, (message) => tell('expires_at', message)),
      note: characterCount(note) > REASON_MAX ? tell('note', tooLongMessage(REASON_MAX)) : note || null,
      productId: product?.id ?? null,
    }
  })
  return { rows: read, faults: inOrder(faults) }
}

/** As the file is read: line by line, and from left to right as the columns are documented. */
const inOrder = (faults: RowFault[]) =>
  faults.toSorted((a, b) => a.line - b.line || COLUMNS.indexOf(a.field) - COLUMNS.indexOf(b.field))

type Tell = (message: string) => null

const readCode = (
  typed: string,
  line: number,
  firstLines: Map<string, number>,
  terms: RowAnalysisContext,
  tell: Tell,
) => {
  if (typed === '') return null
  const code = normalizeVoucherCode(typed)
  if (!isVoucherCode(code)) return tell(codeFault(code))

  const first = firstLines.get(code)
  if (first !== undefined) return tell(`is given twice, first on line ${first}`)
  firstLines.set(code, line)
  return sealCode(terms.secrets, terms.accountId, code)
}

const codeFault = (code: string) => {
  if (!/^[A-Z0-9]*$/.test(code)) return 'must be letters and digits only'
  return code.length < CODE_LENGTH_MIN ? tooShortMessage(CODE_LENGTH_MIN) : tooLongMessage(CODE_LENGTH_MAX)
}

const readCell = (text: string, currency: string, tell: Tell) => {
  if (text === '') return tell(BLANK_MESSAGE)
  const amount = parsePositiveAmount(text, currency)
  return amount.fault === null ? amount.cents : tell(amount.fault)
}

const readExpiryCell = (text: string, product: ProductOfRow | null, terms: InputContext, tell: Tell) => {
  if (text === '') return product && addMonths(terms.now, product.validityMonths)
  const at = parseExpiry(text, terms.timeZone)
  if (!at) return tell(INVALID_MESSAGE)
  return at > terms.now ? at : tell(MUST_BE_IN_FUTURE_MESSAGE)
}

/** The analysis once the database has said which of its codes are taken, by their digests in hexadecimal. */
export const addTakenCodeFaults = ({ rows, faults }: RowAnalysis, taken: ReadonlySet<string>): RowAnalysis => {
  const told = rows
    .filter(({ code }) => code && taken.has(code.digest.toString('hex')))
    .map(({ line }): RowFault => ({ line, field: 'code', message: TAKEN_MESSAGE }))
  if (told.length === 0) return { rows, faults }
  return { rows, faults: inOrder([...faults, ...told]) }
}

export const validRowsCount = ({ rows, faults }: RowAnalysis) =>
  rows.length - new Set(faults.map(({ line }) => line)).size
