import { type Html, html, raw } from '../../kernel/html.ts'
import { RawAnswer } from '../../http/answers.ts'
import { publicPage } from '../../pages/layout.ts'
import { type LinkSettings, asksCompanionNames } from '../links/rules.ts'
import type { EventOnPage } from './records.ts'
import { type Fault, type SubmittedFields, sentenceOf } from './rules.ts'
import { SIGNUP_STYLE } from './style.ts'
import { whenAndWhere } from './when-and-where.ts'

/** A page that only those with its address should see: kept out of search engines, caches and referrers. */
export const signupAnswer = (
  { title, shopName, body }: { title: string; shopName: string; body: Html },
  status = 200,
  headers: Record<string, string> = {},
): RawAnswer => {
  const page = publicPage({
    title,
    shopName,
    isPrivate: true,
    style: SIGNUP_STYLE,
    body: html`<div class="sheet">${body}</div>`,
  })
  return new RawAnswer(
    status,
    {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': page.contentSecurityPolicy,
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, no-store',
      ...headers,
    },
    page.html,
  )
}

export const eventHead = (event: EventOnPage, eyebrow: string): Html =>
  html`<header>
    <p class="eyebrow">${eyebrow}</p>
    <h1 dir="auto">${event.title}</h1>
    <ul class="facts">
      ${whenAndWhere(event).map((line) => html`<li dir="auto">${line}</li>`)}
    </ul>
  </header>`

/** What a form shows again after it was refused: what was typed, and what is wrong with it. */
export interface FormValues {
  given: SubmittedFields
  faults: readonly Fault[]
}

export const EMPTY_FORM: FormValues = { given: {}, faults: [] }

export const idOf = (field: string, part?: number) => `field-${field}${part === undefined ? '' : `-${part}`}`

const faultOf = ({ faults }: FormValues, field: string, part?: number) =>
  faults.find((fault) => fault.field === field && fault.part === part) ?? null

const typed = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** Everything that is wrong, first thing on the page; each sentence leads to its field. */
export const faultSummary = ({ faults }: FormValues): Html | null => {
  if (faults.length === 0) return null
  if (faults.every(({ field }) => field === 'base')) {
    return html`<div class="notice bad" role="alert">
      ${faults.map((fault) => html`<p><strong>${sentenceOf(fault)}.</strong></p>`)}
    </div>`
  }
  return html`<div class="notice bad" role="alert">
    <p><strong>Nothing has been saved yet.</strong> Please have another look:</p>
    <ul>
      ${faults.map((fault) => {
        const sentence = sentenceOf(fault)
        return html`<li>
          ${fault.field === 'base' ? sentence : html`<a href="#${idOf(fault.field, fault.part)}">${sentence}</a>`}
        </li>`
      })}
    </ul>
  </div>`
}

export interface Input {
  field: string
  part?: number
  /** The name the form sends it by. */
  name: string
  label: string
  isRequired: boolean
  hint?: string | null
  value?: unknown
}

interface Marked {
  id: string
  /** Attributes that name the field, mark it as wrong and lead to what is said about it. */
  attributes: Html
}

/** A label, perhaps a hint, the control itself, and beneath it what is wrong with it. */
export const labelled = (filled: FormValues, input: Input, control: (marked: Marked) => Html): Html => {
  const { field, part, name, label, isRequired, hint } = input
  const id = idOf(field, part)
  const fault = faultOf(filled, field, part)
  return html`<div class="field">
    <label for="${id}"
      ><span dir="auto">${label}</span>${!isRequired && html` <span class="optional">(optional)</span>`}</label
    >
    ${hint && html`<p class="hint" id="${id}-hint" dir="auto">${hint}</p>`}
    ${control({ id, attributes: html`id="${id}" name="${name}"${marksOf(id, fault, hint)}` })}
    ${fault && html`<p class="error" id="${id}-error">${sentenceOf(fault)}</p>`}
  </div>`
}

export const marksOf = (id: string, fault: Fault | null, hint?: string | null): Html => {
  const described = [hint && `${id}-hint`, fault && `${id}-error`].filter(Boolean).join(' ')
  return html`${fault && raw(' aria-invalid="true"')}${described !== '' && html` aria-describedby="${described}"`}`
}

export const faultBeneath = (filled: FormValues, field: string, part: number) => faultOf(filled, field, part)

export const textInput = (filled: FormValues, input: Input, attributes: Html): Html =>
  labelled(filled, input, (marked) => {
    const value = typed(input.value ?? filled.given[input.field])
    return html`<input
      ${marked.attributes}
      ${attributes}
      dir="auto"
      value="${value}"
      ${input.isRequired && raw(' required')}
    />`
  })

/** How many come along, and what they are called, as far as the link asks. */
export const companionInputs = (
  filled: FormValues,
  link: LinkSettings,
  { envelope, least, most }: { envelope: string; least: 0 | 1; most: number },
): Html => {
  const chosen = typed(filled.given['companions']) || String(least)
  const counts = Array.from({ length: most - least + 1 }, (_, n) => n + least)
  return html`${labelled(
    filled,
    {
      field: 'companions',
      name: `${envelope}[companions]`,
      label: least === 0 ? 'Who comes along?' : 'How many more?',
      isRequired: true,
    },
    ({ attributes }) =>
      html`<select class="count" ${attributes}>
        ${counts.map((count) => html`<option value="${count}" ${String(count) === chosen && raw(' selected')}>${countLabel(count)}</option>`)}
      </select>`,
  )}
  ${asksCompanionNames(link) && companionNames(filled, link, envelope, most)}`
}

const countLabel = (count: number) => {
  if (count === 0) return 'Just me'
  return count === 1 ? '1 companion' : `${count} companions`
}

/** Not marked as required: those of companions who do not come stay empty. */
const companionNames = (filled: FormValues, link: LinkSettings, envelope: string, most: number) => {
  const sent = filled.given['companion_names']
  const names: unknown[] = Array.isArray(sent) ? sent : []
  return html`<ol class="names">
    ${Array.from(
      { length: most },
      (_, part) =>
        html`<li class="companion">
          ${labelled(
            filled,
            {
              field: 'companion_names',
              part,
              name: `${envelope}[companion_names][]`,
              label: `Name of companion ${part + 1}`,
              isRequired: link.companionNamesField === 'required',
            },
            ({ attributes }) =>
              html`<input
                ${attributes}
                type="text"
                maxlength="255"
                autocomplete="off"
                dir="auto"
                value="${typed(names[part])}"
              />`,
          )}
        </li>`,
    )}
  </ol>`
}
