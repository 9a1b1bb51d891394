import type { Question } from '../../admissions/rules.ts'
import { isRequiredUpfront } from '../../admissions/rules.ts'
import { isRecord } from '../../http/body.ts'
import { type Html, html } from '../../kernel/html.ts'
import { checkboxField, checkboxOrRadioGroup, longTextField, selectField, textField } from '../../pages/form.ts'
import { type FilledForm, type LabelledInput, formField } from './parts.ts'
import { SIGNUP_WORDS } from './words.ts'

const ANSWER_MAX = 5000

const TYPES: Partial<Record<Question['type'], Html>> = {
  text: html`type="text"`,
  number: html`type="text" inputmode="decimal"`,
  date: html`type="date"`,
  email: html`type="email" autocomplete="off"`,
  phone: html`type="tel" autocomplete="off"`,
}

/** One checkout question as the signup page asks it. */
export const questionInput = (filled: FilledForm, question: Question): Html => {
  const answers = filled.given['answers']
  const value = isRecord(answers) ? answers[String(question.id)] : undefined
  const input: LabelledInput = {
    field: 'answers',
    part: question.id,
    name: `guest_request[answers][${question.id}]`,
    label: question.label,
    isRequired: isRequiredUpfront(question),
    hint: question.helpText,
    value: value ?? '',
  }
  const field = formField(filled, input)
  if (question.type === 'checkbox') return checkboxField({ ...field, value: isChecked(value) ? '1' : '' })
  const options = question.options.map((option) => ({ value: option, label: option }))
  if (question.type === 'multi_select') {
    const chosen: unknown[] = Array.isArray(value) ? value : [value]
    const texts = chosen.filter((each) => typeof each === 'string')
    return checkboxOrRadioGroup({ ...field, name: `${field.name}[]`, type: 'checkbox' }, options, texts)
  }
  if (question.type === 'select') {
    const none = { value: '', label: SIGNUP_WORDS[filled.language].pleaseChoose }
    return selectField(field, [none, ...options])
  }
  if (question.type === 'textarea') return longTextField(field, ANSWER_MAX)
  return textField(field, TYPES[question.type] ?? TYPES.text!, ANSWER_MAX)
}

const isChecked = (value: unknown) => value === '1' || value === true || value === 'true' || value === 'on'
