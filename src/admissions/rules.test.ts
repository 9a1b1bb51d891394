import { expect, test } from 'vitest'
import { isCountry } from './countries.ts'
import { type Question, type OrderableTicket, attendeeNameOf, chooseStandingArea, validateAnswers } from './rules.ts'

const question = (change: Partial<Question>): Question => ({
  id: 1,
  label: 'Q',
  type: 'text',
  scope: 'order',
  required: false,
  completeLater: false,
  options: [],
  helpText: null,
  ...change,
})

const judge = (change: Partial<Question>, value: unknown) => validateAnswers([question(change)], { 1: value })

test.each<[Partial<Question>, unknown, unknown]>([
  [{}, ' hello ', 'hello'],
  [{}, 7, '7'],
  [{ type: 'textarea' }, 'a\nb', 'a\nb'],
  [{ type: 'select', options: ['S', 'L'] }, 'L', 'L'],
  [{ type: 'multi_select', options: ['a', 'b', 'c'] }, ['c', 'a', 'c', ''], ['a', 'c']],
  [{ type: 'multi_select', options: ['a', 'b'] }, 'b', ['b']],
  [{ type: 'checkbox' }, '1', true],
  [{ type: 'checkbox' }, false, false],
  [{ type: 'number' }, '-3.5', '-3.5'],
  [{ type: 'date' }, '2028-02-29', '2028-02-29'],
  [{ type: 'email' }, 'Ada@Guest.example', 'Ada@Guest.example'],
  [{ type: 'phone' }, '+49 (0)40 123-456', '+49 (0)40 123-456'],
])('%o takes %o', (change, value, stored) => {
  expect(judge(change, value)).toEqual({ answers: { 1: stored }, faults: [] })
  expect(judge(change, stored)).toEqual({ answers: { 1: stored }, faults: [] })
})

test.each<[Partial<Question>, unknown, string]>([
  [{}, { deep: true }, 'Q is invalid'],
  [{}, 'a\0b', 'Q is invalid'],
  [{}, '\ud800', 'Q is invalid'],
  [{}, 'x'.repeat(5001), 'Q is too long (maximum is 5000 characters)'],
  [{ type: 'select', options: ['S'] }, 's', 'Q is not included in the list'],
  [{ type: 'multi_select', options: ['S'] }, ['S', 'M'], 'Q is not included in the list'],
  [{ type: 'checkbox' }, 'perhaps', 'Q is invalid'],
  [{ type: 'checkbox', required: true }, false, 'Q must be accepted'],
  [{ type: 'number' }, 'ten', 'Q is not a number'],
  [{ type: 'date' }, '2027-02-29', 'Q is invalid'],
  [{ type: 'date' }, '29.2.2028', 'Q is invalid'],
  [{ type: 'email' }, 'ada', 'Q is invalid'],
  [{ type: 'phone' }, 'call me', 'Q is invalid'],
  [{ required: true }, '  ', "Q can't be blank"],
  [{ required: true }, undefined, "Q can't be blank"],
  [{ type: 'multi_select', options: ['S'], required: true }, [], "Q can't be blank"],
])('%o refuses %o', (change, value, fault) => {
  expect(judge(change, value)).toEqual({ answers: {}, faults: [fault] })
})

test('what may be completed later may be open, but not wrong', () => {
  expect(judge({ required: true, completeLater: true }, '')).toEqual({ answers: {}, faults: [] })
  expect(judge({ required: true, completeLater: true, type: 'number' }, 'x').faults).toEqual(['Q is not a number'])
})

test('answers to questions that nobody asked are dropped', () => {
  expect(validateAnswers([question({})], { 1: 'a', 2: 'b', toString: 'c' })).toEqual({
    answers: { 1: 'a' },
    faults: [],
  })
  expect(validateAnswers([question({ id: 5 })], Object.create({ 5: 'inherited' }))).toEqual({ answers: {}, faults: [] })
})

test('a name at the door', () => {
  const order = { customerName: 'Ada' }
  expect(attendeeNameOf(order, { isLead: true, attendeeName: 'ignored' })).toBe('Ada')
  expect(attendeeNameOf(order, { isLead: false, attendeeName: 'Bob' })).toBe('Bob')
  expect(attendeeNameOf(order, { isLead: false, attendeeName: null })).toBe('Guest of Ada')
})

test('a single standing area needs no choice, none at all has no room', () => {
  const ticket = (areas: number[]): OrderableTicket => ({
    id: 1,
    title: 'T',
    kind: 'StandardTicket',
    inventoryKind: 'standing',
    isArchived: false,
    standingAreas: areas.map((id) => ({ id, name: `Area ${id}` })),
  })
  expect(chooseStandingArea(ticket([4]), null).area?.id).toBe(4)
  expect(chooseStandingArea(ticket([4, 5]), 5).area?.id).toBe(5)
  expect(chooseStandingArea(ticket([4, 5]), null).fault).toBe("can't be blank")
  expect(chooseStandingArea(ticket([]), null).fault).toBe('Not enough places available')
  expect(chooseStandingArea({ ...ticket([]), inventoryKind: 'ga' }, null)).toEqual({ area: null, fault: null })
})

test('countries are those that ISO has assigned', () => {
  expect(['DE', 'GB', 'US', 'ZW', 'AX'].every(isCountry)).toBe(true)
  expect(['ZZ', 'EU', 'UK', 'de', 'XK', ''].some(isCountry)).toBe(false)
})
