import type { z } from 'zod'
import { newPublicId } from '../kernel/public-ids.ts'
import { TOO_MUCH_MARKUP_MESSAGE, characterCount } from '../kernel/messages.ts'
import { type JsonPath, fileFaultAt } from '../loading/fault.ts'
import {
  type ReadingContext,
  calendarDate,
  email,
  flag,
  keyText,
  list,
  longText,
  oneOf,
  optional,
  text,
  strictObject,
  timestamp,
} from '../loading/fields.ts'
import { allocateIds, insertRows } from '../loading/records.ts'
import { type LoadContext, type Section, findByKey } from '../loading/section.ts'
import { textWithoutAttachments, parseRichText, renderForStorage } from '../rich-text/attachments.ts'
import { TooMuchMarkup } from '../rich-text/parse.ts'
import { exportTasks } from './export/export-tasks.ts'
import { COMMENT_MAX, DESCRIPTION_MAX, STATUSES, TITLE_MAX } from './rules.ts'

const CommentInput = (terms: ReadingContext) =>
  strictObject({ author: optional(email()), body: longText(), created_at: timestamp(terms).default(() => terms.now) })

const TaskInput = (terms: ReadingContext) =>
  strictObject({
    title: text(TITLE_MAX),
    description: optional(longText()),
    status: oneOf(STATUSES).default('open'),
    due_on: optional(calendarDate(terms)),
    event: optional(keyText()),
    assignee: optional(email()),
    archived: flag(false),
    created_at: timestamp(terms).default(() => terms.now),
    /** The account owner, where nobody is named. */
    creator: optional(email()),
    comments: list(CommentInput(terms)),
  }).refine((task) => !task.archived || task.status === 'done', {
    path: ['archived'],
    error: 'only done tasks are archived',
  })

type CommentInput = z.output<ReturnType<typeof CommentInput>>
type Input = z.output<ReturnType<typeof TaskInput>>

/** The board, in the order of the file. Nobody is notified. */
export const tasksSection: Section<Input[]> = {
  key: 'tasks',
  schema: (terms) => list(TaskInput(terms)),
  load: async (context, tasks, place) => {
    const { tx, people, events, terms } = context
    const ids = await allocateIds(tx, 'tasks', tasks.length)
    const positions = new Map<string, number>()
    const owner = ownerOf(context)

    const named = tasks.map((task, n) => ({
      task,
      id: ids[n]!,
      event: task.event === null ? null : findByKey(events, task.event, [...place, n, 'event'], 'event'),
      assignee: task.assignee === null ? null : findByKey(people, task.assignee, [...place, n, 'assignee'], 'person'),
      creatorId: task.creator === null ? owner : personOf(context, task.creator, [...place, n, 'creator']),
      comments: task.comments.map((comment, m) => readComment(context, comment, [...place, n, 'comments', m])),
      ...readBody(task.description, DESCRIPTION_MAX, [...place, n, 'description']),
    }))

    await insertRows(
      tx,
      'tasks',
      named.map(({ task, id, event, assignee, creatorId, html, text: plain }) => ({
        id,
        public_id: newPublicId(),
        title: task.title,
        description_html: html,
        description: plain,
        status: task.status,
        position: nextIn(positions, `${task.status} ${task.archived}`),
        due_on: task.due_on,
        event_id: event?.id ?? null,
        assignee_id: assignee?.membershipId ?? null,
        archived_at: task.archived ? terms.now : null,
        creator_id: creatorId,
        lock_version: 0,
        created_at: task.created_at,
        updated_at: task.created_at,
      })),
    )
    await insertRows(
      tx,
      'task_entries',
      named.flatMap(({ task, id, assignee, creatorId, comments }) => {
        const made = { task_id: id, author_id: creatorId, created_at: task.created_at }
        return [
          entry({ ...made, kind: 'created' }),
          ...(assignee ? [entry({ ...made, kind: 'assignment', details: { name: assignee.name } })] : []),
          ...comments.map((comment) => entry({ task_id: id, kind: 'comment', ...comment })),
        ]
      }),
    )
  },
  export: exportTasks,
}

interface EntryRow {
  task_id: number
  kind: 'created' | 'assignment' | 'comment'
  author_id: number | null
  created_at: Date
  details?: { name?: string }
  body_html?: string
  body?: string
}

const entry = (row: EntryRow) => ({ body_html: null, body: null, details: {}, ...row, public_id: newPublicId() })

const readComment = (context: LoadContext, { author, body, created_at }: CommentInput, place: JsonPath) => {
  const { html, text: plain } = readBody(body, COMMENT_MAX, [...place, 'body'])
  return {
    author_id: author === null ? null : personOf(context, author, [...place, 'author']),
    body_html: html,
    body: plain,
    created_at,
  }
}

const personOf = ({ people }: LoadContext, address: string, place: JsonPath): number =>
  findByKey(people, address, place, 'person').personId

const nextIn = (positions: Map<string, number>, column: string) => {
  const position = (positions.get(column) ?? 0) + 1
  positions.set(column, position)
  return position
}

/** The first active owner of the file, which every file has. */
const ownerOf = ({ people }: LoadContext): number =>
  Array.from(people.values()).find((member) => member.role === 'owner' && member.isActive)!.personId

const readBody = (text: string | null, most: number, place: JsonPath) => {
  try {
    const written = parseRichText(text ?? '')
    if (characterCount(textWithoutAttachments(written)) > most)
      throw fileFaultAt(place, `has more than ${most} characters`)
    return renderForStorage(written, () => null)
  } catch (error) {
    throw error instanceof TooMuchMarkup ? fileFaultAt(place, TOO_MUCH_MARKUP_MESSAGE) : error
  }
}
