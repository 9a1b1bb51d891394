import { showAmount } from '../../kernel/money.ts'
import type { ExportContext } from '../../loading/section.ts'
import { unsealCode } from '../codes.ts'
import { type ExportedImportRow, findImportRowsToExport, findImportsToExport } from './records.ts'

/** Imports that wait, written anew from their rows. */
export async function* exportImports({ rows, account, app }: ExportContext) {
  const lineOf = ({ codeSealed, amountCents, expiresAt, note, productPublicId }: ExportedImportRow) =>
    [
      codeSealed ? unsealCode(app.secrets, codeSealed) : '',
      showAmount(amountCents, account.currency),
      expiresAt?.toISOString() ?? '',
      cellOf(note ?? ''),
      productPublicId ?? '',
    ].join(',')

  for (const [n, { id, status, applyingSince }] of (await findImportsToExport(rows)).entries()) {
    const lines = (await findImportRowsToExport(rows, id)).map(lineOf)
    const csv = ['code,amount,expires_at,note,product_id', ...lines, ''].join('\n')
    yield { key: `import-${n + 1}`, csv, status, applying_since: applyingSince }
  }
}

const cellOf = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
