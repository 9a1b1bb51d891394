import type { OrderPreconditions } from '../../admissions/terms/records.ts'
import type { NewOrder } from '../../admissions/issue-order.ts'
import type { Question } from '../../admissions/rules.ts'
import type { TicketRemaining } from '../../inventory/rules.ts'
import { Invalid } from '../../kernel/refusals.ts'
import { validateParty } from '../create-party.ts'
import { NewParty } from '../inputs.ts'
import { normalizeForComparison } from '../typed-party/rules.ts'
import { COLUMN_FIELDS, type ColumnField } from './columns.ts'

export const FILE_BYTES_MAX = 5 * 1024 * 1024
export const ROWS_MAX = 5000

export const GUEST_IMPORT_STATUSES = ['analyzed', 'applying', 'applied', 'failed', 'undone'] as const
export type GuestImportStatus = (typeof GUEST_IMPORT_STATUSES)[number]

export interface RowFault {
  line: number
  field: string
  message: string
}

export interface GuestRow {
  line: number
  cells: Partial<Record<ColumnField, string>>
}

/** A row in the words of a new party, with names beside the IDs for whoever looks at it. */
export interface PartyFromRow {
  customer_name: string
  party_size: number
  ticket_id: number | null
  ticket_title: string | null
  event_capacity_pool_id: number | null
  standing_area_name: string | null
  event_place_ids: number[]
  place_labels: string[]
  delivery_email: string | null
  staff_note: string | null
  customer_phone: string | null
  customer_company: string | null
  attendee_names: Record<string, string>
  custom_field_answers: Record<string, unknown>
  attendee_custom_field_answers: Record<string, Record<string, unknown>>
}

/** What the rows of a file are read by. */
export interface RowReadingContext {
  /** Those that parties can be made of. */
  tickets: readonly TicketRemaining[]
  questions: readonly Question[]
  /** For rows that name none. */
  ticketId: number | null
  areaId: number | null
}

/** What they are judged by. */
export interface PartyValidationContext {
  termsOf: ReadonlyMap<number, OrderPreconditions>
  eventId: number
  actor: { personId: number; name: string; email: string }
}

/** The column that a field of the API is told at. */
const COLUMN_OF: Record<string, string> = {
  ticket_id: 'ticket',
  event_place_ids: 'places',
  event_capacity_pool_id: 'standing_area',
  attendee_names: 'companion_names',
  custom_field_answers: 'questions',
  attendee_custom_field_answers: 'questions',
}

/** The party as it will be written, by the rules of one that is added by hand; or null, and the faults are told. */
export const validateImportedParty = (
  party: PartyFromRow,
  line: number,
  { termsOf, eventId, actor }: PartyValidationContext,
  faults: RowFault[],
): NewOrder | null => {
  try {
    const input = NewParty.read({ guest_party: party })
    const terms = party.ticket_id === null ? undefined : termsOf.get(party.ticket_id)
    if (!terms) return null
    return validateParty(terms, eventId, actor, input)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    const told = new Set(faults.filter((fault) => fault.line === line).map(({ field }) => field))
    for (const [field, messages] of Object.entries(error.errors)) {
      const column = COLUMN_OF[field] ?? field
      if (!told.has(column)) for (const message of messages) faults.push({ line, field: column, message })
    }
    return null
  }
}

/** Rows under a name that was read before, or that is on the list: no fault, but somebody should look. */
export const findDuplicateNames = (
  rows: readonly { line: number; party: PartyFromRow }[],
  listed: readonly string[],
): RowFault[] => {
  const onList = new Set(listed.map(normalizeForComparison))
  const lines = new Map<string, number>()
  const warnings: RowFault[] = []
  for (const { line, party } of rows) {
    const name = normalizeForComparison(party.customer_name)
    if (name === '') continue
    const first = lines.get(name)
    if (first !== undefined) warnings.push({ line, field: 'customer_name', message: `is the same as on line ${first}` })
    else if (onList.has(name)) warnings.push({ line, field: 'customer_name', message: 'is on the guest list already' })
    lines.set(name, first ?? line)
  }
  return warnings
}

/** As the file is read: line by line, and in each as its fields are documented. */
export const sortFaults = (faults: readonly RowFault[]) =>
  faults.toSorted((a, b) => a.line - b.line || orderOf(a.field) - orderOf(b.field))

const orderOf = (field: string) => (COLUMN_FIELDS as readonly string[]).indexOf(field)
