import type { z } from 'zod'
import { taskEndpoints } from '../tasks/endpoints.ts'
import type { TaskEntry } from '../tasks/entries/wire.ts'
import { STATUSES, TITLE_MAX } from '../tasks/rules.ts'
import type { Assignees, TaskAnswer } from '../tasks/wire.ts'
import { findOneByName } from './names.ts'
import { containsQuery, pageOf, omitKeys } from './pages.ts'
import { choice, flag, integer, omitUndefined, text } from './parameters.ts'
import { type ToolCall, endpointFinder, defineTool } from './tool.ts'

const endpoint = endpointFinder(taskEndpoints)
const assignees = endpoint('GET /admin/task_assignees')
const oneTask = endpoint('GET /admin/tasks/:id')

const TASKS_MAX = 25
const ENTRIES_MAX = 25

const parameters = {
  task_id: text('A task, as list and create call it.'),
  query: text('Part of a title or description.'),
  title: text(`What is to be done, at most ${TITLE_MAX} characters.`),
  description: text('More about it, as plain text or HTML; an update replaces the whole text and its attachments.'),
  status: choice(STATUSES, 'The column of the board.'),
  due_on: text('The day it is due, YYYY-MM-DD; an empty text clears it.'),
  assignee_name: text('Who does it: a name of assignees, "me", or an empty text for nobody; for list also "none".'),
  lock_version: integer('The lock_version the change is based on; if the task has changed since, it is refused.'),
  before_id: text('Moves the task before this one of the column; left out, to its end.'),
  comment: text('What to say about the task, as plain text or HTML.'),
  archived: flag('True lists the archived tasks instead.'),
  hide_done: flag('True leaves done tasks out.'),
  page: integer('Which page of a list, from 1.', { minimum: 1 }),
}

type TaskCall = ToolCall<typeof parameters>
type ShownTask = z.output<typeof TaskAnswer>
type Person = z.output<typeof Assignees>['people'][number]
type ShownEntry = z.output<typeof TaskEntry>

/** The slug of the event, or the word that stands for none; undefined where nothing was said about it. */
const eventOf = async (call: TaskCall, none: string): Promise<string | undefined> => {
  const { event_title: title } = call.given
  if (title === undefined) return undefined
  return isNone(title) ? none : call.eventSlug()
}

/** Somebody who can be given the task: who that is depends on the event it is about, or shall be about. */
const assigneeOf = async (call: TaskCall): Promise<number | null | undefined> => {
  const { assignee_name: name } = call.given
  if (name === undefined) return undefined
  if (isNone(name)) return null
  if (isMe(name)) return call.caller.actor.membershipId

  const query = { event_slug: (await eventOf(call, '')) ?? (await eventOfTask(call)) }
  const { people } = await call.ask<z.output<typeof Assignees>>(assignees, { query })
  const naming = { namesOf: (person: Person) => [person.name, person.id], show: (person: Person) => person }
  return findOneByName('assignee_name', name, people, naming).id
}

const eventOfTask = async (call: TaskCall): Promise<string | undefined> => {
  const { task_id: id } = call.given
  if (id === undefined) return undefined
  const { event } = await call.ask<ShownTask>(oneTask, { params: { id: id.trim() } })
  return event?.slug
}

const isNone = (name: string) => ['', 'none'].includes(name.trim().toLowerCase())
const isMe = (name: string) => name.trim().toLowerCase() === 'me'

/** Whoever has the tasks, by name: somebody may have some who could not be given any more. */
const isOf = (name: string | undefined, { assignee }: ShownTask) =>
  name === undefined || isNone(name) || isMe(name) || isAlike(assignee?.name ?? '', name)

const isAlike = (one: string, other: string) => one.toLowerCase() === other.trim().toLowerCase()

const fieldsOf = async (call: TaskCall) => {
  const { title, description, status, due_on, lock_version } = call.given
  return omitUndefined({
    title,
    description,
    status,
    due_on,
    event_slug: await eventOf(call, ''),
    assignee_id: await assigneeOf(call),
    lock_version,
  })
}

const showTask = (task: ShownTask) => ({ task_id: task.id, ...omitKeys(task, 'description_html') })

const showShort = ({ id, title, status, due_on, event, assignee, lock_version, archived_at }: ShownTask) => ({
  task_id: id,
  title,
  status,
  due_on,
  event,
  assignee,
  lock_version,
  archived_at,
})

const showEntry = (entry: ShownEntry) => omitKeys(entry, 'body_html')

export const manageTasks = defineTool({
  name: 'manage_tasks',
  title: 'Task board',
  says: 'The shared task board of the venue. A task may be about an event (event_title); nothing here reaches anybody outside the team.',
  parameters,
  renames: { event_slug: 'event_title', assignee_id: 'assignee_name', id: 'task_id', body: 'comment' },
  actions: {
    list: {
      says: 'The tasks of the board by position; event_title "none" finds those without an event.',
      calls: endpoint('GET /admin/tasks'),
      query: {
        event_slug: (call) => eventOf(call, 'none'),
        assignee_id: ({ given: { assignee_name: name } }) => {
          if (name === undefined || !(isNone(name) || isMe(name))) return undefined
          return isMe(name) ? 'me' : 'none'
        },
        archived: 'archived',
        hide_done: 'hide_done',
      },
      takes: ['event_title', 'assignee_name', 'query', 'page'],
      show: ({ tasks }: { tasks: ShownTask[] }, { given }) => {
        const found = tasks
          .filter((task) => isOf(given.assignee_name, task))
          .filter(({ title, description }) => containsQuery(given.query, [title, description]))
        const { shown, next_page } = pageOf(found, given.page, TASKS_MAX)
        return { count: found.length, next_page, tasks: shown.map(showShort) }
      },
    },
    show: {
      says: 'One task, also when it is archived.',
      calls: oneTask,
      path: { id: 'task_id' },
      show: showTask,
    },
    comments: {
      says: 'The comments and the history of a task, newest page first.',
      calls: endpoint('GET /admin/tasks/:task_id/comments'),
      path: { task_id: 'task_id' },
      takes: ['page'],
      show: ({ entries }: { entries: ShownEntry[] }, { given }) => {
        const { shown, next_page } = pageOf(entries.toReversed(), given.page, ENTRIES_MAX)
        return { count: entries.length, next_page, entries: shown.map(showEntry) }
      },
    },
    assignees: {
      says: 'Who can be given a task; with event_title also the event’s co-organizers.',
      calls: assignees,
      query: { event_slug: (call) => eventOf(call, '') },
      takes: ['event_title'],
    },
    create: {
      says: 'Puts a task on the board and tells its assignee.',
      calls: endpoint('POST /admin/tasks'),
      needs: ['title'],
      takes: ['description', 'status', 'due_on', 'event_title', 'assignee_name'],
      body: async (call) => ({ task: await fieldsOf(call) }),
      show: showTask,
    },
    update: {
      says: 'Changes what is sent of a task and keeps the rest; an empty event_title takes the event away.',
      calls: endpoint('PATCH /admin/tasks/:id'),
      path: { id: 'task_id' },
      takes: ['title', 'description', 'status', 'due_on', 'event_title', 'assignee_name', 'lock_version'],
      body: async (call) => ({ task: await fieldsOf(call) }),
      show: showTask,
    },
    move: {
      says: 'Moves a task within or between the columns.',
      calls: endpoint('PATCH /admin/tasks/:task_id/position'),
      path: { task_id: 'task_id' },
      needs: ['status'],
      takes: ['before_id', 'lock_version'],
      body: ({ given: { status, before_id, lock_version } }) => ({
        position: omitUndefined({ status, before_id, lock_version }),
      }),
      show: showTask,
    },
    comment: {
      says: 'Adds a comment to a task.',
      calls: endpoint('POST /admin/tasks/:task_id/comments'),
      path: { task_id: 'task_id' },
      needs: ['comment'],
      body: ({ given }) => ({ comment: { body: given.comment } }),
      show: showEntry,
    },
    archive: {
      says: 'Takes a done task off the board.',
      calls: endpoint('POST /admin/tasks/:task_id/archive'),
      path: { task_id: 'task_id' },
      takes: ['lock_version'],
      body: ({ given: { lock_version } }) => omitUndefined({ lock_version }),
      show: showTask,
    },
    restore: {
      says: 'Puts an archived task back on the board.',
      calls: endpoint('DELETE /admin/tasks/:task_id/archive'),
      path: { task_id: 'task_id' },
      takes: ['lock_version'],
      body: ({ given: { lock_version } }) => omitUndefined({ lock_version }),
      show: showTask,
    },
    remove: {
      says: 'Deletes a task with its comments, history and files.',
      calls: endpoint('DELETE /admin/tasks/:id'),
      path: { id: 'task_id' },
      confirm: 'Deletes the task with its comments, history and files; it cannot be brought back.',
    },
  },
})
