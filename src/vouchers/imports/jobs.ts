import { z } from 'zod'
import { openAccountForJob } from '../../access/job-scope.ts'
import { defineAppJob } from '../../jobs/context.ts'
import { APPLY, ImportFault, applyImport, failImport } from './apply-import.ts'

/** Applies an import after its 202. What no retry can heal is told at once, the rest when the last try has failed. */
export const applySubmittedImport = defineAppJob({
  ...APPLY,
  payload: z.object({ accountId: z.number(), importId: z.number(), submission: z.number() }),
  attempts: 5,
  run: async ({ accountId, importId, submission }, { context, isLastAttempt }) => {
    const scope = await openAccountForJob(context.app, accountId)
    if (!scope) return
    try {
      await applyImport(scope, importId, submission)
    } catch (error) {
      if (error instanceof ImportFault) return failImport(scope, importId, submission, error.message)
      if (isLastAttempt)
        await failImport(scope, importId, submission, 'The import could not be applied; try again later')
      throw error
    }
  },
})
