import { PASSWORD_LENGTH_MIN } from '../../access/passwords.ts'
import { type RawAnswer } from '../../http/answers.ts'
import { html } from '../../kernel/html.ts'
import type { ErrorMap } from '../../kernel/refusals.ts'
import { consolePage, textField } from '../../pages/console-page.ts'
import { ROLE_NAMES, ROLE_SENTENCES } from '../../access/callers.ts'
import type { OpenInvitation } from './records.ts'

const article = (noun: string) => (/^[aeiou]/.test(noun) ? 'an' : 'a')

export interface FilledForm {
  name: string
  errors: ErrorMap
}

/** The page behind the mailed link. It changes nothing until its button is pressed. */
export const acceptancePage = (
  invitation: OpenInvitation,
  form: FilledForm = { name: '', errors: {} },
  status = 200,
): RawAnswer => {
  const { accountName, inviterName, role, events, programs, email, personName } = invitation
  return consolePage(
    {
      title: `Join ${accountName}`,
      body: html`<div class="narrow">
        <h1 dir="auto">Join ${accountName}</h1>
        <p>
          ${inviterName ? html`<span dir="auto">${inviterName}</span> invites you` : 'You are invited'} as
          ${article(role)} ${ROLE_NAMES[role]}. ${ROLE_SENTENCES[role]}
        </p>
        ${
          events.length > 0 &&
          html`<h2>Your events</h2>
            <ul>
              ${events.map(({ title }) => html`<li dir="auto">${title}</li>`)}
            </ul>`
        }
        ${
          programs.length > 0 &&
          html`<h2>Your programmes</h2>
            <ul>
              ${programs.map(
                ({ name, code }) =>
                  html`<li>
                    <span dir="auto">${name}</span>${code && html`, your code is <strong>${code}</strong>`}
                  </li>`,
              )}
            </ul>`
        }
        <form method="post">
          ${
            personName === null
              ? html`<p class="muted">You will sign in with <strong>${email}</strong>.</p>
                  ${textField({ name: 'invitation[name]', label: 'Name', value: form.name, autocomplete: 'name', required: true, faults: form.errors['name'] })}
                  ${textField({
                    name: 'invitation[password]',
                    label: 'Password',
                    type: 'password',
                    hint: `At least ${PASSWORD_LENGTH_MIN} characters.`,
                    autocomplete: 'new-password',
                    required: true,
                    faults: form.errors['password'],
                  })}`
              : html`<p>You join as <strong dir="auto">${personName}</strong> (${email}) and keep your password.</p>`
          }
          <p class="actions"><button>Accept the invitation</button></p>
        </form>
      </div>`,
    },
    status,
  )
}

/** For links that lead nowhere, or nowhere any more. */
export const closedPage = (message: string, status: number): RawAnswer =>
  consolePage(
    {
      title: 'Invitation',
      body: html`<div class="narrow">
        <h1>This link does not work</h1>
        <p>${message}</p>
        <p class="actions"><a class="button" href="/sign_in">Sign in</a></p>
      </div>`,
    },
    status,
  )
