import type { EventScope, Rows } from '../../access/scopes.ts'
import type { NewOrder } from '../../admissions/issue-order.ts'
import type { Question } from '../../admissions/rules.ts'
import { type OrderPreconditions, findQuestions, findOrderPreconditions } from '../../admissions/terms/records.ts'
import { countRemaining } from '../../inventory/remaining/records.ts'
import type { TicketRemaining } from '../../inventory/rules.ts'
import { BLANK_MESSAGE, INVALID_MESSAGE, NOT_INCLUDED_MESSAGE, DUPLICATE_ENTRY_MESSAGE } from '../../kernel/messages.ts'
import { newPublicId } from '../../kernel/public-ids.ts'
import { Invalid } from '../../kernel/refusals.ts'
import {
  isNameField,
  type ColumnField,
  type ColumnGuessContext,
  findHeaderRow,
  guessFieldsByContent,
  guessFieldsByHeader,
  normalizeHeading,
  isColumnField,
} from './columns.ts'
import { type DecodedFile, decodeFile, canonicalEncodingName } from './decode-file.ts'
import { FileFault } from './file-fault.ts'
import { readRow } from './read-row.ts'
import { DELIMITERS, type TableRecord, guessDelimiter, readTable } from './read-table.ts'
import {
  type GuestImport,
  type FileInterpretation,
  findRememberedHeadings,
  findListedNames,
  insertImport,
  recordHeadings,
} from './records.ts'
import {
  FILE_BYTES_MAX,
  type GuestRow,
  ROWS_MAX,
  type PartyFromRow,
  type RowFault,
  findDuplicateNames,
  sortFaults,
  validateImportedParty,
} from './rules.ts'
import { simulateClaims } from './take-stock.ts'
import type { GuestImportInput } from './wire.ts'

/** Reads a table, judges every row by the rules of a party that is added by hand, and keeps it; nobody is added yet. */
export const analyzeImport = (event: EventScope, input: GuestImportInput): Promise<GuestImport> =>
  event.transaction(async (tx) => {
    const field = input.file ? 'file' : 'csv'
    const { text, encoding } = tellFault(field, () => readText(input))
    const questions = await findQuestions(tx, event.event.id)
    const tickets = await findGuestTickets(tx, event.event.id)
    const ticketTitles = tickets.map(({ title }) => title)
    const knowledge = { questions, ticketTitles, remembered: await findRememberedHeadings(tx) }
    const { rows, reading } = tellFault(field, () => openTable(text, input, knowledge))
    event.note?.add({ rows: rows.length })
    if (input.columns) await recordHeadings(tx, headingsOf(reading))

    const usual = chooseUsual(input, tickets)
    const { actor } = event
    const judged = await judgeRows(tx, rows, { eventId: event.event.id, actor, tickets, questions, ...usual })
    const faults = sortFaults([...missingColumn(reading), ...judged.faults])
    return insertImport(tx, event.event.id, {
      publicId: newPublicId(),
      rows: judged.rows,
      validRowsCount:
        missingColumn(reading).length > 0 ? 0 : rows.length - new Set(faults.map(({ line }) => line)).size,
      guestsCount: judged.rows.reduce((sum, { party }) => sum + (party.event_place_ids.length || party.party_size), 0),
      faults,
      warnings: findDuplicateNames(judged.rows, await findListedNames(tx, event.event.id)),
      reading: { ...reading, encoding },
      stock: judged.stock,
    })
  })

/** What parties can be made of. */
const findGuestTickets = async (rows: Rows, eventId: number): Promise<TicketRemaining[]> =>
  (await countRemaining(rows, eventId, true)).filter(({ kind }) => kind === 'StandardTicket')

const readText = ({ csv, file, encoding }: GuestImportInput): { text: string; encoding: string | null } => {
  const known = encoding === null ? null : canonicalEncodingName(encoding)
  if (encoding !== null && known === null) throw new Invalid({ encoding: [NOT_INCLUDED_MESSAGE] })
  const { text, ...read } = file ? readFile(file, known) : { text: csv ?? '', encoding: null }
  if (!text.isWellFormed() || text.includes('\0')) throw new FileFault(INVALID_MESSAGE)
  if (text.trim() === '') throw new FileFault(BLANK_MESSAGE)
  if (Buffer.byteLength(text) > 2 * FILE_BYTES_MAX || (!file && Buffer.byteLength(text) > FILE_BYTES_MAX))
    throw tooLarge()
  return { text, encoding: read.encoding }
}

const tooLarge = () => new FileFault('is too large (maximum is 5 MiB)')

const readFile = (base64: string, encoding: string | null): DecodedFile => {
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(base64)) throw new FileFault('is not written in base64')
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > FILE_BYTES_MAX) throw tooLarge()
  return decodeFile(bytes, encoding)
}

const tellFault = <T>(field: 'csv' | 'file', work: () => T): T => {
  try {
    return work()
  } catch (error) {
    if (error instanceof FileFault) throw new Invalid({ [field]: [error.message] })
    throw error
  }
}

interface Table {
  rows: GuestRow[]
  reading: Omit<FileInterpretation, 'encoding'>
}

/** More than these above a table are no title any more. */
const TITLE_RECORDS_MAX = 50

const openTable = (text: string, input: GuestImportInput, knowledge: ColumnGuessContext): Table => {
  const delimiter = input.delimiter ?? guessDelimiter(text)
  const records: TableRecord[] = []
  for (const record of readTable(text, DELIMITERS[delimiter])) {
    records.push(record)
    if (records.length > ROWS_MAX + TITLE_RECORDS_MAX) throw tooManyRows()
  }
  if (records.length === 0) throw new FileFault(BLANK_MESSAGE)

  const at = headOf(records, input, knowledge)
  const head = at < 0 ? null : records[at]!
  const body = at < 0 ? withoutTitle(records) : records.slice(at + 1)
  if (body.length === 0) throw new FileFault('has no rows')
  if (body.length > ROWS_MAX) throw tooManyRows()

  const guessed = head ? guessFieldsByHeader(head.cells, body, knowledge) : guessFieldsByContent(body, knowledge)
  const width = Math.max(guessed.length, ...body.map(({ cells }) => cells.length))
  const given = input.columns ? readColumns(input.columns, knowledge.questions) : guessed
  const columns = Array.from({ length: width }, (_, n) => given[n] ?? null)
  return {
    rows: body.map(({ line, cells }) => ({
      line,
      cells: Object.fromEntries(columns.flatMap((field, n) => (field && cells[n] ? [[field, cells[n]]] : []))),
    })),
    reading: {
      delimiter,
      header_line: head?.line ?? null,
      columns: columns.map((field, n) => ({
        heading: head ? (head.cells[n] ?? '').slice(0, 255) || null : null,
        field,
        samples: samplesOf(body, n),
      })),
    },
  }
}

const tooManyRows = () => new FileFault(`has too many rows (maximum is ${ROWS_MAX} rows)`)

const headOf = (
  records: TableRecord[],
  { header_line: said }: GuestImportInput,
  knowledge: ColumnGuessContext,
): number => {
  if (said === null) return findHeaderRow(records, knowledge)
  if (said === 0) return -1
  const at = records.findIndex(({ line }) => line === said)
  if (at < 0) throw new Invalid({ header_line: [NOT_INCLUDED_MESSAGE] })
  return at
}

/** Without a head, single words above a table of several columns are its title. */
const withoutTitle = (records: TableRecord[]): TableRecord[] => {
  const filled = ({ cells }: TableRecord) => cells.filter((cell) => cell !== '').length
  const wide = records.filter((record) => filled(record) > 1).length > records.length / 2
  const start = wide ? records.findIndex((record) => filled(record) > 1) : 0
  return records.slice(start)
}

const readColumns = (given: readonly (string | null)[], questions: readonly Question[]): (ColumnField | null)[] => {
  const columns = given.map((field) => {
    if (field === null || field === '') return null
    if (!isColumnField(field, questions)) throw new Invalid({ columns: [NOT_INCLUDED_MESSAGE] })
    return field
  })
  const named = columns.filter((field) => field !== null)
  if (new Set(named).size < named.length) throw new Invalid({ columns: [DUPLICATE_ENTRY_MESSAGE] })
  return columns
}

const samplesOf = (body: TableRecord[], column: number): string[] => {
  const samples: string[] = []
  for (const { cells } of body) {
    const cell = cells[column]
    if (cell) samples.push(cell.slice(0, 80))
    if (samples.length === 3) break
  }
  return samples.map((sample) => sample.toWellFormed())
}

const headingsOf = ({ columns }: Pick<FileInterpretation, 'columns'>) => {
  const known = columns.flatMap(({ heading, field }) => {
    const key = heading === null ? '' : normalizeHeading(heading)
    return key !== '' && field !== null ? [[key, { heading: key, field }] as const] : []
  })
  return [...new Map(known).values()]
}

/** Said once for the whole table, and not for each of its rows. */
const missingColumn = ({ columns, header_line }: Omit<FileInterpretation, 'encoding'>): RowFault[] => {
  if (columns.some(({ field }) => isNameField(field))) return []
  return [{ line: header_line ?? 1, field: 'customer_name', message: 'has no column' }]
}

const chooseUsual = (
  { ticket_id: ticketId, event_capacity_pool_id: areaId }: GuestImportInput,
  tickets: readonly TicketRemaining[],
) => {
  const ticket = ticketId === null ? null : tickets.find(({ id }) => id === ticketId)
  if (ticket === undefined) throw new Invalid({ ticket_id: [NOT_INCLUDED_MESSAGE] })
  if (areaId !== null && !ticket?.areas.some(({ id }) => id === areaId))
    throw new Invalid({ event_capacity_pool_id: [NOT_INCLUDED_MESSAGE] })
  return { ticketId, areaId }
}

interface Judging {
  eventId: number
  actor: EventScope['actor']
  tickets: readonly TicketRemaining[]
  questions: readonly Question[]
  ticketId: number | null
  areaId: number | null
}

const judgeRows = async (rows: Rows, given: readonly GuestRow[], judging: Judging) => {
  const faults: RowFault[] = []
  const read = given.map((row) => ({ line: row.line, party: readRow(row, judging, faults) }))
  const hasNames = given.some(({ cells }) => cells.customer_name ?? cells.first_name ?? cells.last_name)
  // Without a column of names every row would say the same.
  if (!hasNames) return { rows: read, faults: [], stock: [] }
  const terms = { ...judging, termsOf: await findPreconditionsByTicket(rows, judging.eventId, read) }
  for (const { line, party } of read) validateImportedParty(party, line, terms, faults)
  const faulty = new Set(faults.map(({ line }) => line))
  const stock = simulateClaims(
    read.filter(({ line }) => !faulty.has(line)),
    judging.tickets,
    faults,
  )
  return { rows: read, faults, stock }
}

/** What the parties of each ticket are judged by. */
export const findPreconditionsByTicket = async (
  rows: Rows,
  eventId: number,
  read: readonly { party: PartyFromRow }[],
): Promise<Map<number, OrderPreconditions>> => {
  const placesOf = new Map<number, number[]>()
  for (const { party } of read) {
    if (party.ticket_id === null) continue
    const placeIds = placesOf.get(party.ticket_id) ?? []
    placeIds.push(...party.event_place_ids)
    placesOf.set(party.ticket_id, placeIds)
  }
  const terms = new Map<number, OrderPreconditions>()
  for (const [ticketId, placeIds] of placesOf)
    terms.set(ticketId, await findOrderPreconditions(rows, eventId, { ticketId, placeIds }))
  return terms
}

/** The parties as they will be written, or what has become wrong with one of them since. */
export const revalidateParties = async (
  rows: Rows,
  eventId: number,
  read: readonly { line: number; party: PartyFromRow }[],
  actor: { personId: number; name: string; email: string },
): Promise<{ orders: NewOrder[]; fault: RowFault | null }> => {
  const termsOf = await findPreconditionsByTicket(rows, eventId, read)
  const faults: RowFault[] = []
  const orders = read.flatMap(
    ({ line, party }) => validateImportedParty(party, line, { termsOf, eventId, actor }, faults) ?? [],
  )
  return { orders, fault: faults[0] ?? null }
}
