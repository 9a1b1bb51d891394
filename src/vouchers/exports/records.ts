import { sql } from 'kysely'
import type { Rows, Tx } from '../../access/scopes.ts'
import { type VoucherPageRequest, selectVoucherPage } from '../ledger/records.ts'

export interface ExportRow {
  id: number
  place: string
  codeSealed: Buffer
  productName: string | null
  issuedCents: number
  balanceCents: number
  /** Source, expiry, block and creation: cells that need no quotes, as they stand in the file. */
  facts: string
}

const TIMESTAMP = sql.lit('YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')

/** What can be written in one piece comes in one piece: a million rows of many values would be a lot to throw away. */
const COLUMNS = sql`
  id, created_at, created_at::text as place, code_sealed as "codeSealed", product_name as "productName",
  issued_cents as "issuedCents", balance_cents as "balanceCents",
  concat_ws(',', source, coalesce(to_char(expires_at at time zone 'UTC', ${TIMESTAMP}), ''),
    case when blocked_at is null then 'false' else 'true' end,
    to_char(created_at at time zone 'UTC', ${TIMESTAMP})) as facts`

export const findExportRows = async (rows: Rows, request: VoucherPageRequest): Promise<ExportRow[]> => {
  const { rows: page } = await sql<ExportRow>`
    select id, place, "codeSealed", "productName", "issuedCents", "balanceCents", facts
    from (${selectVoucherPage(rows, request, COLUMNS)}) as page
    order by created_at desc, id desc limit ${request.limit}`.execute(rows.db)
  return page
}

export const insertExportLog = async (
  tx: Tx,
  { credentialId, actor, status }: { credentialId: number; actor: string; status: string | null },
): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into voucher_exports (account_id, credential_id, actor, status_filter)
    values (${tx.accountId}, ${credentialId}, ${actor}, ${status}) returning id`.execute(tx.db)
  return rows[0]!.id
}

export const recordExportFinished = async (tx: Tx, id: number, count: number): Promise<void> => {
  await sql`
    update voucher_exports set rows_count = ${count}, finished_at = foyer_now()
    where account_id = ${tx.accountId} and id = ${id}`.execute(tx.db)
}
