import { z } from 'zod'
import { organizer } from '../access/access.ts'
import type { CallerScope } from '../access/scopes.ts'
import { created, noContent, ok } from '../http/answers.ts'
import { endpoint } from '../http/endpoint.ts'
import { queryText } from '../http/fields.ts'
import { readLockVersionInEnvelope } from '../http/lock-version.ts'
import { mapYielding } from '../kernel/map-yielding.ts'
import { requireFound } from '../kernel/refusals.ts'
import { archiveTask, restoreTask } from './archive-task.ts'
import { attachmentEndpoints } from './attachments/endpoints.ts'
import { createTask } from './create-task.ts'
import { entryEndpoints } from './entries/endpoints.ts'
import { findBoard } from './find-board.ts'
import { liveEndpoints } from './live/endpoints.ts'
import { moveTask } from './move-task.ts'
import { findAssigneeCandidates, findEvent, findTask, requireTaskWithinReach } from './records.ts'
import { removeTask } from './remove-task.ts'
import { updateTask } from './update-task.ts'
import { taskViewerEndpoints } from './viewers/endpoints.ts'
import {
  Assignees,
  Board,
  BoardQuery,
  LockVersionBody,
  NewTask,
  TaskPositionBody,
  TaskAnswer,
  TaskEdit,
  showAssignees,
  showTask,
} from './wire.ts'
import { requireTaskVersion } from './change-board.ts'
import { EXAMPLE_SETUPS } from './example-setups.ts'

interface Named {
  account: CallerScope
  params: { id?: string; task_id?: string }
}

const exists = async ({ account, params }: Named) =>
  requireFound(await findTask(account, params.id ?? params.task_id ?? ''))

/** The same for a body that may be at fault and stale at once: that it is stale is told first. */
const existsInVersion = (envelope: 'task' | 'position') => async (asked: Named & { sent: unknown }) =>
  requireTaskVersion(await exists(asked), readLockVersionInEnvelope(asked.sent, envelope))

const board = endpoint({
  method: 'GET',
  path: '/admin/tasks',
  operationId: 'listTasks',
  says: 'The tasks of the board by position, filtered by event, assignee and state.',
  access: organizer('read'),
  query: BoardQuery,
  answers: { 200: Board },
  handle: async ({ account, query }) => {
    const tasks = await findBoard(account, query)
    return ok({ tasks: await mapYielding(tasks, (each) => showTask(account.app, each)) })
  },
})

const task = endpoint({
  method: 'GET',
  path: '/admin/tasks/:id',
  operationId: 'getTask',
  says: 'One task, also when it is archived.',
  access: organizer('read'),
  exampleSetup: EXAMPLE_SETUPS.task,
  answers: { 200: TaskAnswer },
  handle: async ({ account, params }) => ok(showTask(account.app, requireFound(await findTask(account, params.id)))),
})

const taskCreation = endpoint({
  method: 'POST',
  path: '/admin/tasks',
  operationId: 'createTask',
  says: 'Creates a task, last in its column, and tells its assignee.',
  access: organizer('write'),
  body: NewTask,
  example: {
    task: {
      title: 'Order wristbands',
      description: '<p>500 pieces, <strong>blue</strong></p>',
      due_on: '2030-01-31',
      event_slug: 'winter-gala',
      assignee_id: 1,
    },
  },
  answers: { 201: TaskAnswer },
  creates: true,
  requireVisible: ({ account, answer }) => requireTaskWithinReach(account, answer.id),
  handle: async ({ account, body }) => {
    const made = await createTask(account, body)
    return created(showTask(account.app, made), `/admin/tasks/${made.publicId}`)
  },
})

const taskUpdate = endpoint({
  method: 'PATCH',
  path: '/admin/tasks/:id',
  operationId: 'updateTask',
  says: 'Changes what is sent and keeps the rest; a stale lock_version is refused.',
  access: organizer('write'),
  body: TaskEdit,
  example: { task: { status: 'in_progress', due_on: null, lock_version: 3 } },
  exampleSetup: EXAMPLE_SETUPS.change,
  answers: { 200: TaskAnswer },
  exists: existsInVersion('task'),
  handle: async ({ account, params, body }) => ok(showTask(account.app, await updateTask(account, params.id, body))),
})

const taskPosition = endpoint({
  method: 'PATCH',
  path: '/admin/tasks/:task_id/position',
  operationId: 'moveTask',
  says: 'Moves a task before another one of a column, or to its end.',
  access: organizer('write'),
  body: TaskPositionBody,
  example: { position: { status: 'done', before_id: '4XkPz8sQm2VfRb6NwYc9Td', lock_version: 3 } },
  exampleSetup: EXAMPLE_SETUPS.move,
  answers: { 200: TaskAnswer },
  exists: existsInVersion('position'),
  handle: async ({ account, params, body }) => ok(showTask(account.app, await moveTask(account, params.task_id, body))),
})

const taskArchive = endpoint({
  method: 'POST',
  path: '/admin/tasks/:task_id/archive',
  operationId: 'archiveTask',
  says: 'Takes a done task off the board.',
  access: organizer('write'),
  body: LockVersionBody,
  example: { lock_version: 3 },
  exampleSetup: EXAMPLE_SETUPS.archival,
  answers: { 200: TaskAnswer },
  exists,
  handle: async ({ account, params, body }) =>
    ok(showTask(account.app, await archiveTask(account, params.task_id, body.lock_version))),
})

const taskRestoration = endpoint({
  method: 'DELETE',
  path: '/admin/tasks/:task_id/archive',
  operationId: 'restoreTask',
  says: 'Puts an archived task back at the end of the done column.',
  access: organizer('write'),
  body: LockVersionBody,
  example: { lock_version: 4 },
  exampleSetup: EXAMPLE_SETUPS.restoration,
  answers: { 200: TaskAnswer },
  exists,
  handle: async ({ account, params, body }) =>
    ok(showTask(account.app, await restoreTask(account, params.task_id, body.lock_version))),
})

const taskRemoval = endpoint({
  method: 'DELETE',
  path: '/admin/tasks/:id',
  operationId: 'deleteTask',
  says: 'Deletes a task with its comments, history, files and notifications.',
  access: organizer('write'),
  exampleSetup: EXAMPLE_SETUPS.task,
  answers: { 204: null },
  handle: async ({ account, params }) => {
    await removeTask(account, params.id)
    return noContent()
  },
})

const taskAssignees = endpoint({
  method: 'GET',
  path: '/admin/task_assignees',
  operationId: 'listTaskAssignees',
  says: 'Who can be given a task: owners and managers, with an event also its co-organizers.',
  access: organizer('read'),
  query: z.object({ event_slug: queryText() }),
  answers: { 200: Assignees },
  handle: async ({ account, query }) => {
    if (query.event_slug === '') return ok(showAssignees(await findAssigneeCandidates(account.rows, null)))
    const candidates = await account.consistentRead(async (rows) => {
      const event = requireFound(await findEvent(account.within(rows), query.event_slug))
      return findAssigneeCandidates(rows, event.id)
    })
    return ok(showAssignees(candidates))
  },
})

export const taskEndpoints = [
  board,
  ...liveEndpoints,
  ...taskViewerEndpoints,
  task,
  taskCreation,
  taskUpdate,
  taskPosition,
  taskArchive,
  taskRestoration,
  taskRemoval,
  taskAssignees,
  ...entryEndpoints,
  ...attachmentEndpoints,
]
