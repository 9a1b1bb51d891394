import type { CallerScope } from '../../access/scopes.ts'
import { BLANK_MESSAGE } from '../../kernel/messages.ts'
import { found, refuseUnless } from '../../kernel/refusals.ts'
import { embedFiles, isBlank, lockEmbeds, readText } from '../attachments/embed-files.ts'
import { readBodyFor, changeBoard } from '../change-board.ts'
import { lockTask } from '../records.ts'
import { COMMENT_MAX } from '../rules.ts'
import { announceComment } from './announce-comment.ts'
import { type Entry, findEntries, insertComment } from './records.ts'

/** A comment of words, of files, or of both. The task itself is not changed by it, and nobody is notified. */
export const commentOnTask = async (account: CallerScope, publicId: string, body: string | null): Promise<Entry> => {
  const text = await readBodyFor(account, { publicId }, () => readText(account, 'body', body, COMMENT_MAX))

  return changeBoard(account, async ({ tx, scope, tell }) => {
    const task = found(await lockTask(scope, tx, publicId))
    refuseUnless(!isBlank(text), { body: [BLANK_MESSAGE] })

    const { stored, blobIds } = await lockEmbeds(scope, tx, text, task.id)
    const comment = { taskId: task.id, authorId: scope.actor.personId, body: stored.text, bodyHtml: stored.html }
    const entryId = await insertComment(tx, comment)
    await embedFiles(tx, { taskId: task.id, entryId, blobIds })
    await tell('commented', task)
    const entry = found((await findEntries(tx, task.id, entryId))[0])
    await announceComment(tx, scope, task, entry)
    return entry
  })
}
