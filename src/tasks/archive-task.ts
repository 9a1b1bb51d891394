import type { CallerScope } from '../access/scopes.ts'
import { refuseUnless } from '../kernel/refusals.ts'
import { inTaskTransaction } from './change-board.ts'
import { recordArchive, recordRestore } from './columns/records.ts'
import type { Task } from './records.ts'
import { NOT_DONE_MESSAGE } from './rules.ts'

/** Takes a done task off the board; one that is off already stays as it is. */
export const archiveTask = (account: CallerScope, publicId: string, lockVersion: number | null): Promise<Task> =>
  inTaskTransaction(account, publicId, lockVersion, async ({ tx, tell }, task) => {
    refuseUnless(task.status === 'done', NOT_DONE_MESSAGE)
    if (task.archivedAt) return
    await recordArchive(tx, task)
    await tell('archived', task)
  })

export const restoreTask = (account: CallerScope, publicId: string, lockVersion: number | null): Promise<Task> =>
  inTaskTransaction(account, publicId, lockVersion, async ({ tx, tell }, task) => {
    if (!task.archivedAt) return
    await recordRestore(tx, task.id)
    await tell('restored', task)
  })
