import { sql } from 'kysely'
import type { Rows, Tx } from '../../access/scopes.ts'
import type { ImportRow, ImportStatus, ProductOfRow, RowFault } from './rules.ts'

export interface StoredImport {
  id: number
  publicId: string
  status: ImportStatus
  rowsCount: number
  validRowsCount: number
  importedRowsCount: number
  validationErrors: RowFault[]
  failureMessage: string | null
  submission: number
  analyzedAt: Date
  appliedAt: Date | null
  createdAt: Date
}

const COLUMNS = sql`
  id, public_id as "publicId", status, rows_count as "rowsCount", valid_rows_count as "validRowsCount",
  imported_rows_count as "importedRowsCount", validation_errors as "validationErrors",
  failure_message as "failureMessage", submission, analyzed_at as "analyzedAt", applied_at as "appliedAt",
  created_at as "createdAt"`

const LISTED_MAX = 200

export const findImports = async (rows: Rows): Promise<StoredImport[]> => {
  const { rows: imports } = await sql<StoredImport>`
    select ${COLUMNS} from voucher_imports where account_id = ${rows.accountId}
    order by created_at desc, id desc limit ${LISTED_MAX}`.execute(rows.db)
  return imports
}

export const findImport = async (rows: Rows, publicId: string): Promise<StoredImport | undefined> => {
  const { rows: imports } = await sql<StoredImport>`
    select ${COLUMNS} from voucher_imports
    where account_id = ${rows.accountId} and public_id = ${publicId}`.execute(rows.db)
  return imports[0]
}

export interface PreviewRow {
  line: number
  codeSuffix: string | null
  amountCents: number | null
  expiresAt: Date | null
  note: string | null
  productPublicId: string | null
  productName: string | null
}

export const findPreviewRows = async (rows: Rows, importId: number): Promise<PreviewRow[]> => {
  const { rows: preview } = await sql<PreviewRow>`
    select r.line, r.code_suffix as "codeSuffix", r.amount_cents as "amountCents", r.expires_at as "expiresAt", r.note,
      p.public_id as "productPublicId", p.name as "productName"
    from voucher_import_rows r
    left join voucher_products p on p.account_id = r.account_id and p.id = r.product_id
    where r.account_id = ${rows.accountId} and r.import_id = ${importId} order by r.line`.execute(rows.db)
  return preview
}

type FoundProduct = ProductOfRow & { publicId: string }

/** The products that rows name, and the time it is. */
export const findProductsAndTime = async (
  rows: Rows,
  publicIds: string[],
): Promise<{ now: Date; products: Map<string, ProductOfRow> }> => {
  const { rows: found } = await sql<
    { now: Date } & (FoundProduct | { id: null; publicId: null; validityMonths: null })
  >`
    select foyer_now() as now, p.id, p.public_id as "publicId", p.validity_months as "validityMonths"
    from (select) as one left join voucher_products p
      on p.account_id = ${rows.accountId} and p.public_id = any(${publicIds}::text[])`.execute(rows.db)
  const known = found.flatMap(({ id, publicId, validityMonths }): [string, ProductOfRow][] =>
    id === null ? [] : [[publicId, { id, validityMonths }]],
  )
  return { now: found[0]!.now, products: new Map(known) }
}

/** Which of these codes open a voucher already: their digests, in hexadecimal. */
export const findTakenCodeDigests = async (rows: Rows, digests: Buffer[]): Promise<Set<string>> => {
  if (digests.length === 0) return new Set()
  const { rows: taken } = await sql<{ digest: string }>`
    select encode(code_digest, 'hex') as digest from vouchers
    where account_id = ${rows.accountId} and code_digest = any(${digests}::bytea[])`.execute(rows.db)
  return new Set(taken.map(({ digest }) => digest))
}

export interface NewImport {
  publicId: string
  validRowsCount: number
  rows: ImportRow[]
  faults: RowFault[]
}

export const insertImport = async (
  tx: Tx,
  { publicId, validRowsCount, rows, faults }: NewImport,
): Promise<StoredImport> => {
  const { rows: imports } = await sql<StoredImport>`
    insert into voucher_imports (account_id, public_id, rows_count, valid_rows_count, validation_errors)
    values (${tx.accountId}, ${publicId}, ${rows.length}, ${validRowsCount}, ${JSON.stringify(faults)}::jsonb)
    returning ${COLUMNS}`.execute(tx.db)
  const made = imports[0]!

  await sql`
    insert into voucher_import_rows (account_id, import_id, line, code_digest, code_sealed, code_suffix, amount_cents,
      expires_at, note, product_id)
    select ${tx.accountId}, ${made.id}, given.* from unnest(
      ${rows.map(({ line }) => line)}::int[],
      ${rows.map(({ code }) => code?.digest ?? null)}::bytea[],
      ${rows.map(({ code }) => code?.sealed ?? null)}::bytea[],
      ${rows.map(({ code }) => code?.suffix ?? null)}::text[],
      ${rows.map(({ amountCents }) => amountCents)}::bigint[],
      ${rows.map(({ expiresAt }) => expiresAt)}::timestamptz[],
      ${rows.map(({ note }) => note)}::text[],
      ${rows.map(({ productId }) => productId)}::bigint[]
    ) as given`.execute(tx.db)
  return made
}

/** Takes an import for application, if it may be: nothing is wrong with it, and nobody is at it within the hour. */
export const claimImport = async (tx: Tx, publicId: string, actor: string): Promise<StoredImport | undefined> => {
  const { rows } = await sql<StoredImport>`
    update voucher_imports
    set status = 'applying', applying_since = foyer_now(), submission = submission + 1, applied_by = ${actor}
    where account_id = ${tx.accountId} and public_id = ${publicId} and validation_errors = '[]'
      and (status = 'analyzed' or (status = 'applying' and applying_since <= foyer_now() - interval '1 hour'))
    returning ${COLUMNS}`.execute(tx.db)
  return rows[0]
}

/** The import a job was started for, locked; undefined when it was finished or submitted again meanwhile. */
export const lockSubmission = async (
  tx: Tx,
  id: number,
  submission: number,
): Promise<{ appliedBy: string | null } | undefined> => {
  const { rows } = await sql<{ appliedBy: string | null }>`
    select applied_by as "appliedBy" from voucher_imports
    where account_id = ${tx.accountId} and id = ${id} and status = 'applying' and submission = ${submission}
    for update`.execute(tx.db)
  return rows[0]
}

export interface RowToIssue {
  line: number
  codeDigest: Buffer | null
  codeSealed: Buffer | null
  codeSuffix: string | null
  amountCents: number
  expiresAt: Date | null
  note: string | null
  productId: number | null
  productName: string | null
  hasRunOut: boolean
}

export const findRowsToIssue = async (tx: Tx, importId: number): Promise<RowToIssue[]> => {
  const { rows } = await sql<RowToIssue>`
    select r.line, r.code_digest as "codeDigest", r.code_sealed as "codeSealed", r.code_suffix as "codeSuffix",
      -- taken as not null: amountCents (a row without one is a fault, and an import with faults is never applied)
      r.amount_cents as "amountCents", r.expires_at as "expiresAt", r.note, r.product_id as "productId",
      p.name as "productName", coalesce(r.expires_at <= foyer_now(), false) as "hasRunOut"
    from voucher_import_rows r
    left join voucher_products p on p.account_id = r.account_id and p.id = r.product_id
    where r.account_id = ${tx.accountId} and r.import_id = ${importId} order by r.line`.execute(tx.db)
  return rows
}

export const recordImportApplied = async (tx: Tx, id: number): Promise<void> => {
  await sql`
    update voucher_imports set status = 'applied', imported_rows_count = rows_count, applied_at = foyer_now()
    where account_id = ${tx.accountId} and id = ${id}`.execute(tx.db)
}

export const recordImportFailed = async (tx: Tx, id: number, submission: number, message: string): Promise<void> => {
  await sql`
    update voucher_imports set status = 'failed', failure_message = ${message}
    where account_id = ${tx.accountId} and id = ${id} and status = 'applying' and submission = ${submission}`.execute(
    tx.db,
  )
}

/** For an import that comes from a venue file in the middle of its application. */
export const recordImportState = async (
  tx: Tx,
  id: number,
  { status, applyingSince, failure }: { status: ImportStatus; applyingSince: Date | null; failure: string | null },
): Promise<void> => {
  await sql`
    update voucher_imports set status = ${status}, applying_since = ${applyingSince}, failure_message = ${failure},
      submission = submission + 1
    where account_id = ${tx.accountId} and id = ${id}`.execute(tx.db)
}

export interface ExportedImport {
  id: number
  status: ImportStatus
  applyingSince: Date | null
}

/**
 * Those that can still become vouchers, or could not; what the others brought stands among the vouchers. One whose code
 * was taken or whose voucher ran out meanwhile would be a file with faults when it is read again, and of no use.
 */
export const findImportsToExport = async ({ accountId, db }: Rows): Promise<ExportedImport[]> => {
  const { rows } = await sql<ExportedImport>`
    select i.id, i.status, i.applying_since as "applyingSince" from voucher_imports i
    where i.account_id = ${accountId} and i.status <> 'applied' and i.validation_errors = '[]' and not exists (
      select from voucher_import_rows r
      left join vouchers v on v.account_id = r.account_id and v.code_digest = r.code_digest
      where r.account_id = i.account_id and r.import_id = i.id
        and (v.id is not null or r.expires_at <= foyer_now()))
    order by i.id`.execute(db)
  return rows
}

export interface ExportedImportRow {
  codeSealed: Buffer | null
  amountCents: number
  expiresAt: Date | null
  note: string | null
  productPublicId: string | null
}

export const findImportRowsToExport = async (
  { accountId, db }: Rows,
  importId: number,
): Promise<ExportedImportRow[]> => {
  const { rows } = await sql<ExportedImportRow>`
    select r.code_sealed as "codeSealed",
      -- taken as not null: amountCents (a row without one is a fault, and an import with faults is not exported)
      r.amount_cents as "amountCents", r.expires_at as "expiresAt", r.note, p.public_id as "productPublicId"
    from voucher_import_rows r
    left join voucher_products p on p.account_id = r.account_id and p.id = r.product_id
    where r.account_id = ${accountId} and r.import_id = ${importId} order by r.line`.execute(db)
  return rows
}
