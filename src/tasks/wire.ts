import { z } from 'zod'
import type { AppServices } from '../access/app.ts'
import { envelope, unwrappedBody } from '../http/body.ts'
import {
  choice,
  choiceWithDefault,
  optionalDate,
  optionalInteger,
  optionalRowId,
  optionalText,
  queryText,
  querySwitch,
  requiredText,
} from '../http/fields.ts'
import { CalendarDate, Timestamp, exampleOf, named, showTimestamp, showTimestampOrNull } from '../http/wire.ts'
import { Attachment, showAttachment, showTextWithFiles } from './attachments/wire.ts'
import type { AssigneeCandidate, Task } from './records.ts'
import { MARKUP_MAX, STATUSES, TITLE_MAX } from './rules.ts'

export const BoardQuery = z.object({
  event_slug: queryText(),
  archived: querySwitch(),
  hide_done: querySwitch(),
  assignee_id: queryText(),
})

export const NewTask = envelope(
  'task',
  z.object({
    title: requiredText(TITLE_MAX),
    description: optionalText(MARKUP_MAX),
    status: choiceWithDefault('open', STATUSES),
    due_on: optionalDate(),
    event_slug: optionalText(),
    assignee_id: optionalRowId(),
  }),
)

export const TaskEdit = envelope(
  'task',
  z.object({
    title: requiredText(TITLE_MAX).optional(),
    description: optionalText(MARKUP_MAX).optional(),
    status: choice(STATUSES).optional(),
    due_on: optionalDate().optional(),
    event_slug: optionalText().optional(),
    assignee_id: optionalRowId().optional(),
    lock_version: optionalInteger(),
  }),
)

export const TaskPositionBody = envelope(
  'position',
  z.object({ status: choice(STATUSES), before_id: optionalText(), lock_version: optionalInteger() }),
)

export const LockVersionBody = unwrappedBody(z.object({ lock_version: optionalInteger() }))

export type NewTaskInput = ReturnType<typeof NewTask.read>
export type TaskEditInput = ReturnType<typeof TaskEdit.read>
export type PositionInput = ReturnType<typeof TaskPositionBody.read>

export const TaskAnswer = named(
  'Task',
  z.object({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    description_html: z.string(),
    attachments: z.array(Attachment),
    archived_at: Timestamp.nullable(),
    status: z.enum(STATUSES),
    position: z.int(),
    lock_version: z.int(),
    due_on: CalendarDate.nullable(),
    event: z.object({ slug: z.string(), title: z.string() }).nullable(),
    assignee: z.object({ id: z.int(), name: z.string() }).nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  {
    id: '4XkPz8sQm2VfRb6NwYc9Td',
    title: 'Order wristbands',
    description: '500 pieces, blue',
    description_html: '<p>500 pieces, <strong>blue</strong></p>',
    attachments: [],
    archived_at: null,
    status: 'open',
    position: 1,
    lock_version: 0,
    due_on: '2030-01-31',
    event: { slug: 'winter-gala', title: 'Winter Gala of the Kaispeicher' },
    assignee: { id: 2, name: 'Mara Manager' },
    created_at: '2030-01-17T09:00:00.000Z',
    updated_at: '2030-01-17T09:00:00.000Z',
  },
)

export const Board = named('TaskBoard', z.object({ tasks: z.array(TaskAnswer) }), { tasks: [exampleOf(TaskAnswer)!] })

export const Assignees = named(
  'TaskAssignees',
  z.object({ people: z.array(z.object({ id: z.int(), name: z.string() })) }),
  { people: [{ id: 2, name: 'Mara Manager' }] },
)

export const showTask = (app: AppServices, task: Task): z.output<typeof TaskAnswer> => ({
  id: task.publicId,
  title: task.title,
  description: task.description,
  description_html: showTextWithFiles(app, task.descriptionHtml, task.files),
  attachments: task.files.map((file) => showAttachment(app, file)),
  archived_at: showTimestampOrNull(task.archivedAt),
  status: task.status,
  position: task.position,
  lock_version: task.lockVersion,
  due_on: task.dueOn,
  event: task.eventId === null ? null : { slug: task.eventSlug!, title: task.eventTitle! },
  assignee: task.assigneeId === null ? null : { id: task.assigneeId, name: task.assigneeName! },
  created_at: showTimestamp(task.createdAt),
  updated_at: showTimestamp(task.updatedAt),
})

export const showAssignees = (people: AssigneeCandidate[]) => ({ people })
