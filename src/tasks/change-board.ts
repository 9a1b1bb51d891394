import type { CallerScope, Tx } from '../access/scopes.ts'
import { notifyMembers } from '../notifications/notify.ts'
import { NOTIFICATION_WORDS } from '../notifications/words.ts'
import { Conflict, Invalid, NotFound, requireFound, refuseUnless } from '../kernel/refusals.ts'
import { BLANK_MESSAGE, INVALID_MESSAGE, MUST_EXIST_MESSAGE } from '../kernel/messages.ts'
import { publishTaskChange } from './announce.ts'
import { type ChangeKind, insertChange } from './live/records.ts'
import {
  type EventInReach,
  type Task,
  findAssigneeCandidates,
  findEvent,
  findTask,
  lockBoard,
  lockTask,
} from './records.ts'
import { STALE_TASK_MESSAGE, isStaleVersion } from './rules.ts'

/** A transaction on a board that is held: changes of one board come one after the other. */
export interface BoardTransaction {
  tx: Tx
  /** The caller's scope inside the transaction. */
  scope: CallerScope
  tell: (kind: ChangeKind, task: Pick<Task, 'publicId' | 'eventId'>, formerEventId?: number | null) => Promise<void>
}

export const inBoardTransaction = <T>(
  account: CallerScope,
  work: (writing: BoardTransaction) => Promise<T>,
): Promise<T> =>
  account.transaction(async (tx) => {
    const number = await lockBoard(tx)
    const scope = account.within(tx)
    return work({
      tx,
      scope,
      tell: async (kind, { publicId, eventId }, formerEventId = eventId) => {
        await insertChange(tx, { number, taskPublicId: publicId, kind, eventId, formerEventId })
        await publishTaskChange(tx, scope, kind, publicId)
      },
    })
  })

/** The same for one task that the caller may see, in the version the caller knows. Answers with the task as it is then. */
export const inTaskTransaction = (
  account: CallerScope,
  publicId: string,
  lockVersion: number | null | undefined,
  work: (writing: BoardTransaction, task: Task) => Promise<void>,
): Promise<Task> =>
  inBoardTransaction(account, async (writing) => {
    const task = requireFound(await lockTask(writing.scope, writing.tx, publicId))
    requireTaskVersion(task, lockVersion)

    await work(writing, task)
    return requireFound(await findTask(writing.scope, publicId))
  })

export const requireTaskVersion = (task: Pick<Task, 'lockVersion'>, known: number | null | undefined): void => {
  if (isStaleVersion(task, known)) throw new Conflict(STALE_TASK_MESSAGE)
}

/**
 * Reads what was sent for a task before the board is held. Its faults are told only about a task that the caller may
 * see, in the version the caller knows.
 */
export const readTaskBody = async <T>(
  account: CallerScope,
  task: { publicId: string; lockVersion?: number | null },
  read: () => Promise<T>,
): Promise<T> => {
  try {
    return await read()
  } catch (fault) {
    requireTaskVersion(requireFound(await findTask(account, task.publicId)), task.lockVersion)
    throw fault
  }
}

/** The event a task shall be about; a co-organizer's task is always about one of theirs. */
export const requireTaskEvent = async (scope: CallerScope, slug: string | null): Promise<EventInReach | null> => {
  if (slug !== null) {
    const event = await findEvent(scope, slug)
    if (!event) throw new NotFound({ event_slug: [MUST_EXIST_MESSAGE] })
    return event
  }
  if (scope.reach !== 'account') throw new Invalid({ event_slug: [BLANK_MESSAGE] })
  return null
}

/** Someone who may see the task. */
export const requireAssignee = async (tx: Tx, id: number, eventId: number | null) => {
  const [candidate] = await findAssigneeCandidates(tx, eventId, id)
  refuseUnless(candidate, { assignee_id: [INVALID_MESSAGE] })
  return candidate
}

export const notifyAssignee = (
  { tx, scope }: BoardTransaction,
  task: { id: number; publicId: string; title: string; eventId: number | null },
  assigneeId: number,
): Promise<void> =>
  notifyMembers(tx, {
    kind: 'task_assigned',
    recipients: [assigneeId],
    actor: scope.actor.membershipId,
    subject: task.publicId,
    title: NOTIFICATION_WORDS[scope.account.language].taskAssigned(scope.actor.name, task.title),
    path: `/admin/tasks/${task.publicId}`,
    taskId: task.id,
    ...(task.eventId !== null && { eventId: task.eventId }),
  })
