import type { EventScope } from '../../access/scopes.ts'
import { changeOf, requireVersion } from '../../definitions/change.ts'
import { withKeys } from '../../definitions/name-things.ts'
import { insertThings, updateThing } from '../../definitions/records.ts'
import { TAKEN_MESSAGE } from '../../kernel/messages.ts'
import { Invalid, found, refuseUnless } from '../../kernel/refusals.ts'
import { questionDefinition } from '../definitions.ts'
import { changeParts } from '../parts/change-parts.ts'
import { deletePart, findTakenKeys, moveTo } from '../parts/records.ts'
import { type EventQuestion, findAnswers, findEventQuestion } from './records.ts'
import { faultsOfChange } from './rules.ts'
import type { NewQuestionInput, QuestionChanges } from './wire.ts'

export const createQuestion = (scope: EventScope, input: NewQuestionInput): Promise<EventQuestion> =>
  changeParts(scope, 'questions', async ({ tx, eventId, now, changed }) => {
    const { keys, next } = await findTakenKeys(tx, 'questions', eventId)
    refuseUnless(input.key === null || !keys.has(input.key), { key: [TAKEN_MESSAGE] })
    const questions = withKeys([input], ({ label }) => label, 'question', keys)
    const beside = () => ({ event_id: eventId, position: next })
    const [id] = await insertThings(tx, 'questions', questionDefinition, questions, { now, beside })
    scope.note?.add({ id: id! })
    changed()
    return found(await findEventQuestion(tx, eventId, id!))
  })

/** Changes what was sent and keeps the rest; answers that are there stay as they are. */
export const changeQuestion = (scope: EventScope, id: number, sent: QuestionChanges): Promise<EventQuestion> =>
  changeParts(scope, 'questions', async ({ tx, eventId, now, changed }) => {
    const question = found(await findEventQuestion(tx, eventId, id))
    requireVersion(question, sent.lock_version, 'question')
    const { columns, keys } = changeOf(questionDefinition, question, sent, now)
    if (keys.length === 0) return question

    if (keys.includes('key')) {
      const taken = await findTakenKeys(tx, 'questions', eventId)
      refuseUnless(!taken.keys.has(sent.key!), { key: [TAKEN_MESSAGE] })
    }
    if (keys.some((key) => ['type', 'scope', 'options'].includes(key))) {
      const faults = faultsOfChange(await findAnswers(tx, eventId, id), keys, sent)
      if (Object.keys(faults).length > 0) throw new Invalid(faults)
    }

    await updateThing(tx, 'questions', id, columns)
    changed()
    return found(await findEventQuestion(tx, eventId, id))
  })

export const moveQuestion = (
  scope: EventScope,
  id: number,
  { position, lock_version: known }: { position: number; lock_version: number | null },
): Promise<EventQuestion> =>
  changeParts(scope, 'questions', async ({ tx, eventId, changed }) => {
    const question = found(await findEventQuestion(tx, eventId, id))
    requireVersion(question, known, 'question')
    await moveTo(tx, 'questions', eventId, id, position - 1)
    const moved = found(await findEventQuestion(tx, eventId, id))
    if (moved.position === question.position) return moved
    await updateThing(tx, 'questions', id, {})
    changed()
    return found(await findEventQuestion(tx, eventId, id))
  })

export const removeQuestion = (scope: EventScope, id: number): Promise<void> =>
  changeParts(scope, 'questions', async ({ tx, eventId, changed }) => {
    found(await findEventQuestion(tx, eventId, id))
    const { isAnswered } = await findAnswers(tx, eventId, id)
    refuseUnless(!isAnswered, 'This question was answered')
    await deletePart(tx, 'questions', eventId, id)
    changed()
  })
