import { defineWebhook } from '../webhooks/webhook.ts'
import { TaskWebhookData } from './announce.ts'
import { TaskCommentWebhookData } from './entries/announce-comment.ts'

export const taskWebhooks = [
  defineWebhook('task.created', 'A task was added to the board.', TaskWebhookData),
  defineWebhook('task.updated', 'A task was changed, assigned or moved.', TaskWebhookData),
  defineWebhook('task.archived', 'A task was taken off the board.', TaskWebhookData),
  defineWebhook('task.restored', 'A task was put back on the board.', TaskWebhookData),
  defineWebhook('task.commented', 'Somebody commented on a task.', TaskCommentWebhookData),
  defineWebhook('task.deleted', 'A task was deleted, with what belonged to it.', TaskWebhookData),
]
