import type { CallerScope } from '../../access/scopes.ts'
import { BLANK_MESSAGE } from '../../kernel/messages.ts'
import { requireFound, refuseUnless } from '../../kernel/refusals.ts'
import { recordEmbeddedFiles, isTextBlank, lockEmbeddedFiles, parseTaskText } from '../attachments/embed-files.ts'
import { readTaskBody, inBoardTransaction } from '../change-board.ts'
import { lockTask } from '../records.ts'
import { COMMENT_MAX } from '../rules.ts'
import { publishTaskComment } from './announce-comment.ts'
import { type TaskHistoryEntry, findEntries, insertComment } from './records.ts'

/** A comment of words, of files, or of both. The task itself is not changed by it, and nobody is notified. */
export const commentOnTask = async (
  account: CallerScope,
  publicId: string,
  body: string | null,
): Promise<TaskHistoryEntry> => {
  const text = await readTaskBody(account, { publicId }, () => parseTaskText(account, 'body', body, COMMENT_MAX))

  return inBoardTransaction(account, async ({ tx, scope, tell }) => {
    const task = requireFound(await lockTask(scope, tx, publicId))
    refuseUnless(!isTextBlank(text), { body: [BLANK_MESSAGE] })

    const { stored, blobIds } = await lockEmbeddedFiles(scope, tx, text, task.id)
    const comment = { taskId: task.id, authorId: scope.actor.personId, body: stored.text, bodyHtml: stored.html }
    const entryId = await insertComment(tx, comment)
    await recordEmbeddedFiles(tx, { taskId: task.id, entryId, blobIds })
    await tell('commented', task)
    const entry = requireFound((await findEntries(tx, task.id, entryId))[0])
    await publishTaskComment(tx, scope, task, entry)
    return entry
  })
}
