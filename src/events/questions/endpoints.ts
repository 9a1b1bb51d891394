import { organizerOfEvent, setupManagementOfEvent } from '../../access/access.ts'
import type { EventScope } from '../../access/scopes.ts'
import { requireVersion } from '../../definitions/change.ts'
import { created, noContent, ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { readLockVersion, readLockVersionInEnvelope } from '../../http/lock-version.ts'
import { parsePathId } from '../../http/path-ids.ts'
import type { PrecedingCall } from '../../http/example-setup.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { setupOnNewEvent } from '../parts/example-setups.ts'
import { PositionBody } from '../parts/wire.ts'
import { changeQuestion, createQuestion, moveQuestion, removeQuestion } from './keep-questions.ts'
import { findEventQuestion, findEventQuestions } from './records.ts'
import { NewQuestionBody, QuestionAnswer, QuestionAnswers, QuestionChangesBody, showQuestion } from './wire.ts'

const newQuestion: PrecedingCall = {
  call: 'POST /admin/events/$event_slug/questions',
  body: { question: { label: 'Shirt size', type: 'select', scope: 'attendee', options: ['S', 'M', 'L'] } },
  take: [{ key: 'id', as: 'id' }],
}

const requireQuestion = async ({ event, params }: { event: EventScope; params: { id: string } }) =>
  requireFound(await findEventQuestion(event.rows, event.event.id, parsePathId(params.id)))

const questions = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/questions',
  operationId: 'listQuestions',
  says: 'The questions of an event, asked once for an order or of every attendee.',
  access: organizerOfEvent('read'),
  answers: { 200: QuestionAnswers },
  handle: async ({ event }) => {
    const all = await findEventQuestions(event.rows, event.event.id)
    return ok({ questions: all.map((question) => showQuestion(question, event.account)) })
  },
})

const questionCreation = endpoint({
  method: 'POST',
  path: '/admin/events/:event_slug/questions',
  operationId: 'createQuestion',
  says: 'Adds a question to an event, asked after the others.',
  access: setupManagementOfEvent('write'),
  body: NewQuestionBody,
  example: { question: { label: 'Shirt size', type: 'select', scope: 'attendee', options: ['S', 'M', 'L'] } },
  exampleSetup: setupOnNewEvent(),
  answers: { 201: QuestionAnswer },
  creates: true,
  handle: async ({ event, body }) => {
    const made = await createQuestion(event, body)
    return created(showQuestion(made, event.account), `/admin/events/${event.event.slug}/questions`)
  },
})

const questionChange = endpoint({
  method: 'PATCH',
  path: '/admin/events/:event_slug/questions/:id',
  operationId: 'updateQuestion',
  says: 'Changes what is sent of a question and keeps the rest. Once it was answered its type and scope stay, and so do the options that were chosen.',
  access: setupManagementOfEvent('write'),
  integerParams: ['id'],
  body: QuestionChangesBody,
  example: { question: { options: ['S', 'M', 'L', 'XL'], required: true, lock_version: 0 } },
  exampleSetup: setupOnNewEvent(newQuestion),
  answers: { 200: QuestionAnswer },
  exists: async (asked) =>
    requireVersion(await requireQuestion(asked), readLockVersionInEnvelope(asked.sent, 'question'), 'question'),
  handle: async ({ event, params, body }) =>
    ok(showQuestion(await changeQuestion(event, parsePathId(params.id), body), event.account)),
})

const questionPosition = endpoint({
  method: 'PATCH',
  path: '/admin/events/:event_slug/questions/:id/position',
  operationId: 'moveQuestion',
  says: 'Moves a question to a position from 1; the others close up and make room.',
  access: setupManagementOfEvent('write'),
  integerParams: ['id'],
  body: PositionBody,
  example: { position: 1 },
  exampleSetup: setupOnNewEvent(newQuestion),
  answers: { 200: QuestionAnswer },
  exists: async (asked) => requireVersion(await requireQuestion(asked), readLockVersion(asked.sent), 'question'),
  handle: async ({ event, params, body }) =>
    ok(showQuestion(await moveQuestion(event, parsePathId(params.id), body), event.account)),
})

const questionRemoval = endpoint({
  method: 'DELETE',
  path: '/admin/events/:event_slug/questions/:id',
  operationId: 'deleteQuestion',
  says: 'Deletes a question that nobody has answered.',
  access: setupManagementOfEvent('write'),
  integerParams: ['id'],
  exampleSetup: setupOnNewEvent(newQuestion),
  answers: { 204: null },
  handle: async ({ event, params }) => {
    await removeQuestion(event, parsePathId(params.id))
    return noContent()
  },
})

export const questionEndpoints = [questions, questionCreation, questionChange, questionPosition, questionRemoval]
