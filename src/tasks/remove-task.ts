import type { CallerScope } from '../access/scopes.ts'
import { sweepFiles } from '../files/jobs.ts'
import { discardBlobs } from '../files/records.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { found } from '../kernel/refusals.ts'
import { announceRemoval } from './announce.ts'
import { findFilesOf } from './attachments/records.ts'
import { changeBoard } from './change-board.ts'
import { deleteTask } from './columns/records.ts'
import { lockTask } from './records.ts'

/** A task goes with its comments, its history, its notifications and its files. */
export const removeTask = (account: CallerScope, publicId: string): Promise<void> =>
  changeBoard(account, async ({ tx, scope, tell }) => {
    const task = found(await lockTask(scope, tx, publicId))
    const blobIds = await findFilesOf(tx, task.id)
    await deleteTask(tx, task)
    await discardBlobs(tx, blobIds)
    if (blobIds.length > 0) await enqueue(tx.db, sweepFiles, {})
    await tell('deleted', task)
    await announceRemoval(tx, scope, task)
  })
