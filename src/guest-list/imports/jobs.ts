import { z } from 'zod'
import { openAccountForJob } from '../../access/job-scope.ts'
import { defineAppJob } from '../../jobs/context.ts'
import { APPLY_IMPORT_JOB, ImportFault, applyImport, recordImportFailure } from './apply-import.ts'
import { deleteOldImports, refreshImportStatistics } from './records.ts'

/** So many that the planner should know of them before somebody takes them back. */
const MANY = 200

/** Applies an import after its 202. What no retry can heal is told at once, the rest when the last try has failed. */
const applySubmittedImport = defineAppJob({
  ...APPLY_IMPORT_JOB,
  payload: z.object({ accountId: z.number(), importId: z.number(), submission: z.number() }),
  attempts: 5,
  run: async ({ accountId, importId, submission }, { context, isLastAttempt }) => {
    const scope = await openAccountForJob(context.app, accountId)
    if (!scope) return
    try {
      const count = await applyImport(scope, importId, submission)
      if (count >= MANY) await refreshImportStatistics(context.app.database)
    } catch (error) {
      if (error instanceof ImportFault) return recordImportFailure(scope, importId, submission, error.message)
      if (isLastAttempt)
        await recordImportFailure(scope, importId, submission, 'The import could not be applied; try again later')
      throw error
    }
  },
})

const sweepGuestImports = defineAppJob({
  name: 'guest-list.sweep-imports',
  payload: z.object({}),
  every: '1 hour',
  run: async (_payload, { context }) => deleteOldImports(context.app.database),
})

export const guestImportJobs = [applySubmittedImport, sweepGuestImports]
