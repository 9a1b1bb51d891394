import type { Question } from '../../admissions/rules.ts'
import { normalizeForComparison } from '../typed-party/rules.ts'
import type { TableRecord } from './read-table.ts'

/** What a column of a table can hold; answers to questions go by `question_ID`. */
export const COLUMN_FIELDS = [
  'customer_name',
  'first_name',
  'last_name',
  'party_size',
  'companions',
  'companion_names',
  'ticket',
  'standing_area',
  'places',
  'delivery_email',
  'staff_note',
  'customer_phone',
  'customer_company',
] as const
export type ColumnField = (typeof COLUMN_FIELDS)[number] | `question_${number}`

export const columnFieldOfQuestion = ({ id }: Pick<Question, 'id'>): ColumnField => `question_${id}`

/** As people call them, in the languages of the houses that we know. */
const HEADINGS: Record<(typeof COLUMN_FIELDS)[number], string> = {
  customer_name:
    'name, full name, guest, guest name, customer, customer name, gast, gastname, vor und nachname, naam, nom, nombre',
  first_name: 'first name, firstname, given name, vorname, prenom, voornaam',
  last_name:
    'last name, lastname, surname, family name, nachname, familienname, nom de famille, achternaam, apellido, apellidos',
  party_size:
    'party size, size, total, people, persons, pax, quantity, qty, number of guests, number of tickets, anzahl, anzahl tickets, anzahl personen, personen, gesamt',
  companions:
    'companions, companion, plus, plus one, plus ones, plus 1, 1, guests of guest, begleitung, begleitungen, begleitperson, begleitpersonen, begleiter',
  companion_names: 'companion names, names of companions, namen der begleitung, begleitung namen, name der begleitung',
  ticket: 'ticket, ticket type, tickets, tickettyp, ticketart, category, kategorie, ticketkategorie',
  standing_area: 'standing area, area, zone, bereich, stehbereich, stehplatzbereich',
  places: 'place, places, seat, seats, platz, platze, sitz, sitze, sitzplatz, sitzplatze, sitznummer',
  delivery_email:
    'email, e mail, mail, email address, e mail address, emailadresse, e mail adresse, mailadresse, courriel',
  staff_note:
    'note, notes, staff note, comment, comments, remark, remarks, notiz, notizen, bemerkung, bemerkungen, kommentar, anmerkung',
  customer_phone:
    'phone, telephone, tel, mobile, phone number, telefon, telefonnummer, handy, handynummer, mobil, mobilnummer',
  customer_company: 'company, organisation, organization, outlet, firma, unternehmen, medium, redaktion, label',
}

const KNOWN = new Map(
  Object.entries(HEADINGS).flatMap(([field, names]) => names.split(', ').map((name) => [name, field as ColumnField])),
)

export interface ColumnGuessContext {
  /** What this account took columns of these names for before. */
  remembered: ReadonlyMap<string, string>
  questions: readonly Question[]
  ticketTitles: readonly string[]
}

/** A heading as it is compared and remembered. */
export const normalizeHeading = (heading: string) =>
  (normalizeForComparison(heading) || heading.trim().toLowerCase()).slice(0, 100)

const fieldOf = (cell: string, { remembered, questions }: ColumnGuessContext): ColumnField | null => {
  const key = normalizeHeading(cell)
  if (key === '') return null
  const before = remembered.get(key)
  if (before !== undefined && isColumnField(before, questions)) return before
  const question = questions.find(({ label }) => normalizeHeading(label) === key)
  return question ? columnFieldOfQuestion(question) : (KNOWN.get(key) ?? null)
}

export const isColumnField = (field: string, questions: readonly Question[]): field is ColumnField =>
  COLUMN_FIELDS.includes(field as (typeof COLUMN_FIELDS)[number]) ||
  questions.some((question) => columnFieldOfQuestion(question) === field)

const LOOKED_AT = 20
const NAMES = new Set<string | null>(['customer_name', 'first_name', 'last_name'])

/** Whether a column tells who comes. */
export const isNameField = (field: string | null) => NAMES.has(field)

/** With one known heading alone: it is the name's, or the cells beside it are words, and it does not come again below. */
const isLoneHead = (records: readonly TableRecord[], at: number, field: ColumnField, knowledge: ColumnGuessContext) => {
  const { cells } = records[at]!
  const column = cells.findIndex((cell) => fieldOf(cell, knowledge) === field)
  const below = records.slice(at + 1, at + 1 + LOOKED_AT)
  if (below.some((record) => normalizeHeading(record.cells[column] ?? '') === normalizeHeading(cells[column]!)))
    return false
  return cells.length === 1 ? isNameField(field) : cells.every((cell) => /\p{L}/u.test(cell) && !/[@\d]/.test(cell))
}

/** Words above numbers or addresses are headings, though nobody knows them. */
const standsAbove = ({ cells }: TableRecord, next: TableRecord | undefined) =>
  cells.length > 1 &&
  cells.every((cell) => /\p{L}/u.test(cell) && !/[@\d]/.test(cell)) &&
  cells.some((_, n) => /^\+?\s?\d+$|^\S+@\S+$/.test(next?.cells[n] ?? ''))

/** Which of the first records is the head of the table: what stands above it is its title. -1: none of them. */
export const findHeaderRow = (records: readonly TableRecord[], knowledge: ColumnGuessContext): number => {
  let best = { at: -1, score: 0 }
  for (const [at, { cells }] of records.slice(0, LOOKED_AT).entries()) {
    const fields = cells.map((cell) => fieldOf(cell, knowledge)).filter((field) => field !== null)
    const isHead = fields.length > 1 || (fields.length === 1 && isLoneHead(records, at, fields[0]!, knowledge))
    if (isHead && fields.length > best.score) best = { at, score: fields.length }
  }
  return best.at >= 0
    ? best.at
    : records.slice(0, LOOKED_AT).findIndex((each, at) => standsAbove(each, records[at + 1]))
}

/** What the columns hold, by their headings; each field once. A name that no heading tells is looked for below. */
export const guessFieldsByHeader = (
  head: readonly string[],
  body: readonly TableRecord[],
  knowledge: ColumnGuessContext,
): (ColumnField | null)[] => {
  const taken = new Set<ColumnField>()
  const guessed = head.map((cell) => {
    const field = fieldOf(cell, knowledge)
    if (field === null || taken.has(field)) return null
    taken.add(field)
    return field
  })
  if (guessed.some((field) => isNameField(field))) return guessed
  const content = guessFieldsByContent(body, knowledge)
  return guessed.map((field, n) => field ?? (content[n] && !taken.has(content[n]) ? content[n] : null))
}

/** The same for a table without a head, by what stands in them: the first words are the name. */
export const guessFieldsByContent = (
  records: readonly TableRecord[],
  { ticketTitles }: ColumnGuessContext,
): (ColumnField | null)[] => {
  const width = Math.max(0, ...records.map(({ cells }) => cells.length))
  const titles = new Set(ticketTitles.map(normalizeForComparison))
  const some = records.slice(0, LOOKED_AT)
  const holds = (column: number, test: (cell: string) => boolean) => {
    const cells = some.map(({ cells }) => cells[column] ?? '').filter((cell) => cell !== '')
    return cells.length > 0 && cells.every(test)
  }
  const taken = new Set<ColumnField>()
  const take = (field: ColumnField) => {
    if (taken.has(field)) return null
    taken.add(field)
    return field
  }
  return Array.from({ length: width }, (_, column) => {
    if (holds(column, (cell) => /^\S+@\S+\.\S+$/.test(cell))) return take('delivery_email')
    if (holds(column, (cell) => /^\+\s?\d{1,2}$/.test(cell))) return take('companions')
    if (holds(column, (cell) => /^\d{1,2}$/.test(cell))) return take('party_size')
    if (holds(column, (cell) => titles.has(normalizeForComparison(cell)))) return take('ticket')
    return holds(column, (cell) => /\p{L}/u.test(cell)) ? take('customer_name') : null
  })
}
