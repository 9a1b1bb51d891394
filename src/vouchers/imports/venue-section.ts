import type { z } from 'zod'
import { Invalid } from '../../kernel/refusals.ts'
import { type JsonPath, fileFaultAt } from '../../loading/fault.ts'
import { keyText, list, longText, oneOf, optional, strictObject, timestamp } from '../../loading/fields.ts'
import type { ReadingContext } from '../../loading/fields.ts'
import type { LoadContext, Section } from '../../loading/section.ts'
import { exportImports } from './export-imports.ts'
import { analyzeAndStore } from './analyze-import.ts'
import { ImportFault, issueVouchersOfRows } from './apply-import.ts'
import { type StoredImport, recordImportState } from './records.ts'
import { IMPORT_STATUSES } from './rules.ts'

const LoadedImport = (terms: ReadingContext) =>
  strictObject({
    key: keyText(),
    csv: longText(),
    status: oneOf(IMPORT_STATUSES).default('analyzed'),
    applying_since: optional(timestamp(terms)),
  })

type ImportInput = z.output<ReturnType<typeof LoadedImport>>

export const voucherImportsSection: Section<ImportInput[]> = {
  key: 'voucher_imports',
  schema: (terms) => list(LoadedImport(terms), 'key'),
  load: async (context, imports, place) => {
    const printed: [string, unknown][] = []
    for (const [n, each] of imports.entries()) {
      const made = await analyze(context, each, [...place, n])
      await standAs(context, made, each, [...place, n])
      printed.push([each.key, { id: made.publicId }])
    }
    return Object.fromEntries(printed)
  },
  export: exportImports,
}

const analyze = async (context: LoadContext, { csv }: ImportInput, place: JsonPath): Promise<StoredImport> => {
  try {
    return await analyzeAndStore(context, context.tx, csv)
  } catch (error) {
    if (error instanceof Invalid) throw fileFaultAt([...place, 'csv'], error.message)
    throw error
  }
}

const standAs = async (
  context: LoadContext,
  made: StoredImport,
  { status, applying_since }: ImportInput,
  place: JsonPath,
) => {
  const { tx, terms } = context
  if (status === 'analyzed') return
  if (status === 'failed') {
    return recordImportState(tx, made.id, {
      status,
      applyingSince: applying_since,
      failure: 'The import could not be applied',
    })
  }
  if (made.validationErrors.length > 0) throw fileFaultAt([...place, 'status'], 'a file with errors is never applied')
  if (status === 'applying') {
    return recordImportState(tx, made.id, { status, applyingSince: applying_since ?? terms.now, failure: null })
  }
  try {
    await issueVouchersOfRows(context, tx, made.id, null)
  } catch (error) {
    if (error instanceof ImportFault) throw fileFaultAt([...place, 'csv'], error.message)
    throw error
  }
}
