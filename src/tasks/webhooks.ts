import { webhook } from '../webhooks/webhook.ts'
import { TaskMessage } from './announce.ts'
import { TaskCommentMessage } from './entries/announce-comment.ts'

export const taskWebhooks = [
  webhook('task.created', 'A task was added to the board.', TaskMessage),
  webhook('task.updated', 'A task was changed, assigned or moved.', TaskMessage),
  webhook('task.archived', 'A task was taken off the board.', TaskMessage),
  webhook('task.restored', 'A task was put back on the board.', TaskMessage),
  webhook('task.commented', 'Somebody commented on a task.', TaskCommentMessage),
  webhook('task.deleted', 'A task was deleted, with what belonged to it.', TaskMessage),
]
