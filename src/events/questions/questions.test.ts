import { expect, test } from 'vitest'
import { openSignups } from '../../../test/kit/venue/signups.ts'
import { openVenue } from '../../../test/kit/venue/venue.ts'
import { openWinterBall } from '../../../test/kit/venue/winter-ball.ts'

const PATH = '/admin/events/winter-ball/questions'

test('a question is added, shown, changed by what is sent, moved and deleted', async () => {
  const { office, reader } = await openVenue()
  const made = await office.post(PATH, {
    question: { label: 'Shirt size', type: 'select', scope: 'attendee', options: ['S', 'M'], required: true },
  })
  expect(made.status, made.text).toBe(201)
  expect(made.body).toMatchObject({
    key: 'shirt-size',
    label: 'Shirt size',
    type: 'select',
    scope: 'attendee',
    required: true,
    complete_later: false,
    required_upfront: true,
    options: ['S', 'M'],
    help_text: null,
    position: 4,
    lock_version: 0,
  })
  expect((await reader.get(PATH)).body.questions.at(-1)).toEqual(made.body)
  const changed = await office.patch(`${PATH}/${made.body.id}`, {
    question: { type: 'text', options: [], help_text: 'We order on Friday', lock_version: 0 },
  })
  expect(changed.body).toMatchObject({ type: 'text', options: [], help_text: 'We order on Friday', lock_version: 1 })
  expect(await office.patch(`${PATH}/${made.body.id}`, { question: { label: 'x', lock_version: 0 } })).toRefuse(409, {
    base: ['This question was changed by someone else; reload and try again'],
  })
  expect((await office.patch(`${PATH}/${made.body.id}/position`, { position: 1 })).body.position).toBe(1)
  expect((await office.delete(`${PATH}/${made.body.id}`)).status).toBe(204)
  const left = (await reader.get(PATH)).body.questions
  expect(left.map(({ key }: { key: string }) => key)).toEqual(['heard', 'terms', 'diet'])
})

test('what was answered keeps its type, whom it asks, and the options that were chosen', async () => {
  const ball = await openWinterBall()
  const { office, questions } = ball
  const { heard, diet, terms } = questions
  await ball.party({
    custom_field_answers: { [heard!]: 'Radio' },
    attendee_custom_field_answers: { 0: { [diet!]: 'vegan' } },
  })
  const change = (id: number | undefined, question: object) => office.patch(`${PATH}/${id}`, { question })
  const answered = "can't be changed: the question was answered"
  expect(await change(diet, { type: 'textarea' })).toRefuse(422, { type: [answered] })
  expect(await change(diet, { scope: 'order' })).toRefuse(422, { scope: [answered] })
  expect(await change(heard, { type: 'text', options: [] })).toRefuse(422, { type: [answered] })
  expect(await change(heard, { options: ['Friends', 'Press'] })).toRefuse(422, {
    options: ['must include what was chosen: Radio'],
  })
  expect((await change(heard, { options: ['Press', 'Radio'], label: 'Where from?' })).status).toBe(200)
  for (const id of [heard, diet]) {
    expect(await office.delete(`${PATH}/${id}`)).toRefuse(422, { base: ['This question was answered'] })
  }
  expect((await change(terms, { type: 'text' })).status).toBe(200)
  expect((await office.delete(`${PATH}/${terms}`)).status).toBe(204)
})

test('what a signup request answers counts as answered', async () => {
  const ball = await openSignups()
  const { terms } = ball.questions
  const form = await ball.link({ asks_questions: true })
  const sent = await ball.sendJson(form.public_url, {
    guest_request: { name: 'Ada', email: 'ada@guest.example', answers: { [terms!]: true } },
  })
  expect(sent.status, sent.text).toBeLessThan(400)
  expect(await ball.office.delete(`${PATH}/${terms}`)).toRefuse(422, { base: ['This question was answered'] })
})

test('bad input of questions is refused by field', async () => {
  const { office, report } = await openVenue()
  const before = (await office.get(PATH)).text
  const question = { label: 'x', type: 'text', scope: 'order' }
  const cases: [object, Record<string, string[]>][] = [
    [{ ...question, type: 'colour' }, { type: ['is not included in the list'] }],
    [{ label: 'x', type: 'text' }, { scope: ['is not included in the list'] }],
    [{ ...question, type: 'select' }, { options: ["can't be blank"] }],
    [{ ...question, options: ['a'] }, { options: ['must be blank'] }],
    [{ ...question, type: 'select', options: ['a', 'a'] }, { options: ['has the same entry twice'] }],
    [{ ...question, label: 'x'.repeat(1_001) }, { label: ['is too long (maximum is 1000 characters)'] }],
    [{ ...question, key: 'diet' }, { key: ['has already been taken'] }],
  ]
  for (const [sent, errors] of cases) expect(await office.post(PATH, { question: sent })).toRefuse(422, errors)
  const { diet } = report.events['winter-ball']!.questions
  expect(await office.patch(`${PATH}/${diet}`, { question: { type: 'select' } })).toRefuse(422, {
    options: ["can't be blank"],
  })
  expect((await office.get(PATH)).text).toBe(before)
})
