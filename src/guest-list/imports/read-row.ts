import { BLANK_MESSAGE, NOT_A_NUMBER_MESSAGE, NOT_INCLUDED_MESSAGE } from '../../kernel/messages.ts'
import type { TicketRemaining } from '../../inventory/rules.ts'
import { type TicketToName, normalizeForComparison, parseTypedParty } from '../typed-party/rules.ts'
import type { ColumnField } from './columns.ts'
import type { GuestRow, PartyFromRow, RowReadingContext, RowFault } from './rules.ts'

const words = (tickets: readonly TicketRemaining[]): TicketToName[] =>
  tickets.map(({ id, title, areas }) => ({ id, title, standing_areas: areas }))

/** Reads what a row says; what is wrong with it alone is told. */
export const readRow = ({ line, cells }: GuestRow, terms: RowReadingContext, faults: RowFault[]): PartyFromRow => {
  const tell = (field: string, message: string) => void faults.push({ line, field, message })
  const cell = (field: ColumnField) => defused(cells[field] ?? '')
  const { name, typed } = readName(cell, words(terms.tickets))
  const { ticket, areaId } = chooseTicket(cell, terms, typed, tell)
  const places = readPlaces(cell('places'), ticket, tell)
  const companionNames = splitList(cell('companion_names'))
  const size = readSize(cell, { typed: typed.companions, places: places.length, named: companionNames.length }, tell)
  const answers = readAnswers(cells, terms)

  return {
    customer_name: name,
    party_size: size,
    ticket_id: ticket?.id ?? null,
    ticket_title: ticket?.title ?? null,
    event_capacity_pool_id: areaId,
    standing_area_name: ticket?.areas.find(({ id }) => id === areaId)?.name ?? null,
    event_place_ids: places.map(({ id }) => id),
    place_labels: places.map(({ label }) => label),
    delivery_email: cell('delivery_email') || null,
    staff_note: [cell('staff_note'), typed.note].filter(Boolean).join('; ') || null,
    customer_phone: cell('customer_phone') || null,
    customer_company: cell('customer_company') || null,
    attendee_names: Object.fromEntries(companionNames.map((each, n) => [String(n + 1), each])),
    custom_field_answers: answers.order,
    attendee_custom_field_answers: Object.fromEntries(
      Array.from({ length: Math.min(size, 20) }, (_, n) => [String(n), answers.attendee]),
    ),
  }
}

/** What a spreadsheet was kept from taking for a formula. */
const defused = (cell: string) => (/^'[=+\-@]/.test(cell) ? cell.slice(1) : cell)

type Cell = (field: ColumnField) => string
type Tell = (field: string, message: string) => void

const readName = (cell: Cell, tickets: TicketToName[]) => {
  const said = cell('customer_name') || [cell('first_name'), cell('last_name')].filter(Boolean).join(' ')
  // A name at the end that is a ticket's, too, may well be a name.
  const typed = /\+\s*\d/.test(said)
    ? parseTypedParty(said, tickets)
    : { name: said, companions: 0, ticketId: null, areaId: null, note: '' }
  return { name: typed.name, typed }
}

const chooseTicket = (
  cell: Cell,
  { tickets, ticketId: usualId, areaId: usualAreaId }: RowReadingContext,
  typed: { ticketId: number | null; areaId: number | null },
  tell: Tell,
): { ticket: TicketRemaining | null; areaId: number | null } => {
  const byId = (id: number | null) => tickets.find((each) => each.id === id) ?? null
  const wanted = normalizeForComparison(cell('ticket'))
  const area = normalizeForComparison(cell('standing_area'))
  let ticket = byId(typed.ticketId)
  let areaId = typed.areaId

  if (wanted !== '') {
    ticket = tickets.find(({ title }) => normalizeForComparison(title) === wanted) ?? null
    if (!ticket) tell('ticket', NOT_INCLUDED_MESSAGE)
  } else if (!ticket) {
    const ofArea = tickets.filter(
      ({ areas }) => area !== '' && areas.some(({ name }) => normalizeForComparison(name) === area),
    )
    ticket = byId(usualId) ?? (ofArea.length === 1 ? ofArea[0]! : null) ?? (tickets.length === 1 ? tickets[0]! : null)
    if (!ticket) tell('ticket', BLANK_MESSAGE)
  }
  if (ticket && area !== '') {
    areaId = ticket.areas.find(({ name }) => normalizeForComparison(name) === area)?.id ?? null
    if (areaId === null) tell('standing_area', NOT_INCLUDED_MESSAGE)
  } else if (ticket?.id === usualId) areaId ??= usualAreaId
  if (ticket?.inventoryKind === 'standing' && areaId === null && ticket.areas.length === 1) areaId = ticket.areas[0]!.id
  return { ticket, areaId }
}

const splitList = (text: string) =>
  text
    .split(/[;,|/\n]| und | and | & /)
    .map((each) => each.trim())
    .filter(Boolean)

const readPlaces = (text: string, ticket: TicketRemaining | null, tell: Tell) => {
  const wanted = splitList(text)
  if (wanted.length === 0 || !ticket) return []
  const byName = new Map(
    ticket.places.flatMap((place) => [place.key, place.label].map((name) => [normalizeForComparison(name), place])),
  )
  const found = wanted.flatMap((name) => byName.get(normalizeForComparison(name)) ?? [])
  if (found.length < wanted.length) tell('places', 'names a place that is not free')
  return found
}

const YES = new Set(['x', 'yes', 'y', 'ja', 'j', 'oui', 'si', 'true', '1'])
const NO = new Set(['', 'no', 'n', 'nein', 'non', 'false', '0', '-', '–'])

const readSize = (
  cell: Cell,
  { typed, places, named }: { typed: number; places: number; named: number },
  tell: Tell,
): number => {
  const read = (field: 'party_size' | 'companions'): number | null => {
    const text = cell(field).toLowerCase()
    const count = /^\+?\s*(\d{1,6})(?:[.,]0+)?$/.exec(text)?.[1]
    if (count !== undefined) return Number(count)
    if (field === 'companions' && YES.has(text)) return 1
    if (!NO.has(text)) tell(field, NOT_A_NUMBER_MESSAGE)
    return null
  }
  const size = read('party_size')
  const companions = read('companions')
  if (size !== null) return size
  if (companions !== null) return companions + 1
  return places || Math.max(typed, named) + 1
}

const readAnswers = (cells: GuestRow['cells'], { questions }: RowReadingContext) => {
  const order: Record<string, unknown> = {}
  const attendee: Record<string, unknown> = {}
  for (const question of questions) {
    const text = defused(cells[`question_${question.id}`] ?? '')
    if (text === '') continue
    const value =
      question.type === 'checkbox'
        ? (checkboxOf(text) ?? text)
        : question.type === 'multi_select'
          ? splitList(text)
          : text
    ;(question.scope === 'order' ? order : attendee)[question.id] = value
  }
  return { order, attendee }
}

const checkboxOf = (text: string): boolean | null => {
  if (YES.has(text.toLowerCase())) return true
  return NO.has(text.toLowerCase()) ? false : null
}
