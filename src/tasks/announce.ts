import { z } from 'zod'
import type { CallerScope, Tx } from '../access/scopes.ts'
import { CalendarDate, Timestamp, exampleOf, named, showTimestamp, showTimestampOrNull } from '../http/wire.ts'
import { requireFound } from '../kernel/refusals.ts'
import {
  type WebhookKindOf,
  type WebhookMessage,
  webhookMessageAboutEvent,
  publishWebhooksOfCaller,
} from '../webhooks/publish.ts'
import { EventInWebhook } from '../webhooks/webhook.ts'
import type { ChangeKind } from './live/records.ts'
import { type Task, findTask } from './records.ts'
import { STATUSES } from './rules.ts'

type TaskKind = WebhookKindOf<'task'>

export const TaskInWebhook = named(
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

export const TaskWebhookData = named(
  'TaskMessage',
  z.object({ event: EventInWebhook.nullable(), task: TaskInWebhook }),
  {
    event: exampleOf(EventInWebhook)!,
    task: exampleOf(TaskInWebhook)!,
  },
)

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
export const publishTaskChange = async (
  tx: Tx,
  scope: CallerScope,
  change: ChangeKind,
  publicId: string,
): Promise<void> => {
  const kind = KINDS[change]
  if (!kind || !scope.caller.hasWebhooks) return
  const task = requireFound(await findTask(scope, publicId))
  await publishWebhooksOfCaller(scope, tx, () => [taskWebhookMessage(kind, task, { task: showTaskInWebhook(task) })])
}

export const publishTaskRemoval = (tx: Tx, scope: CallerScope, task: Task): Promise<void> =>
  publishWebhooksOfCaller(scope, tx, () => [
    taskWebhookMessage('task.deleted', task, { task: showTaskInWebhook(task) }),
  ])

/** Co-organizers hear of the tasks about their events. */
export const taskWebhookMessage = (
  kind: TaskKind,
  task: Task,
  told: Omit<z.output<typeof TaskWebhookData>, 'event'>,
): WebhookMessage => {
  if (task.eventId === null) return { kind, payload: { event: null, ...told } }
  return webhookMessageAboutEvent<z.output<typeof TaskWebhookData>>(
    kind,
    { id: task.eventId, slug: task.eventSlug! },
    told,
  )
}

/** What a card on the board shows; the description and its files are read there. */
export const showTaskInWebhook = (task: Task): z.output<typeof TaskInWebhook> => ({
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
