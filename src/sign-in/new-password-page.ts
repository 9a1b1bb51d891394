import { PASSWORD_LENGTH_MIN } from '../access/passwords.ts'
import type { RawAnswer } from '../http/answers.ts'
import { html, raw } from '../kernel/html.ts'
import { showDate } from '../kernel/times.ts'
import { consolePage, textField } from '../pages/console-page.ts'
import { narrow } from './pages.ts'
import type { Passkey } from './passkeys/records.ts'
import type { OwnTokens } from './records.ts'

export interface NewPasswordForm {
  email: string
  tokens: OwnTokens
  passkeys: readonly Passkey[]
  /** Whether the tick stands that ends them. */
  endsKeys: boolean
  faults?: string[]
}

export const newPasswordPage = (form: NewPasswordForm, status = 200): RawAnswer =>
  consolePage(
    {
      title: 'New password',
      body: narrow(
        html`<h1>Choose a new password</h1>
          <p class="muted">For ${form.email}. Every browser that is signed in as you will be signed out.</p>
          <form method="post">
            <input type="hidden" name="email" value="${form.email}" autocomplete="username" />
            ${textField({
              name: 'password',
              label: 'Password',
              type: 'password',
              hint: `At least ${PASSWORD_LENGTH_MIN} characters.`,
              autocomplete: 'new-password',
              required: true,
              faults: form.faults ?? [],
            })}
            ${form.tokens.count + form.passkeys.length > 0 && keys(form)}
            <p class="actions"><button>Save the password</button></p>
          </form>`,
      ),
    },
    status,
  )

/** The hidden field says no where the tick says nothing, so that a form without either means yes. */
const keys = ({ tokens, passkeys, endsKeys }: NewPasswordForm) =>
  html`<fieldset class="field" id="keys">
    <legend>What works without your password</legend>
    <p class="hint" id="keys-hint">
      These keys act as you. If somebody else could sign in as you, one of them may be theirs. You can make new ones at
      any time.
    </p>
    <ul class="rows">
      ${passkeys.map(({ name, lastUsedAt }) => row('Passkey', name, lastUsedAt))}
      ${tokens.latest.map(({ description, accountName, lastUsedAt }) =>
        row(`API token of ${accountName}`, description, lastUsedAt),
      )}
    </ul>
    ${
      tokens.count > tokens.latest.length &&
      html`<p class="muted">and ${tokens.count - tokens.latest.length} API tokens more</p>`
    }
    <div class="choice">
      <input type="hidden" name="end_keys" value="0" />
      <input
        type="checkbox"
        id="end-keys"
        name="end_keys"
        value="1"
        aria-describedby="keys-hint"
        ${endsKeys && raw(' checked')}
      />
      <label for="end-keys">End all of these keys</label>
    </div>
  </fieldset>`

/** No account is known here, and with it no time zone. */
const row = (kind: string, name: string, lastUsedAt: Date | null) =>
  html`<li>
    <span>
      <strong dir="auto">${name}</strong><br />
      <span class="muted small" dir="auto"
        >${kind}, ${lastUsedAt ? `last used on ${showDate(lastUsedAt, 'UTC')}` : 'never used'}</span
      >
    </span>
  </li>`
