import { organizer } from '../../access/access.ts'
import type { CallerScope } from '../../access/scopes.ts'
import { noContent, ok } from '../../http/answers.ts'
import { envelope } from '../../http/body.ts'
import { endpoint } from '../../http/endpoint.ts'
import { Forbidden, Invalid, NotFound } from '../../kernel/refusals.ts'
import { deleteTaskViewer, findTaskViewers, isTaskWithinReach, recordTaskViewer } from './records.ts'
import { TaskViewerFields, TaskViewers, showTaskViewers } from './wire.ts'

/** The account's own tokens are nobody. */
const requirePerson = (account: CallerScope) => {
  if (account.credential.role === null) throw new Forbidden('Only people look at the board')
}

const taskViewers = endpoint({
  method: 'GET',
  path: '/admin/task_viewers',
  operationId: 'listTaskViewers',
  says: 'Who looks at the board at this moment, and at which task, where the caller may see it. The stream of the board tells it as it changes, where `with=viewers` is asked for.',
  access: organizer('read'),
  answers: { 200: TaskViewers },
  handle: async ({ account }) => ok(showTaskViewers(await findTaskViewers(account))),
})

const taskViewerReport = endpoint({
  method: 'POST',
  path: '/admin/task_viewers',
  operationId: 'reportTaskViewer',
  says: 'A page of a person says that it shows the board, or one task of it. It says so again every ten seconds; twenty seconds without a word, and it is forgotten. `page` is any name that the page gives itself.',
  access: organizer('read'),
  body: envelope('task_viewer', TaskViewerFields),
  example: { task_viewer: { page: 'b7c1f2', task_id: null } },
  exampleSetup: { by: 'member' },
  answers: { 204: null },
  handle: async ({ account, body }) => {
    requirePerson(account)
    const { page, task_id: taskPublicId } = body
    if (taskPublicId !== null && !(await isTaskWithinReach(account, taskPublicId))) {
      throw new Invalid({ task_id: ['is invalid'] })
    }
    await account.transaction((tx) => recordTaskViewer(account, tx, { page, taskPublicId }))
    return noContent()
  },
})

const taskViewerEnd = endpoint({
  method: 'DELETE',
  path: '/admin/task_viewers/:page',
  operationId: 'endTaskViewer',
  says: 'The page shows the board no more.',
  access: organizer('read'),
  exampleSetup: {
    before: [
      { call: 'POST /admin/task_viewers', body: { task_viewer: { page: 'b7c1f2', task_id: null } }, by: 'member' },
    ],
    values: { page: 'b7c1f2' },
    by: 'member',
  },
  answers: { 204: null },
  handle: async ({ account, params }) => {
    await account.transaction(async (tx) => {
      if (!(await deleteTaskViewer(account, tx, params.page))) throw new NotFound()
    })
    return noContent()
  },
})

export const taskViewerEndpoints = [taskViewers, taskViewerReport, taskViewerEnd]
