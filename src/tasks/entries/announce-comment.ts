import { z } from 'zod'
import type { CallerScope, Tx } from '../../access/scopes.ts'
import { Timestamp, exampleOf, named, showTimestamp } from '../../http/wire.ts'
import { publishFor } from '../../webhooks/publish.ts'
import { EventInMessage } from '../../webhooks/webhook.ts'
import { TaskInMessage, TaskMessage, taskTold, showTaskTold } from '../announce.ts'
import type { Task } from '../records.ts'
import type { Entry } from './records.ts'

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

export const TaskCommentMessage = named(
  'TaskCommentMessage',
  z.object({ event: EventInMessage.nullable(), task: TaskInMessage, comment: CommentInMessage }),
  { ...exampleOf(TaskMessage)!, comment: exampleOf(CommentInMessage)! },
)

export const announceComment = (tx: Tx, scope: CallerScope, task: Task, comment: Entry): Promise<void> =>
  publishFor(scope, tx, () => {
    const told: Omit<z.output<typeof TaskCommentMessage>, 'event'> = {
      task: showTaskTold(task),
      comment: showCommentTold(comment),
    }
    return [taskTold('task.commented', task, told)]
  })

const showCommentTold = (comment: Entry): z.output<typeof CommentInMessage> => ({
  id: comment.publicId,
  body: comment.body,
  author: comment.author,
  created_at: showTimestamp(comment.createdAt),
})
