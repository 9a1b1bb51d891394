import type { AccountScope, CallerScope, Tx } from '../../access/scopes.ts'
import { isUniqueViolation } from '../../database/database.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import type { LaneJob } from '../../jobs/lane.ts'
import { newPublicId } from '../../kernel/public-ids.ts'
import { Invalid, requireFound } from '../../kernel/refusals.ts'
import { hasListeners } from '../../webhooks/publish.ts'
import { newVoucherCode, sealCode } from '../codes.ts'
import { publishVoucherWebhooks } from '../ledger/announce.ts'
import { type NewVoucher, findVouchersById, insertVouchers } from '../ledger/records.ts'
import type { ImportAccount } from './analyze-import.ts'
import {
  type StoredImport,
  type RowToIssue,
  claimImport,
  findImport,
  findRowsToIssue,
  findTakenCodeDigests,
  lockSubmission,
  recordImportApplied,
  recordImportFailed,
} from './records.ts'

export const APPLY_IMPORT_JOB: LaneJob<{ accountId: number; importId: number; submission: number }> = {
  name: 'vouchers.apply-import',
  lane: 'imports',
}

/** Takes an import for application by a job. Of two who submit it at once one is refused. */
export const queueImportForApplication = (account: CallerScope, publicId: string): Promise<StoredImport> =>
  account.transaction(async (tx) => {
    const submitted = await claimImport(tx, publicId, account.actor.name)
    if (!submitted) throw new Invalid(refusalOf(requireFound(await findImport(tx, publicId))))
    await enqueue(tx.db, APPLY_IMPORT_JOB, {
      accountId: tx.accountId,
      importId: submitted.id,
      submission: submitted.submission,
    })
    return submitted
  })

const refusalOf = (one: StoredImport): string => {
  if (one.status === 'applied') return 'This import has been applied already'
  if (one.status === 'applying') return 'This import is being applied'
  if (one.status === 'failed') return 'This import has failed; upload the file again'
  return 'This import has errors; correct the file and upload it again'
}

/** Why an import cannot be applied, in a sentence for the person who submitted it. */
export class ImportFault extends Error {}

/** Issues every row in one transaction, or none. Run again after a crash it finds its work done, or does it. */
export const applyImport = (scope: AccountScope, importId: number, submission: number): Promise<void> =>
  scope.transaction(async (tx) => {
    const submitted = await lockSubmission(tx, importId, submission)
    if (submitted) await issueVouchersOfRows(scope, tx, importId, submitted.appliedBy)
  })

export const issueVouchersOfRows = async (
  scope: ImportAccount,
  tx: Tx,
  importId: number,
  actor: string | null,
): Promise<void> => {
  const rows = await findRowsToIssue(tx, importId)
  const late = rows.find(({ hasRunOut }) => hasRunOut)
  if (late) throw new ImportFault(`The voucher on line ${late.line} has expired meanwhile`)
  await refuseTakenCodes(tx, rows)

  const ids = await insertVouchers(
    tx,
    rows.map((row) => voucherOf(scope, row, { importId, actor })),
  ).catch(explain)
  if (await hasListeners(tx, 'voucher.issued')) {
    await publishVoucherWebhooks(tx, scope.account, 'voucher.issued', await findVouchersById(tx, ids))
  }
  await recordImportApplied(tx, importId)
}

const refuseTakenCodes = async (tx: Tx, rows: RowToIssue[]) => {
  const taken = await findTakenCodeDigests(
    tx,
    rows.flatMap(({ codeDigest }) => codeDigest ?? []),
  )
  const first = rows.find(({ codeDigest }) => codeDigest && taken.has(codeDigest.toString('hex')))
  if (first) throw new ImportFault(`The code on line ${first.line} has been taken meanwhile`)
}

/** Somebody was faster between the look and the statement. */
const explain = (error: unknown): never => {
  if (isUniqueViolation(error, 'a_code_opens_one_voucher')) throw new ImportFault('A code has been taken meanwhile')
  throw error
}

const voucherOf = (
  { app, account }: ImportAccount,
  row: RowToIssue,
  { importId, actor }: { importId: number; actor: string | null },
): NewVoucher => {
  const drawn = row.codeDigest ? null : sealCode(app.secrets, account.id, newVoucherCode())
  return {
    publicId: newPublicId(),
    entryPublicId: newPublicId(),
    codeDigest: drawn?.digest ?? row.codeDigest!,
    codeSealed: drawn?.sealed ?? row.codeSealed!,
    codeSuffix: drawn?.suffix ?? row.codeSuffix!,
    productId: row.productId,
    productName: row.productName,
    source: 'import',
    amountCents: row.amountCents,
    paidCents: null,
    expiresAt: row.expiresAt,
    importId,
    importLine: row.line,
    actor,
    note: row.note,
  }
}

export const recordImportFailure = (
  scope: AccountScope,
  importId: number,
  submission: number,
  message: string,
): Promise<void> => scope.transaction((tx) => recordImportFailed(tx, importId, submission, message))
