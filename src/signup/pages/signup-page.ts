import { PHONE_MAX } from '../../guest-list/rules.ts'
import type { RawAnswer } from '../../http/answers.ts'
import { type Html, html } from '../../kernel/html.ts'
import {
  type FilledForm,
  type SignupPageContext,
  companionInputs,
  emptyForm,
  eventHeader,
  faultSummary,
  inputElementId,
  renderSignupPage,
  textInput,
} from './parts.ts'
import { questionInput } from './question-inputs.ts'
import { HONEYPOT_FIELD } from './rules.ts'
import { type ShownForm, isSignupOpen } from './sign-up.ts'
import { FIELD_WORDS, SIGNUP_WORDS } from './words.ts'

const NAME = (field: string) => `guest_request[${field}]`

const draw = (reader: SignupPageContext, { event }: ShownForm, body: Html, status = 200) => {
  const words = SIGNUP_WORDS[reader.language]
  return renderSignupPage(
    { ...reader, title: words.guestListOf(event.title) },
    html`${eventHeader(event, words.guestList, reader.language)}${body}`,
    status,
  )
}

/** The form, empty or as it was sent; once the list is closed, that it is. */
export const signupPage = (
  reader: SignupPageContext,
  form: ShownForm,
  filled: FilledForm = emptyForm(reader.language),
): RawAnswer => {
  if (!isSignupOpen(form)) return signupClosedPage(reader, form)
  return draw(reader, form, showForm(form, filled), filled.faults.length > 0 ? 422 : 200)
}

export const signupClosedPage = (reader: SignupPageContext, form: ShownForm, status = 200): RawAnswer => {
  const words = SIGNUP_WORDS[reader.language]
  return draw(
    reader,
    form,
    html`<div class="notice">
      <p><strong>${form.event.isCancelled ? words.eventCancelled : words.listClosed}</strong></p>
      <p>${words.noMoreSignups}</p>
    </div>`,
    status,
  )
}

/** The same whoever is or is not on the list. */
export const alreadySignedUpPage = (reader: SignupPageContext, form: ShownForm): RawAnswer => {
  const words = SIGNUP_WORDS[reader.language]
  return draw(
    reader,
    form,
    html`<div class="notice" role="status">
      <p><strong>${words.alreadySignedUp}</strong></p>
      <p>${words.mailToYourPage}</p>
    </div>`,
  )
}

const showForm = ({ link, questions }: ShownForm, filled: FilledForm) => {
  const words = SIGNUP_WORDS[filled.language]
  const labels = FIELD_WORDS[filled.language]
  return html`<section class="card" aria-labelledby="form-title">
    <h2 id="form-title">${words.signUp}</h2>
    <p class="muted">${link.approvalMode === 'automatic' ? words.ticketsAtOnce : words.subjectToConfirmation}</p>
    ${faultSummary(filled)}
    <form method="post">
      ${textInput(filled, { field: 'name', name: NAME('name'), label: labels.name, isRequired: true }, html`type="text" autocomplete="name"`)}
      ${textInput(
        filled,
        {
          field: 'email',
          name: NAME('email'),
          label: labels.email,
          isRequired: true,
          hint: words.ticketsGoHere,
        },
        html`type="email" autocomplete="email"`,
      )}
      ${
        link.companyField !== 'hidden' &&
        textInput(
          filled,
          {
            field: 'company',
            name: NAME('company'),
            label: labels.company,
            isRequired: link.companyField === 'required',
          },
          html`type="text" autocomplete="organization"`,
        )
      }
      ${
        link.phoneField !== 'hidden' &&
        textInput(
          filled,
          { field: 'phone', name: NAME('phone'), label: labels.phone, isRequired: link.phoneField === 'required' },
          html`type="tel" autocomplete="tel"`,
          PHONE_MAX,
        )
      }
      ${link.maxCompanions > 0 && companionInputs(filled, link, { envelope: 'guest_request', least: 0, most: link.maxCompanions })}
      ${questions.map((question) => questionInput(filled, question))} ${trap(filled)}
      <button type="submit">${words.signUp}</button>
    </form>
  </section>`
}

/** Out of everybody's sight, unless something was written into it: then whoever did it can take it out again. */
const trap = (filled: FilledForm) => {
  const wasFilled = filled.faults.some(({ field }) => field === HONEYPOT_FIELD)
  if (wasFilled) {
    return textInput(
      filled,
      {
        field: HONEYPOT_FIELD,
        name: NAME(HONEYPOT_FIELD),
        label: SIGNUP_WORDS[filled.language].leaveEmpty,
        isRequired: false,
      },
      html`type="text" autocomplete="off"`,
    )
  }
  return html`<div class="trap" aria-hidden="true">
    <label for="${inputElementId(HONEYPOT_FIELD)}">${SIGNUP_WORDS[filled.language].leaveEmpty}</label>
    <input
      id="${inputElementId(HONEYPOT_FIELD)}"
      name="${NAME(HONEYPOT_FIELD)}"
      type="text"
      tabindex="-1"
      autocomplete="off"
      value=""
    />
  </div>`
}
