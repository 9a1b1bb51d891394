import { z } from 'zod'
import { unwrappedBody } from '../../http/body.ts'
import { choice, flagWithDefault, optionalInteger, optionalText, rowId } from '../../http/fields.ts'
import { Timestamp, exampleOf, named, showTimestamp, showTimestampOrNull } from '../../http/wire.ts'
import { DELIMITERS, type Delimiter } from './read-table.ts'
import type { GuestImport, StoredImportRow } from './records.ts'
import { GUEST_IMPORT_STATUSES } from './rules.ts'

const Fault = z.object({ line: z.int(), field: z.string(), message: z.string() })

const DELIMITER_NAMES = Object.keys(DELIMITERS) as Delimiter[]

const importFields = {
  id: z.string(),
  status: z.enum(GUEST_IMPORT_STATUSES),
  rows_count: z.int(),
  valid_rows_count: z.int(),
  imported_rows_count: z.int(),
  guests_count: z.int(),
  validation_errors: z.array(Fault),
  warnings: z.array(Fault),
  encoding: z.string().nullable(),
  delimiter: z.enum(DELIMITER_NAMES),
  header_line: z.int().nullable(),
  columns: z.array(
    z.object({ heading: z.string().nullable(), field: z.string().nullable(), samples: z.array(z.string()) }),
  ),
  stock: z.array(
    z.object({
      ticket_id: z.int(),
      ticket_title: z.string(),
      standing_area_id: z.int().nullable(),
      standing_area_name: z.string().nullable(),
      quantity: z.int(),
      available_stock: z.int().nullable(),
    }),
  ),
  failure_message: z.string().nullable(),
  undoable_until: Timestamp.nullable(),
  analyzed_at: Timestamp,
  applied_at: Timestamp.nullable(),
  undone_at: Timestamp.nullable(),
  created_at: Timestamp,
}

const importExample = {
  id: 'Gi4Qz7tXw2LrK9sVc5HnPd',
  status: 'analyzed' as const,
  rows_count: 2,
  valid_rows_count: 1,
  imported_rows_count: 0,
  guests_count: 5,
  validation_errors: [{ line: 3, field: 'delivery_email', message: 'is invalid' }],
  warnings: [{ line: 2, field: 'customer_name', message: 'is on the guest list already' }],
  encoding: 'windows-1252',
  delimiter: 'semicolon' as const,
  header_line: 1,
  columns: [
    { heading: 'Name', field: 'customer_name', samples: ['Zoë Lindqvist', 'Petra Press'] },
    { heading: 'Begleitung', field: 'companions', samples: ['3', '0'] },
    { heading: 'E-Mail', field: 'delivery_email', samples: ['zoe@guest.example', 'petra'] },
  ],
  stock: [
    {
      ticket_id: 6,
      ticket_title: 'General admission',
      standing_area_id: null,
      standing_area_name: null,
      quantity: 5,
      available_stock: 140,
    },
  ],
  failure_message: null,
  undoable_until: null,
  analyzed_at: '2026-11-20T09:00:00.000Z',
  applied_at: null,
  undone_at: null,
  created_at: '2026-11-20T09:00:00.000Z',
}

export const GuestImportOnWire = named('GuestImport', z.object(importFields), importExample)

export const GuestImports = named('GuestImports', z.object({ guest_imports: z.array(GuestImportOnWire) }), {
  guest_imports: [importExample],
})

const Row = named(
  'GuestImportRow',
  z.object({
    line: z.int(),
    customer_name: z.string(),
    party_size: z.int(),
    ticket_id: z.int().nullable(),
    ticket_title: z.string().nullable(),
    standing_area_name: z.string().nullable(),
    place_labels: z.array(z.string()),
    delivery_email: z.string().nullable(),
    staff_note: z.string().nullable(),
    guest_party_id: z.string().nullable(),
  }),
  {
    line: 2,
    customer_name: 'Zoë Lindqvist',
    party_size: 4,
    ticket_id: 6,
    ticket_title: 'General admission',
    standing_area_name: null,
    place_labels: [],
    delivery_email: 'zoe@guest.example',
    staff_note: null,
    guest_party_id: null,
  },
)

export const GuestImportDetail = named('GuestImportDetail', z.object({ ...importFields, rows: z.array(Row) }), {
  ...importExample,
  rows: [exampleOf(Row)!],
})

/**
 * The table as text, or a file as it is in base64. How it is to be read is guessed where it is not said: `columns` are
 * the fields of the columns from left to right, null for one to pass over; a `header_line` of 0 means that there is none.
 * Texts are read as they are: trimming would move the lines, and their size is judged in bytes.
 */
export const GuestImportBody = unwrappedBody(
  z.object({
    csv: z.string().nullish(),
    file: z.string().nullish(),
    encoding: optionalText(40),
    delimiter: choice(DELIMITER_NAMES).optional(),
    header_line: optionalInteger({ least: 0, most: 1_000_000 }),
    columns: z.array(z.string().max(100).nullable()).max(50).nullish(),
    ticket_id: rowId(),
    event_capacity_pool_id: rowId(),
  }),
)

export type GuestImportInput = ReturnType<(typeof GuestImportBody)['read']>

/** Whether the tickets are mailed to those who have an address. */
export const ApplyImportBody = unwrappedBody(z.object({ deliver: flagWithDefault(false) }))

export const showImport = (one: GuestImport): z.output<typeof GuestImportOnWire> => ({
  id: one.publicId,
  status: one.status,
  rows_count: one.rowsCount,
  valid_rows_count: one.validRowsCount,
  imported_rows_count: one.importedRowsCount,
  guests_count: one.guestsCount,
  validation_errors: one.validationErrors,
  warnings: one.warnings,
  ...one.reading,
  stock: one.stock,
  failure_message: one.failureMessage,
  undoable_until: showTimestampOrNull(one.undoableUntil),
  analyzed_at: showTimestamp(one.analyzedAt),
  applied_at: showTimestampOrNull(one.appliedAt),
  undone_at: showTimestampOrNull(one.undoneAt),
  created_at: showTimestamp(one.createdAt),
})

export const showRow = ({ line, party, partyPublicId }: StoredImportRow): z.output<typeof Row> => ({
  line,
  customer_name: party.customer_name,
  party_size: party.party_size,
  ticket_id: party.ticket_id,
  ticket_title: party.ticket_title,
  standing_area_name: party.standing_area_name,
  place_labels: party.place_labels,
  delivery_email: party.delivery_email,
  staff_note: party.staff_note,
  guest_party_id: partyPublicId,
})
