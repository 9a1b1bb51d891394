import { type Html, html, rawHtml } from '../kernel/html.ts'

/** A control of a form, with what was typed into it and what is wrong with it. */
export interface FormField {
  id: string
  /** The name the form sends it by. */
  name: string
  label: string
  value: string
  isRequired?: boolean
  /** Shown beside the label of what may be left empty. */
  optionalWord?: string
  hint?: string | null
  fault?: string | null
}

/** Attributes that mark a control as wrong and lead to what is said about it. */
const marksOf = ({ id, hint, fault }: FormField): Html => {
  const described = [hint && `${id}-hint`, fault && `${id}-error`].filter(Boolean).join(' ')
  return html`${fault && rawHtml(' aria-invalid="true"')}${described !== '' && html` aria-describedby="${described}"`}`
}

const optionalMark = ({ isRequired, optionalWord }: FormField) =>
  !isRequired && optionalWord && html` <span class="optional">(${optionalWord})</span>`

const hintOf = ({ id, hint }: FormField) => hint && html`<p class="hint" id="${id}-hint" dir="auto">${hint}</p>`

const faultOf = ({ id, fault }: FormField) => fault && html`<p class="error" id="${id}-error">${fault}</p>`

/** A label, perhaps a hint, the control itself, and beneath it what is wrong with it. */
const labelled = (field: FormField, control: Html): Html =>
  html`<div class="field">
    <label for="${field.id}"><span dir="auto">${field.label}</span>${optionalMark(field)}</label>
    ${hintOf(field)} ${control} ${faultOf(field)}
  </div>`

const attributesOf = (field: FormField) =>
  html`id="${field.id}" name="${field.name}" ${marksOf(field)}${field.isRequired && rawHtml(' required')}`

const TEXT_MAX = 255

export const textField = (field: FormField, attributes: Html = html`type="text"`, most = TEXT_MAX): Html =>
  labelled(
    field,
    html`<input ${attributesOf(field)} ${attributes} maxlength="${most}" dir="auto" value="${field.value}" />`,
  )

export const longTextField = (field: FormField, most: number): Html =>
  labelled(field, html`<textarea ${attributesOf(field)} maxlength="${most}" dir="auto">${field.value}</textarea>`)

export interface FormOption {
  value: string
  label: string
}

export const selectField = (field: FormField, options: readonly FormOption[], className?: string): Html =>
  labelled(
    field,
    html`<select ${className && html`class="${className}"`} ${attributesOf(field)}>
      ${options.map(({ value, label }) => html`<option value="${value}" ${value === field.value && rawHtml('selected')}>${label}</option>`)}
    </select>`,
  )

/** The hidden field before it says "no" for a box that is left empty. */
export const checkboxField = (field: FormField): Html =>
  html`<div class="field">
    <input type="hidden" name="${field.name}" value="0" />
    <div class="choice">
      <input type="checkbox" ${attributesOf(field)} value="1" ${field.value === '1' && rawHtml('checked')} />
      <label for="${field.id}"><span dir="auto">${field.label}</span>${optionalMark(field)}</label>
    </div>
    ${hintOf(field)} ${faultOf(field)}
  </div>`

/** Several of the options, or one of them. */
export const checkboxOrRadioGroup = (
  field: FormField & { type: 'checkbox' | 'radio' },
  options: readonly (FormOption & { hint?: string })[],
  chosen: readonly string[],
): Html =>
  html`<fieldset class="field" id="${field.id}" tabindex="-1" ${marksOf(field)}>
    <legend><span dir="auto">${field.label}</span>${optionalMark(field)}</legend>
    ${hintOf(field)}
    ${options.map(
      ({ value, label, hint }, n) =>
        html`<div class="choice">
          <input
            type="${field.type}"
            id="${field.id}-${n}"
            name="${field.name}"
            value="${value}"
            ${chosen.includes(value) && rawHtml('checked')}
          />
          <label for="${field.id}-${n}"
            ><span dir="auto">${label}</span>${hint && html` <span class="muted small">${hint}</span>`}</label
          >
        </div>`,
    )}
    ${faultOf(field)}
  </fieldset>`

/** Everything that is wrong, first thing on the page; each sentence leads to its field. */
export const faultList = (title: string, faults: readonly { id: string | null; sentence: string }[]): Html | null =>
  faults.length === 0
    ? null
    : html`<div class="notice bad" role="alert" tabindex="-1" id="faults">
        <p><strong>${title}</strong></p>
        <ul>
          ${faults.map(({ id, sentence }) => html`<li>${id === null ? sentence : html`<a href="#${id}">${sentence}</a>`}</li>`)}
        </ul>
      </div>`
