import type { RawAnswer } from '../../http/answers.ts'
import { type Html, html } from '../../kernel/html.ts'
import {
  EMPTY_FORM,
  type FormValues,
  companionInputs,
  eventHead,
  faultSummary,
  idOf,
  signupAnswer,
  textInput,
} from './parts.ts'
import { questionInput } from './question-inputs.ts'
import { HONEYPOT_FIELD } from './rules.ts'
import { type OpenedForm, isOpen } from './sign-up.ts'

const NAME = (field: string) => `guest_request[${field}]`

const draw = (shopName: string, { event }: OpenedForm, body: Html, status = 200) =>
  signupAnswer(
    { title: `Guest list: ${event.title}`, shopName, body: html`${eventHead(event, 'Guest list')}${body}` },
    status,
  )

/** The form, empty or as it was sent; once the list is closed, that it is. */
export const signupPage = (shopName: string, form: OpenedForm, filled: FormValues = EMPTY_FORM): RawAnswer => {
  if (!isOpen(form)) return closedPage(shopName, form)
  return draw(shopName, form, showForm(form, filled), filled.faults.length > 0 ? 422 : 200)
}

export const closedPage = (shopName: string, form: OpenedForm, status = 200): RawAnswer =>
  draw(
    shopName,
    form,
    html`<div class="notice">
      <p><strong>${form.event.isCancelled ? 'This event is cancelled.' : 'This guest list is closed.'}</strong></p>
      <p>
        New signups are not possible any more. If you have signed up already, the link in your email still leads to your
        own page.
      </p>
    </div>`,
    status,
  )

/** The same whoever is or is not on the list. */
export const repeatedPage = (shopName: string, form: OpenedForm): RawAnswer =>
  draw(
    shopName,
    form,
    html`<div class="notice" role="status">
      <p><strong>You are already signed up.</strong></p>
      <p>
        We have sent an email to your address: it leads to your own page or brings your tickets again. It can take a
        minute; please look among the unwanted mails too.
      </p>
    </div>`,
  )

const showForm = ({ link, questions }: OpenedForm, filled: FormValues) =>
  html`<section class="card" aria-labelledby="form-title">
    <h2 id="form-title">Sign up</h2>
    <p class="muted">
      ${
        link.approvalMode === 'automatic'
          ? 'Your tickets come by email right away, as long as places are left.'
          : 'Every signup is subject to confirmation. Once it is confirmed, your tickets come by email.'
      }
    </p>
    ${faultSummary(filled)}
    <form method="post">
      ${textInput(filled, { field: 'name', name: NAME('name'), label: 'Name', isRequired: true }, html`type="text" autocomplete="name" maxlength="255"`)}
      ${textInput(
        filled,
        {
          field: 'email',
          name: NAME('email'),
          label: 'Email',
          isRequired: true,
          hint: 'Your tickets go to this address.',
        },
        html`type="email" autocomplete="email" maxlength="255"`,
      )}
      ${
        link.companyField !== 'hidden' &&
        textInput(
          filled,
          { field: 'company', name: NAME('company'), label: 'Company', isRequired: link.companyField === 'required' },
          html`type="text" autocomplete="organization" maxlength="255"`,
        )
      }
      ${
        link.phoneField !== 'hidden' &&
        textInput(
          filled,
          { field: 'phone', name: NAME('phone'), label: 'Phone', isRequired: link.phoneField === 'required' },
          html`type="tel" autocomplete="tel" maxlength="50"`,
        )
      }
      ${link.maxCompanions > 0 && companionInputs(filled, link, { envelope: 'guest_request', least: 0, most: link.maxCompanions })}
      ${questions.map((question) => questionInput(filled, question))} ${trap(filled)}
      <button type="submit">Sign up</button>
    </form>
  </section>`

/** Out of everybody's sight, unless something was written into it: then whoever did it can take it out again. */
const trap = (filled: FormValues) => {
  const wasFilled = filled.faults.some(({ field }) => field === HONEYPOT_FIELD)
  if (wasFilled) {
    return textInput(
      filled,
      { field: HONEYPOT_FIELD, name: NAME(HONEYPOT_FIELD), label: 'Leave this field empty', isRequired: false },
      html`type="text" autocomplete="off"`,
    )
  }
  return html`<div class="trap" aria-hidden="true">
    <label for="${idOf(HONEYPOT_FIELD)}">Leave this field empty</label>
    <input
      id="${idOf(HONEYPOT_FIELD)}"
      name="${NAME(HONEYPOT_FIELD)}"
      type="text"
      tabindex="-1"
      autocomplete="off"
      value=""
    />
  </div>`
}
