import { z } from 'zod'
import { openAccountForJob } from '../../access/job-scope.ts'
import { defineAppJob } from '../../jobs/context.ts'
import { APPLY_IMPORT_JOB, ImportFault, applyImport, recordImportFailure } from './apply-import.ts'

/** Applies an import after its 202. What no retry can heal is told at once, the rest when the last try has failed. */
export const applySubmittedImport = defineAppJob({
  ...APPLY_IMPORT_JOB,
  payload: z.object({ accountId: z.number(), importId: z.number(), submission: z.number() }),
  attempts: 5,
  run: async ({ accountId, importId, submission }, { context, isLastAttempt }) => {
    const scope = await openAccountForJob(context.app, accountId)
    if (!scope) return
    try {
      await applyImport(scope, importId, submission)
    } catch (error) {
      if (error instanceof ImportFault) return recordImportFailure(scope, importId, submission, error.message)
      if (isLastAttempt)
        await recordImportFailure(scope, importId, submission, 'The import could not be applied; try again later')
      throw error
    }
  },
})
