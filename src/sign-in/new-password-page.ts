import { PASSWORD_LENGTH_MIN } from '../access/passwords.ts'
import type { RawAnswer } from '../http/answers.ts'
import { html, rawHtml } from '../kernel/html.ts'
import { showDate } from '../kernel/times.ts'
import type { Language } from '../languages/rules.ts'
import { consolePage, textField } from '../pages/console-page.ts'
import { narrowColumn } from './pages.ts'
import type { Passkey } from './passkeys/records.ts'
import type { PersonalTokens } from './records.ts'
import { PASSWORD_WORDS, SIGN_IN_WORDS } from './words.ts'

export interface NewPasswordForm {
  email: string
  tokens: PersonalTokens
  passkeys: readonly Passkey[]
  /** Whether the tick stands that ends them. */
  endsKeys: boolean
  faults?: string[]
}

export const newPasswordPage = (form: NewPasswordForm, language: Language, status = 200): RawAnswer => {
  const words = PASSWORD_WORDS[language]
  return consolePage(
    {
      language,
      title: words.title,
      body: narrowColumn(
        html`<h1>${words.choose}</h1>
          <p class="muted">${words.forWhom(form.email)}</p>
          <form method="post">
            <input type="hidden" name="email" value="${form.email}" autocomplete="username" />
            ${textField(
              {
                name: 'password',
                label: SIGN_IN_WORDS[language].password,
                type: 'password',
                hint: words.atLeast(PASSWORD_LENGTH_MIN),
                autocomplete: 'new-password',
                required: true,
                faults: form.faults ?? [],
              },
              language,
            )}
            ${form.tokens.count + form.passkeys.length > 0 && keys(form, language)}
            <p class="actions"><button>${words.save}</button></p>
          </form>`,
      ),
    },
    status,
  )
}

/** The hidden field says no where the tick says nothing, so that a form without either means yes. */
const keys = ({ tokens, passkeys, endsKeys }: NewPasswordForm, language: Language) => {
  const words = PASSWORD_WORDS[language]
  return html`<fieldset class="field" id="keys">
    <legend>${words.worksWithout}</legend>
    <p class="hint" id="keys-hint">${words.keysHint}</p>
    <ul class="rows">
      ${passkeys.map(({ name, lastUsedAt }) => row(words.passkey, name, lastUsedAt, language))}
      ${tokens.latest.map(({ description, accountName, lastUsedAt }) =>
        row(words.apiTokenOf(accountName), description, lastUsedAt, language),
      )}
    </ul>
    ${
      tokens.count > tokens.latest.length &&
      html`<p class="muted">${words.moreTokens(tokens.count - tokens.latest.length)}</p>`
    }
    <div class="choice">
      <input type="hidden" name="end_keys" value="0" />
      <input
        type="checkbox"
        id="end-keys"
        name="end_keys"
        value="1"
        aria-describedby="keys-hint"
        ${endsKeys && rawHtml(' checked')}
      />
      <label for="end-keys">${words.endKeys}</label>
    </div>
  </fieldset>`
}

/** No account is known here, and with it no time zone. */
const row = (kind: string, name: string, lastUsedAt: Date | null, language: Language) => {
  const words = PASSWORD_WORDS[language]
  return html`<li>
    <span>
      <strong dir="auto">${name}</strong><br />
      <span class="muted small" dir="auto"
        >${lastUsedAt ? words.lastUsedOn(kind, showDate(lastUsedAt, 'UTC', language)) : words.neverUsed(kind)}</span
      >
    </span>
  </li>`
}
