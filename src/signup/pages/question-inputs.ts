import type { Question } from '../../admissions/rules.ts'
import { isRequiredUpfront } from '../../admissions/rules.ts'
import { isRecord } from '../../http/body.ts'
import { type Html, html, raw } from '../../kernel/html.ts'
import { type FormValues, type Input, faultBeneath, idOf, labelled, marksOf, textInput } from './parts.ts'
import { sentenceOf } from './rules.ts'

const TYPES: Partial<Record<Question['type'], Html>> = {
  text: html`type="text" maxlength="5000"`,
  number: html`type="text" inputmode="decimal"`,
  date: html`type="date"`,
  email: html`type="email" autocomplete="off"`,
  phone: html`type="tel" autocomplete="off"`,
}

/** One checkout question as the signup page asks it. */
export const questionInput = (filled: FormValues, question: Question): Html => {
  const answers = filled.given['answers']
  const value = isRecord(answers) ? answers[String(question.id)] : undefined
  const input: Input = {
    field: 'answers',
    part: question.id,
    name: `guest_request[answers][${question.id}]`,
    label: question.label,
    isRequired: isRequiredUpfront(question),
    hint: question.helpText,
    value: value ?? '',
  }
  if (question.type === 'checkbox') return checkbox(filled, input)
  if (question.type === 'multi_select') return choices(filled, input, question.options)
  if (question.type === 'select') return select(filled, input, question.options)
  if (question.type === 'textarea') {
    return labelled(
      filled,
      input,
      ({ attributes }) =>
        html`<textarea ${attributes} maxlength="5000" dir="auto" ${input.isRequired && raw(' required')}>
${typeof value === 'string' ? value : ''}</textarea>`,
    )
  }
  return textInput(filled, input, TYPES[question.type] ?? TYPES.text!)
}

const isChecked = (value: unknown) => value === '1' || value === true || value === 'true' || value === 'on'

/** The hidden field before it says "no" for a box that is left empty. */
const checkbox = (filled: FormValues, { field, part, name, label, isRequired, hint, value }: Input) => {
  const id = idOf(field, part)
  const fault = faultBeneath(filled, field, part!)
  return html`<div class="field">
    <input type="hidden" name="${name}" value="0" />
    <div class="choice">
      <input
        type="checkbox"
        id="${id}"
        name="${name}"
        value="1"
        ${marksOf(id, fault, hint)}${isChecked(value) && raw(' checked')}${isRequired && raw(' required')}
      />
      <label for="${id}"
        ><span dir="auto">${label}</span>${!isRequired && html` <span class="optional">(optional)</span>`}</label
      >
    </div>
    ${hint && html`<p class="hint" id="${id}-hint" dir="auto">${hint}</p>`}
    ${fault && html`<p class="error" id="${id}-error">${sentenceOf(fault)}</p>`}
  </div>`
}

const select = (filled: FormValues, input: Input, options: readonly string[]) =>
  labelled(
    filled,
    input,
    ({ attributes }) =>
      html`<select ${attributes}${input.isRequired && raw(' required')}>
        <option value="">Please choose</option>
        ${options.map((option) => html`<option value="${option}" ${option === input.value && raw(' selected')}>${option}</option>`)}
      </select>`,
  )

const choices = (
  filled: FormValues,
  { field, part, name, label, isRequired, hint, value }: Input,
  options: readonly string[],
) => {
  const id = idOf(field, part)
  const fault = faultBeneath(filled, field, part!)
  const chosen: unknown[] = Array.isArray(value) ? value : [value]
  return html`<fieldset class="field" id="${id}" tabindex="-1" ${marksOf(id, fault, hint)}>
    <legend><span dir="auto">${label}</span>${!isRequired && html` <span class="optional">(optional)</span>`}</legend>
    ${hint && html`<p class="hint" id="${id}-hint" dir="auto">${hint}</p>`}
    ${options.map(
      (option, n) =>
        html`<div class="choice">
          <input
            type="checkbox"
            id="${id}-${n}"
            name="${name}[]"
            value="${option}"
            ${chosen.includes(option) && raw(' checked')}
          />
          <label for="${id}-${n}" dir="auto">${option}</label>
        </div>`,
    )}
    ${fault && html`<p class="error" id="${id}-error">${sentenceOf(fault)}</p>`}
  </fieldset>`
}
