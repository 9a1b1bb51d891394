import type { CallerScope, Tx } from '../access/scopes.ts'
import { showTimestamp, showTimestampOrNull } from '../http/wire.ts'
import { found } from '../kernel/refusals.ts'
import { type KindOf, type Publication, atEvent, publishFor } from '../webhooks/publish.ts'
import type { Entry } from './entries/records.ts'
import type { ChangeKind } from './live/records.ts'
import { type Task, findTask } from './records.ts'

type TaskKind = KindOf<'task'>

/** A comment and a removal are told by themselves: neither is found in the task as it is then. */
const KINDS: Record<ChangeKind, TaskKind | null> = {
  created: 'task.created',
  updated: 'task.updated',
  moved: 'task.updated',
  archived: 'task.archived',
  restored: 'task.restored',
  commented: null,
  deleted: null,
}

/** Tells the account's webhooks of a change of the board, with the task as it is after it. */
export const announceChange = async (
  tx: Tx,
  scope: CallerScope,
  change: ChangeKind,
  publicId: string,
): Promise<void> => {
  const kind = KINDS[change]
  if (!kind || !scope.caller.hasWebhooks) return
  const task = found(await findTask(scope, publicId))
  await publishFor(scope, tx, () => [taskTold(kind, task)])
}

export const announceRemoval = (tx: Tx, scope: CallerScope, task: Task): Promise<void> =>
  publishFor(scope, tx, () => [taskTold('task.deleted', task)])

export const announceComment = (tx: Tx, scope: CallerScope, task: Task, comment: Entry): Promise<void> =>
  publishFor(scope, tx, () => [taskTold('task.commented', task, { comment: showCommentTold(comment) })])

/** Co-organizers hear of the tasks about their events. */
const taskTold = (kind: TaskKind, task: Task, more: Record<string, unknown> = {}): Publication => {
  const told = { task: showTaskTold(task), ...more }
  if (task.eventId === null) return { kind, payload: { event: null, ...told } }
  return atEvent(kind, { id: task.eventId, slug: task.eventSlug! }, told)
}

/** What a card on the board shows; the description and its files are read there. */
const showTaskTold = (task: Task) => ({
  id: task.publicId,
  title: task.title,
  status: task.status,
  position: task.position,
  lock_version: task.lockVersion,
  due_on: task.dueOn,
  assignee: task.assigneeId === null ? null : { id: task.assigneeId, name: task.assigneeName! },
  archived_at: showTimestampOrNull(task.archivedAt),
  created_at: showTimestamp(task.createdAt),
  updated_at: showTimestamp(task.updatedAt),
})

const showCommentTold = (comment: Entry) => ({
  id: comment.publicId,
  body: comment.body,
  author: comment.author,
  created_at: showTimestamp(comment.createdAt),
})
