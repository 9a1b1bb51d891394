import type { ActiveMembership } from '../access/sessions.ts'
import { ROLE_WORDS } from '../access/words.ts'
import type { RawAnswer } from '../http/answers.ts'
import { type Html, html } from '../kernel/html.ts'
import type { Language } from '../languages/rules.ts'
import { consolePage, textField } from '../pages/console-page.ts'
import { PASSKEY_SIGN_IN_SCRIPT } from './passkeys/script.ts'
import { SIGN_IN_FAULT_WORDS, SIGN_IN_WORDS } from './words.ts'

export const narrowColumn = (body: Html) => html`<div class="narrow">${body}</div>`

const notice = (text: string | undefined, kind: 'good' | 'bad' = 'good') =>
  text && html`<p class="notice ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">${text}</p>`

/** Where the script of a page tells what went wrong with a passkey, and what it says then in the page's language. */
export const passkeyFaultElement = (language: Language) => {
  const words = SIGN_IN_FAULT_WORDS[language]
  const english = Object.entries(SIGN_IN_FAULT_WORDS.en) as [keyof typeof words, string][]
  const said = { '': words.failed, ...Object.fromEntries(english.map(([key, text]) => [text, words[key]])) }
  return html`<p class="notice bad" role="alert" id="passkey-fault" data-said="${JSON.stringify(said)}" hidden></p>`
}

/** What a form of these pages can be refused with. */
export type SignInFault = 'noAddress' | 'noMatch' | 'slowDown'

export interface SignInForm {
  email?: string
  returnTo?: string
  said?: 'joined' | 'isOut' | 'isSaved'
  fault?: SignInFault
}

export const signInPage = (
  form: SignInForm,
  language: Language,
  status = 200,
  headers: Record<string, string> = {},
): RawAnswer => {
  const words = SIGN_IN_WORDS[language]
  return consolePage(
    {
      language,
      title: words.signIn,
      script: PASSKEY_SIGN_IN_SCRIPT,
      body: narrowColumn(
        html`<h1>${words.signIn}</h1>
          ${notice(form.said && words[form.said])}${notice(form.fault && SIGN_IN_FAULT_WORDS[language][form.fault], 'bad')}
          <form method="post" action="/sign_in">
            <input type="hidden" name="return_to" value="${form.returnTo ?? ''}" />
            ${textField({ name: 'email', label: words.emailAddress, type: 'email', value: form.email ?? '', autocomplete: 'username webauthn', required: true }, language)}
            ${textField({ name: 'password', label: words.password, type: 'password', autocomplete: 'current-password', hint: words.orLink }, language)}
            <p class="actions">
              <button>${words.signIn}</button> <button class="quiet" name="by" value="link">${words.emailLink}</button>
            </p>
          </form>
          <p class="actions"><button class="quiet" type="button" id="passkey" hidden>${words.withPasskey}</button></p>
          ${passkeyFaultElement(language)}
          <p class="small"><a href="/password">${words.forgotten}</a></p>`,
      ),
    },
    status,
    headers,
  )
}

export const linkSentPage = (language: Language): RawAnswer => {
  const words = SIGN_IN_WORDS[language]
  return consolePage({
    language,
    title: words.lookIntoMailbox,
    body: narrowColumn(
      html`<h1>${words.lookIntoMailbox}</h1>
        <p>${words.linkIsOnItsWay}</p>
        <p class="small"><a href="/sign_in">${words.back}</a></p>`,
    ),
  })
}

/** Mail programs open links to look at them, so only the button signs in. */
export const confirmSignInPage = ({ name, email }: { name: string; email: string }, language: Language): RawAnswer => {
  const words = SIGN_IN_WORDS[language]
  return consolePage({
    language,
    title: words.signIn,
    body: narrowColumn(
      html`<h1>${words.welcome} <span dir="auto">${name}</span></h1>
        <p>${words.aboutToSignIn(email)}</p>
        <form method="post">
          <p class="actions"><button>${words.signIn}</button></p>
        </form>`,
    ),
  })
}

export const deadLinkPage = (language: Language): RawAnswer => {
  const words = SIGN_IN_WORDS[language]
  return consolePage(
    {
      language,
      title: words.deadLink,
      body: narrowColumn(
        html`<h1>${words.deadLink}</h1>
          <p>${words.usedOrOver}</p>
          <p class="actions"><a class="button" href="/sign_in">${words.signIn}</a></p>`,
      ),
    },
    410,
  )
}

export const chooseAccountPage = (memberships: ActiveMembership[], language: Language): RawAnswer => {
  const words = SIGN_IN_WORDS[language]
  return consolePage({
    language,
    title: words.chooseAccount,
    body: narrowColumn(
      html`<h1>${words.whereToday}</h1>
        <ul class="rows">
          ${memberships.map(
            ({ accountName, membershipId, role }) =>
              html`<li>
                <span
                  ><strong dir="auto">${accountName}</strong><br />
                  <span class="muted small">${ROLE_WORDS[language].names[role]}</span></span
                >
                <form method="post" action="/sign_in/account">
                  <button name="membership_id" value="${membershipId}">${words.open}</button>
                </form>
              </li>`,
          )}
        </ul>`,
    ),
  })
}

export const forgottenPasswordPage = (language: Language, fault?: SignInFault, status = 200): RawAnswer => {
  const words = SIGN_IN_WORDS[language]
  return consolePage(
    {
      language,
      title: words.forgottenTitle,
      body: narrowColumn(
        html`<h1>${words.forgotten}</h1>
          <p>${words.weMailLink}</p>
          ${notice(fault && SIGN_IN_FAULT_WORDS[language][fault], 'bad')}
          <form method="post">
            ${textField({ name: 'email', label: words.emailAddress, type: 'email', autocomplete: 'username', required: true }, language)}
            <p class="actions"><button>${words.emailLink}</button></p>
          </form>
          <p class="small"><a href="/sign_in">${words.back}</a></p>`,
      ),
    },
    status,
  )
}

export const signOutPage = (language: Language): RawAnswer => {
  const words = SIGN_IN_WORDS[language]
  return consolePage({
    language,
    title: words.signOut,
    body: narrowColumn(
      html`<h1>${words.signOutQuestion}</h1>
        <form method="post" action="/sign_out">
          <p class="actions">
            <button>${words.signOut}</button> <a class="button quiet" href="/console">${words.stay}</a>
          </p>
        </form>`,
    ),
  })
}
