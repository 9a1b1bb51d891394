import type { CallerScope } from '../access/scopes.ts'
import { sweepFiles } from '../files/jobs.ts'
import { markBlobsDiscarded } from '../files/records.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { requireFound } from '../kernel/refusals.ts'
import { publishTaskRemoval } from './announce.ts'
import { findBlobIdsOfTask } from './attachments/records.ts'
import { inBoardTransaction } from './change-board.ts'
import { deleteTask } from './columns/records.ts'
import { lockTask } from './records.ts'

/** A task goes with its comments, its history, its notifications and its files. */
export const removeTask = (account: CallerScope, publicId: string): Promise<void> =>
  inBoardTransaction(account, async ({ tx, scope, tell }) => {
    const task = requireFound(await lockTask(scope, tx, publicId))
    const blobIds = await findBlobIdsOfTask(tx, task.id)
    await deleteTask(tx, task)
    await markBlobsDiscarded(tx, blobIds)
    if (blobIds.length > 0) await enqueue(tx.db, sweepFiles, {})
    await tell('deleted', task)
    await publishTaskRemoval(tx, scope, task)
  })
