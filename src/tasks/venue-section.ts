import type { z } from 'zod'
import { newPublicId } from '../kernel/public-ids.ts'
import { TOO_MUCH_MARKUP, characterCount } from '../kernel/messages.ts'
import { type JsonPath, faultAt } from '../loading/fault.ts'
import {
  type ReadingContext,
  calendarDate,
  email,
  flag,
  key,
  list,
  longText,
  oneOf,
  optional,
  text,
  strictObject,
} from '../loading/fields.ts'
import { drawIds, insertRows } from '../loading/records.ts'
import { type LoadContext, type Section, findByKey } from '../loading/section.ts'
import { ownText, readRichText, storeRichText } from '../rich-text/attachments.ts'
import { TooMuchMarkup } from '../rich-text/parse.ts'
import { DESCRIPTION_MAX, STATUSES, TITLE_MAX } from './rules.ts'

const TaskInput = (terms: ReadingContext) =>
  strictObject({
    title: text(TITLE_MAX),
    description: optional(longText()),
    status: oneOf(STATUSES).default('open'),
    due_on: optional(calendarDate(terms)),
    event: optional(key()),
    assignee: optional(email()),
    archived: flag(false),
  }).refine((task) => !task.archived || task.status === 'done', {
    path: ['archived'],
    error: 'only done tasks are archived',
  })

type Input = z.output<ReturnType<typeof TaskInput>>

/** The board, in the order of the file. The account owner created it all; nobody is notified. */
export const tasksSection: Section<Input[]> = {
  key: 'tasks',
  schema: (terms) => list(TaskInput(terms)),
  load: async (context, tasks, place) => {
    const { tx, people, events, terms } = context
    const ids = await drawIds(tx, 'tasks', tasks.length)
    const positions = new Map<string, number>()
    const owner = ownerOf(context)

    const named = tasks.map((task, n) => ({
      task,
      id: ids[n]!,
      event: task.event === null ? null : findByKey(events, task.event, [...place, n, 'event'], 'event'),
      assignee: task.assignee === null ? null : findByKey(people, task.assignee, [...place, n, 'assignee'], 'person'),
      ...readDescription(task.description, [...place, n, 'description']),
    }))

    await insertRows(
      tx,
      'tasks',
      named.map(({ task, id, event, assignee, html, text: plain }) => ({
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
        creator_id: owner,
        lock_version: 0,
        created_at: terms.now,
        updated_at: terms.now,
      })),
    )
    await insertRows(
      tx,
      'task_entries',
      named.flatMap(({ id, assignee }) => [
        entry(id, owner, 'created', {}),
        ...(assignee ? [entry(id, owner, 'assignment', { name: assignee.name })] : []),
      ]),
    )
  },
}

const entry = (taskId: number, authorId: number, kind: 'created' | 'assignment', details: { name?: string }) => ({
  public_id: newPublicId(),
  task_id: taskId,
  kind,
  details,
  author_id: authorId,
})

const nextIn = (positions: Map<string, number>, column: string) => {
  const position = (positions.get(column) ?? 0) + 1
  positions.set(column, position)
  return position
}

/** The first active owner of the file, which every file has. */
const ownerOf = ({ people }: LoadContext): number =>
  Array.from(people.values()).find((member) => member.role === 'owner' && member.isActive)!.personId

const readDescription = (description: string | null, place: JsonPath) => {
  try {
    const written = readRichText(description ?? '')
    if (characterCount(ownText(written)) > DESCRIPTION_MAX)
      throw faultAt(place, `has more than ${DESCRIPTION_MAX} characters`)
    return storeRichText(written, () => null)
  } catch (error) {
    throw error instanceof TooMuchMarkup ? faultAt(place, TOO_MUCH_MARKUP) : error
  }
}
