import type { CallerScope } from '../access/scopes.ts'
import { INVALID_MESSAGE } from '../kernel/messages.ts'
import { refuseUnless } from '../kernel/refusals.ts'
import { inTaskTransaction } from './change-board.ts'
import { countColumn, findTaskToPrecede, recordMove, recordReorder } from './columns/records.ts'
import { insertTaskEntries } from './entries/records.ts'
import type { Task } from './records.ts'
import { RESTORE_FIRST_MESSAGE, positionAfterMove } from './rules.ts'
import type { PositionInput } from './wire.ts'

/** Puts a task before another one of a column, or last. */
export const moveTask = (account: CallerScope, publicId: string, input: PositionInput): Promise<Task> =>
  inTaskTransaction(account, publicId, input.lock_version, async ({ tx, scope, tell }, task) => {
    refuseUnless(!task.archivedAt, RESTORE_FIRST_MESSAGE)
    const { status, before_id: beforeId } = input
    const before = beforeId === null ? null : ((await findTaskToPrecede(scope, tx, beforeId, status)) ?? undefined)
    refuseUnless(before === null || (before && before.id !== task.id), { before_id: [INVALID_MESSAGE] })

    const { columnSize } = await countColumn(tx, status)
    const position = positionAfterMove(task, { status, before, columnSize })
    if (status === task.status) {
      if (position === task.position) return
      await recordReorder(tx, task, position)
    } else {
      await recordMove(tx, task, { status, position })
      await insertTaskEntries(tx, task.id, scope.actor.personId, [{ kind: 'status', from: task.status, to: status }])
    }
    await tell('moved', task)
  })
