import type { CallerScope } from '../access/scopes.ts'
import { newPublicId } from '../kernel/public-ids.ts'
import { requireFound } from '../kernel/refusals.ts'
import { recordEmbeddedFiles, lockEmbeddedFiles, parseTaskText } from './attachments/embed-files.ts'
import { requireAssignee, requireTaskEvent, notifyAssignee, inBoardTransaction } from './change-board.ts'
import { insertTask } from './columns/records.ts'
import { type NewEntry, insertTaskEntries } from './entries/records.ts'
import { type Task, findTask } from './records.ts'
import { DESCRIPTION_MAX } from './rules.ts'
import type { NewTaskInput } from './wire.ts'

export const createTask = async (account: CallerScope, input: NewTaskInput): Promise<Task> => {
  const event = await requireTaskEvent(account, input.event_slug)
  const text = await parseTaskText(account, 'description', input.description, DESCRIPTION_MAX)

  return inBoardTransaction(account, async (writing) => {
    const { tx, scope } = writing
    const eventId = event?.id ?? null
    const assignee = input.assignee_id === null ? null : await requireAssignee(tx, input.assignee_id, eventId)
    const { stored, blobIds } = await lockEmbeddedFiles(scope, tx, text, null)

    const publicId = newPublicId()
    const id = await insertTask(tx, {
      publicId,
      title: input.title,
      descriptionHtml: stored.html,
      description: stored.text,
      status: input.status,
      dueOn: input.due_on,
      eventId,
      assigneeId: assignee?.id ?? null,
      creatorId: scope.actor.personId,
    })
    await recordEmbeddedFiles(tx, { taskId: id, entryId: null, blobIds })

    const history: NewEntry[] = [{ kind: 'created' }]
    if (assignee) history.push({ kind: 'assignment', name: assignee.name })
    await insertTaskEntries(tx, id, scope.actor.personId, history)
    if (assignee) await notifyAssignee(writing, { id, publicId, title: input.title, eventId }, assignee.id)
    await writing.tell('created', { publicId, eventId })
    return requireFound(await findTask(scope, publicId))
  })
}
