import { z } from 'zod'
import type { CallerScope, Tx } from '../../access/scopes.ts'
import { Timestamp, exampleOf, named, showTimestamp } from '../../http/wire.ts'
import { publishWebhooksOfCaller } from '../../webhooks/publish.ts'
import { EventInWebhook } from '../../webhooks/webhook.ts'
import { TaskInWebhook, TaskWebhookData, taskWebhookMessage, showTaskInWebhook } from '../announce.ts'
import type { Task } from '../records.ts'
import type { TaskHistoryEntry } from './records.ts'

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

export const TaskCommentWebhookData = named(
  'TaskCommentMessage',
  z.object({ event: EventInWebhook.nullable(), task: TaskInWebhook, comment: CommentInMessage }),
  { ...exampleOf(TaskWebhookData)!, comment: exampleOf(CommentInMessage)! },
)

export const publishTaskComment = (tx: Tx, scope: CallerScope, task: Task, comment: TaskHistoryEntry): Promise<void> =>
  publishWebhooksOfCaller(scope, tx, () => {
    const told: Omit<z.output<typeof TaskCommentWebhookData>, 'event'> = {
      task: showTaskInWebhook(task),
      comment: showCommentTold(comment),
    }
    return [taskWebhookMessage('task.commented', task, told)]
  })

const showCommentTold = (comment: TaskHistoryEntry): z.output<typeof CommentInMessage> => ({
  id: comment.publicId,
  body: comment.body,
  author: comment.author,
  created_at: showTimestamp(comment.createdAt),
})
