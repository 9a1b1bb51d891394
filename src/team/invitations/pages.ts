import { PASSWORD_LENGTH_MIN } from '../../access/passwords.ts'
import { ROLE_WORDS } from '../../access/words.ts'
import { type RawAnswer } from '../../http/answers.ts'
import { html } from '../../kernel/html.ts'
import type { ErrorMap } from '../../kernel/refusals.ts'
import type { Language } from '../../languages/rules.ts'
import { consolePage, textField } from '../../pages/console-page.ts'
import type { OpenInvitation } from './records.ts'
import { INVITATION_WORDS } from './words.ts'

export interface FilledAcceptanceForm {
  name: string
  errors: ErrorMap
}

/** The page behind the mailed link. It changes nothing until its button is pressed. */
export const acceptancePage = (
  invitation: OpenInvitation,
  language: Language,
  form: FilledAcceptanceForm = { name: '', errors: {} },
  status = 200,
): RawAnswer => {
  const words = INVITATION_WORDS[language]
  const { names, sentences } = ROLE_WORDS[language]
  const { accountName, inviterName, role, events, programs, email, personName, activeRole } = invitation
  return consolePage(
    {
      language,
      title: words.join(accountName),
      body: html`<div class="narrow">
        <h1 dir="auto">${words.join(accountName)}</h1>
        <p>
          ${
            inviterName
              ? html`<span dir="auto">${inviterName}</span> ${words.invitesYouAs(names[role])}`
              : words.invitedAs(names[role])
          }
          ${sentences[role]}
        </p>
        ${
          events.length > 0 &&
          html`<h2>${words.yourEvents}</h2>
            <ul>
              ${events.map(({ title }) => html`<li dir="auto">${title}</li>`)}
            </ul>`
        }
        ${
          programs.length > 0 &&
          html`<h2>${words.yourProgrammes}</h2>
            <ul>
              ${programs.map(
                ({ name, code }) =>
                  html`<li>
                    <span dir="auto">${name}</span>${code && html`, ${words.yourCodeIs} <strong>${code}</strong>`}
                  </li>`,
              )}
            </ul>`
        }
        <form method="post">
          ${
            personName === null
              ? html`<p class="muted">${words.willSignInWith} <strong>${email}</strong>.</p>
                  ${textField({ name: 'invitation[name]', label: words.name, value: form.name, autocomplete: 'name', required: true, faults: form.errors['name'] }, language)}
                  ${textField(
                    {
                      name: 'invitation[password]',
                      label: words.password,
                      type: 'password',
                      hint: words.atLeast(PASSWORD_LENGTH_MIN),
                      autocomplete: 'new-password',
                      required: true,
                      faults: form.errors['password'],
                    },
                    language,
                  )}`
              : html`<p>${words.joinAs} <strong dir="auto">${personName}</strong> (${email}) ${words.keepPassword}</p>`
          }
          ${activeRole !== null && activeRole !== role && html`<p>${words.staysAs(names[activeRole])}</p>`}
          <p class="actions"><button>${words.accept}</button></p>
        </form>
      </div>`,
    },
    status,
  )
}

/** For links that lead nowhere, or nowhere any more. */
export const invitationClosedPage = (message: string, status: number, language: Language): RawAnswer =>
  consolePage(
    {
      language,
      title: INVITATION_WORDS[language].invitation,
      body: html`<div class="narrow">
        <h1>${INVITATION_WORDS[language].deadLink}</h1>
        <p>${message}</p>
        <p class="actions"><a class="button" href="/sign_in">${INVITATION_WORDS[language].signIn}</a></p>
      </div>`,
    },
    status,
  )
