import { z } from 'zod'
import { showThing, wireShape } from '../../definitions/answers.ts'
import { changeBody, creationBody } from '../../definitions/bodies.ts'
import type { ShowContext } from '../../definitions/kinds.ts'
import { optionalInteger } from '../../http/fields.ts'
import { Timestamp, exampleOf, named, showTimestamp } from '../../http/wire.ts'
import { questionDefinition } from '../definitions.ts'
import type { EventQuestion } from './records.ts'

export const NewQuestionBody = creationBody('question', questionDefinition, () => ({}))
export const QuestionChangesBody = changeBody('question', questionDefinition, () => ({
  lock_version: optionalInteger(),
}))

export type NewQuestionInput = ReturnType<typeof NewQuestionBody.read>
export type QuestionChangesInput = ReturnType<typeof QuestionChangesBody.read>

export const QuestionAnswer = named(
  'EventQuestion',
  z.object({
    id: z.int(),
    ...wireShape(questionDefinition),
    required_upfront: z.boolean(),
    position: z.int(),
    lock_version: z.int(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  {
    id: 12,
    key: 'diet',
    label: 'Diet',
    type: 'text',
    scope: 'attendee',
    required: true,
    complete_later: true,
    required_upfront: false,
    options: [],
    help_text: null,
    position: 1,
    lock_version: 0,
    created_at: '2026-10-01T09:00:00.000Z',
    updated_at: '2026-10-01T09:00:00.000Z',
  },
)

export const QuestionAnswers = named('EventQuestions', z.object({ questions: z.array(QuestionAnswer) }), {
  questions: [exampleOf(QuestionAnswer)!],
})

export const showQuestion = (question: EventQuestion, terms: ShowContext): z.output<typeof QuestionAnswer> => ({
  ...showThing(questionDefinition, question.thing, terms),
  id: question.id,
  required_upfront: question.thing.required && !question.thing.complete_later,
  position: question.position + 1,
  lock_version: question.lockVersion,
  created_at: showTimestamp(question.createdAt),
  updated_at: showTimestamp(question.updatedAt),
})
