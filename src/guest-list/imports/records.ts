import { sql } from 'kysely'
import type { Rows, Tx } from '../../access/scopes.ts'
import type { Database } from '../../database/database.ts'
import type { Delimiter } from './read-table.ts'
import type { GuestImportStatus, PartyFromRow, RowFault } from './rules.ts'
import type { SimulatedClaim } from './take-stock.ts'

/** How a file was read. */
export interface FileInterpretation {
  encoding: string | null
  delimiter: Delimiter
  header_line: number | null
  columns: { heading: string | null; field: string | null; samples: string[] }[]
}

export interface GuestImport {
  id: number
  publicId: string
  status: GuestImportStatus
  rowsCount: number
  validRowsCount: number
  importedRowsCount: number
  guestsCount: number
  validationErrors: RowFault[]
  warnings: RowFault[]
  reading: FileInterpretation
  stock: SimulatedClaim[]
  failureMessage: string | null
  submission: number
  analyzedAt: Date
  appliedAt: Date | null
  undoneAt: Date | null
  undoableUntil: Date | null
  createdAt: Date
}

const COLUMNS = sql`
  id, public_id as "publicId", status, rows_count as "rowsCount", valid_rows_count as "validRowsCount",
  imported_rows_count as "importedRowsCount", guests_count as "guestsCount",
  validation_errors as "validationErrors", warnings, reading, stock, failure_message as "failureMessage", submission,
  analyzed_at as "analyzedAt", applied_at as "appliedAt", undone_at as "undoneAt",
  case when status = 'applied' and applied_at > foyer_now() - interval '1 day'
    then applied_at + interval '1 day' end as "undoableUntil",
  created_at as "createdAt"`

const LISTED_MAX = 50

export const findImports = async (rows: Rows, eventId: number): Promise<GuestImport[]> => {
  const { rows: imports } = await sql<GuestImport>`
    select ${COLUMNS} from guest_imports where account_id = ${rows.accountId} and event_id = ${eventId}
    order by created_at desc, id desc limit ${LISTED_MAX}`.execute(rows.db)
  return imports
}

export const findImport = async (rows: Rows, eventId: number, publicId: string): Promise<GuestImport | undefined> => {
  const { rows: imports } = await sql<GuestImport>`
    select ${COLUMNS} from guest_imports
    where account_id = ${rows.accountId} and event_id = ${eventId} and public_id = ${publicId}`.execute(rows.db)
  return imports[0]
}

/** The same for whoever takes it back: nobody else does at the same time. */
export const lockImport = async (tx: Tx, eventId: number, publicId: string): Promise<GuestImport | undefined> => {
  const { rows: imports } = await sql<GuestImport>`
    select ${COLUMNS} from guest_imports
    where account_id = ${tx.accountId} and event_id = ${eventId} and public_id = ${publicId} for update`.execute(tx.db)
  return imports[0]
}

export interface StoredImportRow {
  line: number
  party: PartyFromRow
  /** The party it has become. */
  partyPublicId: string | null
}

export const findImportRows = async (rows: Rows, importId: number): Promise<StoredImportRow[]> => {
  const { rows: stored } = await sql<StoredImportRow>`
    select r.line, r.party, o.public_id as "partyPublicId"
    from guest_import_rows r left join orders o on o.account_id = r.account_id and o.id = r.order_id
    where r.account_id = ${rows.accountId} and r.import_id = ${importId} order by r.line`.execute(rows.db)
  return stored
}

/** The names of those who are on the list. */
export const findListedNames = async (rows: Rows, eventId: number): Promise<string[]> => {
  const { rows: parties } = await sql<{ name: string }>`
    select distinct o.customer_name as name from orders o
    where o.account_id = ${rows.accountId} and o.event_id = ${eventId} and o.origin = 'guest_list' and o.status = 'paid'
  `.execute(rows.db)
  return parties.map(({ name }) => name)
}

export interface NewImport {
  publicId: string
  rows: { line: number; party: PartyFromRow }[]
  validRowsCount: number
  guestsCount: number
  faults: RowFault[]
  warnings: RowFault[]
  reading: FileInterpretation
  stock: SimulatedClaim[]
}

export const insertImport = async (tx: Tx, eventId: number, made: NewImport): Promise<GuestImport> => {
  const { rows: imports } = await sql<GuestImport>`
    insert into guest_imports (account_id, event_id, public_id, rows_count, valid_rows_count, guests_count,
      validation_errors, warnings, reading, stock)
    values (${tx.accountId}, ${eventId}, ${made.publicId}, ${made.rows.length}, ${made.validRowsCount},
      ${made.guestsCount}, ${JSON.stringify(made.faults)}::jsonb, ${JSON.stringify(made.warnings)}::jsonb,
      ${JSON.stringify(made.reading)}::jsonb, ${JSON.stringify(made.stock)}::jsonb)
    returning ${COLUMNS}`.execute(tx.db)
  const stored = imports[0]!
  await sql`
    insert into guest_import_rows (account_id, import_id, line, party)
    select ${tx.accountId}, ${stored.id}, given.line, given.party
    from json_to_recordset(${JSON.stringify(made.rows)}::json) as given (line int, party jsonb)`.execute(tx.db)
  return stored
}

export interface Submitter {
  personId: number
  name: string
}

/** Takes an import for application, if it may be: nothing is wrong with it, and nobody is at it within the hour. */
export const claimImport = async (
  tx: Tx,
  eventId: number,
  publicId: string,
  { delivers, by }: { delivers: boolean; by: Submitter },
): Promise<GuestImport | undefined> => {
  const { rows } = await sql<GuestImport>`
    update guest_imports
    set status = 'applying', applying_since = foyer_now(), submission = submission + 1, delivers = ${delivers},
      applied_by_id = ${by.personId}, applied_by = ${by.name}
    where account_id = ${tx.accountId} and event_id = ${eventId} and public_id = ${publicId} and validation_errors = '[]'
      and (status = 'analyzed' or (status = 'applying' and applying_since <= foyer_now() - interval '1 hour'))
    returning ${COLUMNS}`.execute(tx.db)
  return rows[0]
}

export interface SubmittedImport {
  eventId: number
  eventSlug: string
  delivers: boolean
  personId: number | null
  name: string | null
}

/** The import a job was started for, locked; undefined when it was finished or submitted again meanwhile. */
export const lockSubmission = async (tx: Tx, id: number, submission: number): Promise<SubmittedImport | undefined> => {
  const { rows } = await sql<SubmittedImport>`
    select i.event_id as "eventId", e.slug as "eventSlug", i.delivers, i.applied_by_id as "personId", i.applied_by as name
    from guest_imports i join events e on e.account_id = i.account_id and e.id = i.event_id
    where i.account_id = ${tx.accountId} and i.id = ${id} and i.status = 'applying' and i.submission = ${submission}
    for update of i`.execute(tx.db)
  return rows[0]
}

export const recordImportApplied = async (
  tx: Tx,
  id: number,
  orders: { line: number; orderId: number }[],
): Promise<void> => {
  // Found by the key itself, whatever the planner believes of a table that was filled a moment ago.
  await sql`
    insert into guest_import_rows (account_id, import_id, line, party, order_id)
    select ${tx.accountId}, ${id}, given.line, '{}', given."orderId"
    from json_to_recordset(${JSON.stringify(orders)}::json) as given (line int, "orderId" bigint)
    on conflict (account_id, import_id, line) do update set order_id = excluded.order_id`.execute(tx.db)
  await sql`
    update guest_imports set status = 'applied', imported_rows_count = rows_count, applied_at = foyer_now()
    where account_id = ${tx.accountId} and id = ${id}`.execute(tx.db)
}

export const recordImportFailed = async (tx: Tx, id: number, submission: number, message: string): Promise<void> => {
  await sql`
    update guest_imports set status = 'failed', failure_message = ${message}
    where account_id = ${tx.accountId} and id = ${id} and status = 'applying' and submission = ${submission}`.execute(
    tx.db,
  )
}

export const recordImportUndone = async (tx: Tx, id: number): Promise<GuestImport> => {
  const { rows } = await sql<GuestImport>`
    update guest_imports set status = 'undone', imported_rows_count = 0, undone_at = foyer_now()
    where account_id = ${tx.accountId} and id = ${id}
    returning ${COLUMNS}`.execute(tx.db)
  return rows[0]!
}

export interface UndoObstacles {
  cameIn: number
  cancelled: number
  changed: number
}

/** What has become of the parties since, each counted once; they stay as they are until the transaction ends. */
export const lockImportedParties = async (
  tx: Tx,
  eventId: number,
  importId: number,
): Promise<{ orderIds: number[]; hindrances: UndoObstacles }> => {
  const { rows: imported } = await sql<{ id: number }>`
    select order_id as id from guest_import_rows
    where account_id = ${tx.accountId} and import_id = ${importId} and order_id is not null`.execute(tx.db)
  const orderIds = imported.map(({ id }) => id)
  const { rows: orders } = await sql<{ id: number; isLive: boolean; isChanged: boolean }>`
    select o.id, o.status = 'paid' as "isLive", o.updated_at <> o.created_at as "isChanged"
    from orders o where o.account_id = ${tx.accountId} and o.id = any (${orderIds}::bigint[])
    order by o.id for no key update of o`.execute(tx.db)
  const { rows: admissions } = await sql<{ orderId: number; cameIn: boolean; isLive: boolean; isChanged: boolean }>`
    select a.order_id as "orderId", a.redeemed_at is not null or a.ended_entries > 0 as "cameIn",
      a.status = 'active' as "isLive", a.updated_at <> a.created_at as "isChanged"
    from admissions a
    where a.account_id = ${tx.accountId} and a.event_id = ${eventId} and a.order_id = any (${orderIds}::bigint[])
    order by a.id for no key update of a`.execute(tx.db)

  const among = (test: (row: { cameIn?: boolean; isLive: boolean; isChanged: boolean }) => boolean | undefined) =>
    new Set([...orders.filter(test).map(({ id }) => id), ...admissions.filter(test).map(({ orderId }) => orderId)])
  const cameIn = among((row) => row.cameIn)
  const cancelled = among(({ isLive }) => !isLive).difference(cameIn)
  const changed = among(({ isChanged }) => isChanged)
    .difference(cameIn)
    .difference(cancelled)
  return { orderIds, hindrances: { cameIn: cameIn.size, cancelled: cancelled.size, changed: changed.size } }
}

/** What columns of these names were taken for before. */
export const findRememberedHeadings = async (rows: Rows): Promise<Map<string, string>> => {
  const { rows: headings } = await sql<{ heading: string; field: string }>`
    select heading, field from guest_import_headings where account_id = ${rows.accountId}`.execute(rows.db)
  return new Map(headings.map(({ heading, field }) => [heading, field]))
}

const HEADINGS_MAX = 500

/** Remembers them, and of all the newest only. */
export const recordHeadings = async (tx: Tx, headings: { heading: string; field: string }[]): Promise<void> => {
  if (headings.length === 0) return
  await sql`
    insert into guest_import_headings (account_id, heading, field)
    select ${tx.accountId}, given.heading, given.field
    from json_to_recordset(${JSON.stringify(headings)}::json) as given (heading text, field text)
    order by given.heading
    on conflict (account_id, heading) do update set field = excluded.field, used_at = foyer_now()`.execute(tx.db)
  await sql`
    delete from guest_import_headings h
    where h.account_id = ${tx.accountId} and h.heading in (
      select o.heading from guest_import_headings o where o.account_id = ${tx.accountId}
      order by o.used_at desc, o.heading offset ${HEADINGS_MAX})`.execute(tx.db)
}

/** Names and addresses are not kept for longer than somebody may need them: a day, or where they became guests a month. */
export const deleteOldImports = async ({ kysely }: Database): Promise<void> => {
  await sql`
    delete from guest_imports
    where created_at < foyer_now() - interval '1 day'
      and (status in ('analyzed', 'failed') or created_at < foyer_now() - interval '30 days')`.execute(kysely)
}

/** The planner finds out by itself that there are so many more, but only after a minute or two. */
export const refreshImportStatistics = async ({ kysely }: Database): Promise<void> => {
  await sql`analyze orders, admissions, guest_import_rows`.execute(kysely)
}
