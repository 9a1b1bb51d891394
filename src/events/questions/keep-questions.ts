import type { EventScope } from '../../access/scopes.ts'
import { computeChange, requireVersion } from '../../definitions/change.ts'
import { assignMissingKeys } from '../../definitions/name-things.ts'
import { insertThings, updateThing } from '../../definitions/records.ts'
import { TAKEN_MESSAGE } from '../../kernel/messages.ts'
import { Invalid, requireFound, refuseUnless } from '../../kernel/refusals.ts'
import { questionDefinition } from '../definitions.ts'
import { inPartsTransaction } from '../parts/change-parts.ts'
import { deletePart, findTakenKeysAndNextPosition, movePart } from '../parts/records.ts'
import { type EventQuestion, findQuestionUses, findEventQuestion } from './records.ts'
import { questionChangeFaults } from './rules.ts'
import type { NewQuestionInput, QuestionChangesInput } from './wire.ts'

export const createQuestion = (scope: EventScope, input: NewQuestionInput): Promise<EventQuestion> =>
  inPartsTransaction(scope, 'questions', async ({ tx, eventId, now, changed }) => {
    const { keys, next } = await findTakenKeysAndNextPosition(tx, 'questions', eventId)
    refuseUnless(input.key === null || !keys.has(input.key), { key: [TAKEN_MESSAGE] })
    const questions = assignMissingKeys([input], ({ label }) => label, 'question', keys)
    const beside = () => ({ event_id: eventId, position: next })
    const [id] = await insertThings(tx, 'questions', questionDefinition, questions, { now, beside })
    scope.note?.add({ id: id! })
    changed()
    return requireFound(await findEventQuestion(tx, eventId, id!))
  })

/** Changes what was sent and keeps the rest; answers that are there stay as they are. */
export const changeQuestion = (scope: EventScope, id: number, sent: QuestionChangesInput): Promise<EventQuestion> =>
  inPartsTransaction(scope, 'questions', async ({ tx, eventId, now, changed }) => {
    const question = requireFound(await findEventQuestion(tx, eventId, id))
    requireVersion(question, sent.lock_version, 'question')
    const { columns, keys } = computeChange(questionDefinition, question, sent, now)
    if (keys.length === 0) return question

    if (keys.includes('key')) {
      const taken = await findTakenKeysAndNextPosition(tx, 'questions', eventId)
      refuseUnless(!taken.keys.has(sent.key!), { key: [TAKEN_MESSAGE] })
    }
    if (keys.some((key) => ['type', 'scope', 'options'].includes(key))) {
      const faults = questionChangeFaults(await findQuestionUses(tx, eventId, id), keys, sent)
      if (Object.keys(faults).length > 0) throw new Invalid(faults)
    }

    await updateThing(tx, 'questions', id, columns)
    changed()
    return requireFound(await findEventQuestion(tx, eventId, id))
  })

export const moveQuestion = (
  scope: EventScope,
  id: number,
  { position, lock_version: known }: { position: number; lock_version: number | null },
): Promise<EventQuestion> =>
  inPartsTransaction(scope, 'questions', async ({ tx, eventId, changed }) => {
    const question = requireFound(await findEventQuestion(tx, eventId, id))
    requireVersion(question, known, 'question')
    await movePart(tx, 'questions', eventId, id, position - 1)
    const moved = requireFound(await findEventQuestion(tx, eventId, id))
    if (moved.position === question.position) return moved
    await updateThing(tx, 'questions', id, {})
    changed()
    return requireFound(await findEventQuestion(tx, eventId, id))
  })

export const removeQuestion = (scope: EventScope, id: number): Promise<void> =>
  inPartsTransaction(scope, 'questions', async ({ tx, eventId, changed }) => {
    requireFound(await findEventQuestion(tx, eventId, id))
    const { isAnswered } = await findQuestionUses(tx, eventId, id)
    refuseUnless(!isAnswered, 'This question was answered')
    await deletePart(tx, 'questions', eventId, id)
    changed()
  })
