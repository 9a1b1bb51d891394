import { type Html, html } from '../../kernel/html.ts'
import { RawAnswer } from '../../http/answers.ts'
import type { Language } from '../../languages/rules.ts'
import { type FormField, faultList, selectField, textField } from '../../pages/form.ts'
import { renderPublicPage } from '../../pages/layout.ts'
import { type PageSettings, asksCompanionNames } from '../links/rules.ts'
import type { EventOnPage } from './records.ts'
import type { SignupFault, SubmittedFields } from './rules.ts'
import { SIGNUP_STYLE } from './style.ts'
import { whenAndWhere } from './when-and-where.ts'
import { FIELD_WORDS, SIGNUP_WORDS, showFault } from './words.ts'

/** For whom a page is: a guest of this shop, who reads this language. */
export interface SignupPageContext {
  shopName: string
  language: Language
}

/** A page that only those with its address should see: kept out of search engines, caches and referrers. */
export const renderSignupPage = (
  { title, shopName, language }: SignupPageContext & { title: string },
  body: Html,
  status = 200,
  headers: Record<string, string> = {},
): RawAnswer => {
  const page = renderPublicPage({
    language,
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

export const eventHeader = (event: EventOnPage, eyebrow: string, language: Language): Html =>
  html`<header>
    <p class="eyebrow">${eyebrow}</p>
    <h1 dir="auto">${event.title}</h1>
    <ul class="facts">
      ${whenAndWhere(event, language).map((line) => html`<li dir="auto">${line}</li>`)}
    </ul>
  </header>`

/** What a form shows again after it was refused: what was typed, and what is wrong with it. */
export interface FilledForm {
  language: Language
  given: SubmittedFields
  faults: readonly SignupFault[]
}

export const emptyForm = (language: Language): FilledForm => ({ language, given: {}, faults: [] })

export const inputElementId = (field: string, part?: number) => `field-${field}${part === undefined ? '' : `-${part}`}`

const typed = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** Everything that is wrong, first thing on the page; each sentence leads to its field. */
export const faultSummary = ({ language, faults }: FilledForm): Html | null => {
  if (faults.length === 0) return null
  if (faults.every(({ field }) => field === 'base')) {
    return html`<div class="notice bad" role="alert">
      ${faults.map((fault) => html`<p><strong>${showFault(fault, language)}.</strong></p>`)}
    </div>`
  }
  const { nothingSaved, haveAnotherLook } = SIGNUP_WORDS[language]
  return faultList(
    `${nothingSaved} ${haveAnotherLook}`,
    faults.map((fault) => ({
      id: fault.field === 'base' ? null : inputElementId(fault.field, fault.part),
      sentence: showFault(fault, language),
    })),
  )
}

export interface LabelledInput {
  field: string
  part?: number
  /** The name the form sends it by. */
  name: string
  label: string
  isRequired: boolean
  hint?: string | null
  value?: unknown
}

/** A field of this page as every form has it, with what was typed and what is wrong with it. */
export const formField = ({ language, given, faults }: FilledForm, input: LabelledInput): FormField => {
  const { field, part, name, label, isRequired, hint = null } = input
  const fault = faults.find((each) => each.field === field && each.part === part)
  return {
    id: inputElementId(field, part),
    name,
    label,
    isRequired,
    hint,
    optionalWord: SIGNUP_WORDS[language].optional,
    value: typed(input.value ?? given[field]),
    fault: fault ? showFault(fault, language) : null,
  }
}

export const textInput = (filled: FilledForm, input: LabelledInput, attributes: Html, most?: number): Html =>
  textField(formField(filled, input), attributes, most)

/** How many come along, and what they are called, as far as the link asks. */
export const companionInputs = (
  filled: FilledForm,
  link: PageSettings,
  { envelope, least, most }: { envelope: string; least: 0 | 1; most: number },
): Html => {
  const words = SIGNUP_WORDS[filled.language]
  const chosen = typed(filled.given['companions']) || String(least)
  const counts = Array.from({ length: most - least + 1 }, (_, n) => n + least)
  const field = formField(filled, {
    field: 'companions',
    name: `${envelope}[companions]`,
    label: least === 0 ? words.whoComesAlong : words.howManyMore,
    isRequired: true,
    value: chosen,
  })
  const options = counts.map((count) => ({
    value: String(count),
    label: count === 0 ? words.justMe : words.companions(count),
  }))
  return html`${selectField(field, options, 'count')}
  ${asksCompanionNames(link) && companionNames(filled, link, envelope, most)}`
}

const omitOptionalWord = ({ optionalWord: _word, ...field }: FormField): FormField => field

/** Not marked as required: those of companions who do not come stay empty. */
const companionNames = (filled: FilledForm, link: PageSettings, envelope: string, most: number) => {
  const sent = filled.given['companion_names']
  const names: unknown[] = Array.isArray(sent) ? sent : []
  const isAsked = link.companionNamesField === 'required'
  const nameField = (part: number): FormField => {
    const field = formField(filled, {
      field: 'companion_names',
      part,
      name: `${envelope}[companion_names][]`,
      label: FIELD_WORDS[filled.language].companionName(part + 1),
      isRequired: false,
      value: typed(names[part]),
    })
    return isAsked ? omitOptionalWord(field) : field
  }
  return html`<ol class="names">
    ${Array.from(
      { length: most },
      (_, part) => html`<li class="companion">${textField(nameField(part), html`type="text" autocomplete="off"`)}</li>`,
    )}
  </ol>`
}
