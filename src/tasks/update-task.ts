import type { CallerScope } from '../access/scopes.ts'
import { refuseUnless } from '../kernel/refusals.ts'
import {
  type ParsedTaskText,
  lockEmbeddedFiles,
  parseTaskText,
  replaceDescriptionFiles,
} from './attachments/embed-files.ts'
import {
  type BoardTransaction,
  readTaskBody,
  requireAssignee,
  requireTaskEvent,
  notifyAssignee,
  inTaskTransaction,
} from './change-board.ts'
import { countColumn, recordMove } from './columns/records.ts'
import { type NewEntry, insertTaskEntries } from './entries/records.ts'
import { type Task, type TaskChange, updateTaskFields } from './records.ts'
import { DESCRIPTION_MAX, RESTORE_FIRST_MESSAGE } from './rules.ts'
import type { TaskEditInput } from './wire.ts'

/** Changes what was sent and keeps the rest. An edit that changes nothing leaves no trace. */
export const updateTask = async (account: CallerScope, publicId: string, input: TaskEditInput): Promise<Task> => {
  const { description, lock_version: lockVersion } = input
  const text =
    description === undefined
      ? null
      : await readTaskBody(account, { publicId, lockVersion }, () =>
          parseTaskText(account, 'description', description, DESCRIPTION_MAX),
        )

  return inTaskTransaction(account, publicId, lockVersion, async (writing, task) => {
    const { tx, scope } = writing
    const change: TaskChange = {}
    const history: NewEntry[] = []

    if (input.title !== undefined && input.title !== task.title) change.title = input.title
    if (input.due_on !== undefined && input.due_on !== task.dueOn) change.dueOn = input.due_on
    const event = await eventOf(scope, task, input)
    if (event.id !== task.eventId) change.eventId = event.id
    const assignee = await assigneeOf(writing, task, input, event.id)
    if (assignee.id !== task.assigneeId) {
      change.assigneeId = assignee.id
      history.push({ kind: 'assignment', name: assignee.name })
    }
    if (text) Object.assign(change, await describe(writing, task, text))

    const status = input.status ?? task.status
    const isMoving = status !== task.status
    refuseUnless(!isMoving || !task.archivedAt, RESTORE_FIRST_MESSAGE)
    const isChanging = Object.keys(change).length > 0
    if (!isChanging && !isMoving) return

    if (isChanging) await updateTaskFields(tx, task.id, change)
    if (isMoving) {
      const { columnSize } = await countColumn(tx, status)
      await recordMove(tx, task, { status, position: columnSize + 1 })
      history.unshift({ kind: 'status', from: task.status, to: status })
    }
    await insertTaskEntries(tx, task.id, scope.actor.personId, history)
    if (change.assigneeId) {
      await notifyAssignee(writing, { ...task, title: input.title ?? task.title, eventId: event.id }, change.assigneeId)
    }
    await writing.tell('updated', { publicId, eventId: event.id }, task.eventId)
  })
}

const eventOf = async (scope: CallerScope, task: Task, input: TaskEditInput): Promise<{ id: number | null }> => {
  if (input.event_slug === undefined || input.event_slug === task.eventSlug) return { id: task.eventId }
  return (await requireTaskEvent(scope, input.event_slug)) ?? { id: null }
}

/** Asked only when event or assignee change: a task of someone who left since can still be edited. */
const assigneeOf = async ({ tx }: BoardTransaction, task: Task, input: TaskEditInput, eventId: number | null) => {
  const id = input.assignee_id === undefined ? task.assigneeId : input.assignee_id
  if (id === null) return { id, name: null }
  if (id === task.assigneeId && eventId === task.eventId) return { id, name: task.assigneeName }
  return requireAssignee(tx, id, eventId)
}

const describe = async ({ tx, scope }: BoardTransaction, task: Task, text: ParsedTaskText): Promise<TaskChange> => {
  const { stored, blobIds } = await lockEmbeddedFiles(scope, tx, text, task.id)
  if (stored.html === task.descriptionHtml && stored.text === task.description) return {}
  await replaceDescriptionFiles(tx, task.id, blobIds)
  return { descriptionHtml: stored.html, description: stored.text }
}
