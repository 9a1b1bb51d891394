import { organizer } from '../../access/access.ts'
import { created, ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { mapYielding } from '../../kernel/map-yielding.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { findTask, requireTaskWithinReach } from '../records.ts'
import { commentOnTask } from './comment-on-task.ts'
import { findEntries } from './records.ts'
import { TaskEntries, TaskEntry, NewComment, showEntry } from './wire.ts'
import { EXAMPLE_SETUPS } from '../example-setups.ts'

const taskComments = endpoint({
  method: 'GET',
  path: '/admin/tasks/:task_id/comments',
  operationId: 'listTaskComments',
  says: 'The comments and the history of a task, oldest first.',
  access: organizer('read'),
  exampleSetup: EXAMPLE_SETUPS.comments,
  answers: { 200: TaskEntries },
  handle: async ({ account, params }) => {
    const entries = await account.consistentRead(async (rows) => {
      const task = requireFound(await findTask(account.within(rows), params.task_id))
      return findEntries(rows, task.id)
    })
    return ok({ entries: await mapYielding(entries, (entry) => showEntry(account.app, entry)) })
  },
})

const taskComment = endpoint({
  method: 'POST',
  path: '/admin/tasks/:task_id/comments',
  operationId: 'createTaskComment',
  says: 'Adds a comment: text, HTML, attached files.',
  access: organizer('write'),
  body: NewComment,
  example: { comment: { body: '<p>They come on <strong>Friday</strong>.</p>' } },
  exampleSetup: EXAMPLE_SETUPS.comments,
  answers: { 201: TaskEntry },
  creates: true,
  exists: async ({ account, params }) => requireFound(await findTask(account, params.task_id)),
  requireVisible: ({ account, params }) => requireTaskWithinReach(account, params.task_id),
  handle: async ({ account, params, body }) => {
    const entry = await commentOnTask(account, params.task_id, body.body)
    return created(showEntry(account.app, entry), `/admin/tasks/${params.task_id}/comments`)
  },
})

export const entryEndpoints = [taskComments, taskComment]
