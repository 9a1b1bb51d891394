import { z } from 'zod'
import type { CallerScope, Tx } from '../access/scopes.ts'
import { CalendarDate, Timestamp, exampleOf, named, showTimestamp, showTimestampOrNull } from '../http/wire.ts'
import { found } from '../kernel/refusals.ts'
import { type KindOf, type WebhookMessage, messageAboutEvent, publishFor } from '../webhooks/publish.ts'
import { EventInMessage, webhook } from '../webhooks/webhook.ts'
import type { Entry } from './entries/records.ts'
import type { ChangeKind } from './live/records.ts'
import { type Task, findTask } from './records.ts'
import { STATUSES } from './rules.ts'

type TaskKind = KindOf<'task'>

const TaskInMessage = named(
  'WebhookTask',
  z.object({
    id: z.string(),
    title: z.string(),
    status: z.enum(STATUSES),
    position: z.int(),
    lock_version: z.int(),
    due_on: CalendarDate.nullable(),
    assignee: z.object({ id: z.int(), name: z.string() }).nullable(),
    archived_at: Timestamp.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  {
    id: '4XkPz8sQm2VfRb6NwYc9Td',
    title: 'Order wristbands',
    status: 'open',
    position: 1,
    lock_version: 0,
    due_on: '2030-01-31',
    assignee: { id: 2, name: 'Mara Manager' },
    archived_at: null,
    created_at: '2030-01-17T09:00:00.000Z',
    updated_at: '2030-01-17T09:00:00.000Z',
  },
)

const CommentInMessage = named(
  'WebhookTaskComment',
  z.object({ id: z.string(), body: z.string().nullable(), author: z.string().nullable(), created_at: Timestamp }),
  {
    id: 'Nc7Vb2xQm5TzR8kWd3LsYp',
    body: 'They come on Friday.',
    author: 'Olga Owner',
    created_at: '2030-01-18T09:00:00.000Z',
  },
)

const TaskMessage = named('TaskMessage', z.object({ event: EventInMessage.nullable(), task: TaskInMessage }), {
  event: exampleOf(EventInMessage)!,
  task: exampleOf(TaskInMessage)!,
})

const TaskCommentMessage = named(
  'TaskCommentMessage',
  z.object({ event: EventInMessage.nullable(), task: TaskInMessage, comment: CommentInMessage }),
  { ...exampleOf(TaskMessage)!, comment: exampleOf(CommentInMessage)! },
)

export const taskWebhooks = [
  webhook('task.created', 'A task was added to the board.', TaskMessage),
  webhook('task.updated', 'A task was changed, assigned or moved.', TaskMessage),
  webhook('task.archived', 'A task was taken off the board.', TaskMessage),
  webhook('task.restored', 'A task was put back on the board.', TaskMessage),
  webhook('task.commented', 'Somebody commented on a task.', TaskCommentMessage),
  webhook('task.deleted', 'A task was deleted, with what belonged to it.', TaskMessage),
]

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
  await publishFor(scope, tx, () => [taskTold(kind, task, { task: showTaskTold(task) })])
}

export const announceRemoval = (tx: Tx, scope: CallerScope, task: Task): Promise<void> =>
  publishFor(scope, tx, () => [taskTold('task.deleted', task, { task: showTaskTold(task) })])

export const announceComment = (tx: Tx, scope: CallerScope, task: Task, comment: Entry): Promise<void> =>
  publishFor(scope, tx, () => [
    taskTold('task.commented', task, { task: showTaskTold(task), comment: showCommentTold(comment) }),
  ])

type DataOf<Kind extends TaskKind> = z.output<
  Kind extends 'task.commented' ? typeof TaskCommentMessage : typeof TaskMessage
>

/** Co-organizers hear of the tasks about their events. */
const taskTold = <Kind extends TaskKind>(kind: Kind, task: Task, told: Omit<DataOf<Kind>, 'event'>): WebhookMessage => {
  if (task.eventId === null) return { kind, payload: { event: null, ...told } }
  return messageAboutEvent<DataOf<Kind>>(kind, { id: task.eventId, slug: task.eventSlug! }, told)
}

/** What a card on the board shows; the description and its files are read there. */
const showTaskTold = (task: Task): z.output<typeof TaskInMessage> => ({
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

const showCommentTold = (comment: Entry): z.output<typeof CommentInMessage> => ({
  id: comment.publicId,
  body: comment.body,
  author: comment.author,
  created_at: showTimestamp(comment.createdAt),
})
