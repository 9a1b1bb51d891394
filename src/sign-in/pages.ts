import type { ActiveMembership } from '../access/sessions.ts'
import type { RawAnswer } from '../http/answers.ts'
import { type Html, html } from '../kernel/html.ts'
import { consolePage, textField } from '../pages/console-page.ts'
import { PASSKEY_SIGN_IN } from './passkeys/script.ts'

export const narrow = (body: Html) => html`<div class="narrow">${body}</div>`

const notice = (text: string | undefined, kind: 'good' | 'bad' = 'good') =>
  text && html`<p class="notice ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">${text}</p>`

export interface SignInForm {
  email?: string
  returnTo?: string
  said?: string
  fault?: string
}

export const signInPage = (form: SignInForm = {}, status = 200, headers: Record<string, string> = {}): RawAnswer =>
  consolePage(
    {
      title: 'Sign in',
      script: PASSKEY_SIGN_IN,
      body: narrow(
        html`<h1>Sign in</h1>
          ${notice(form.said)}${notice(form.fault, 'bad')}
          <form method="post" action="/sign_in">
            <input type="hidden" name="return_to" value="${form.returnTo ?? ''}" />
            ${textField({ name: 'email', label: 'Email address', type: 'email', value: form.email ?? '', autocomplete: 'username webauthn', required: true })}
            ${textField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', hint: 'Leave it empty to get a link by mail instead.' })}
            <p class="actions">
              <button>Sign in</button> <button class="quiet" name="by" value="link">Email me a link</button>
            </p>
          </form>
          <p class="actions"><button class="quiet" type="button" id="passkey" hidden>Sign in with a passkey</button></p>
          <p class="notice bad" role="alert" id="passkey-fault" hidden></p>
          <p class="small"><a href="/password">Forgotten your password?</a></p>`,
      ),
    },
    status,
    headers,
  )

export const linkSentPage = (): RawAnswer =>
  consolePage({
    title: 'Look into your mailbox',
    body: narrow(
      html`<h1>Look into your mailbox</h1>
        <p>
          If somebody with this address works here, a mail with a link is on its way. It works once, for 15 minutes.
        </p>
        <p class="small"><a href="/sign_in">Back to signing in</a></p>`,
    ),
  })

/** Mail programs open links to look at them, so only the button signs in. */
export const linkPage = ({ name, email }: { name: string; email: string }): RawAnswer =>
  consolePage({
    title: 'Sign in',
    body: narrow(
      html`<h1>Welcome, <span dir="auto">${name}</span></h1>
        <p>You are about to sign in as ${email}.</p>
        <form method="post">
          <p class="actions"><button>Sign in</button></p>
        </form>`,
    ),
  })

export const deadLinkPage = (): RawAnswer =>
  consolePage(
    {
      title: 'This link does not work',
      body: narrow(
        html`<h1>This link does not work</h1>
          <p>It has been used already, or its 15 minutes are over.</p>
          <p class="actions"><a class="button" href="/sign_in">Sign in</a></p>`,
      ),
    },
    410,
  )

export const choicePage = (memberships: ActiveMembership[]): RawAnswer =>
  consolePage({
    title: 'Choose an account',
    body: narrow(
      html`<h1>Where do you work today?</h1>
        <ul class="rows">
          ${memberships.map(
            ({ accountName, membershipId, role }) =>
              html`<li>
                <span
                  ><strong dir="auto">${accountName}</strong><br />
                  <span class="muted small">${role.replace('_', '-')}</span></span
                >
                <form method="post" action="/sign_in/account">
                  <button name="membership_id" value="${membershipId}">Open</button>
                </form>
              </li>`,
          )}
        </ul>`,
    ),
  })

export const forgottenPage = (fault?: string, status = 200): RawAnswer =>
  consolePage(
    {
      title: 'Forgotten password',
      body: narrow(
        html`<h1>Forgotten your password?</h1>
          <p>We mail you a link with which you choose a new one.</p>
          ${notice(fault, 'bad')}
          <form method="post">
            ${textField({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'username', required: true })}
            <p class="actions"><button>Email me a link</button></p>
          </form>
          <p class="small"><a href="/sign_in">Back to signing in</a></p>`,
      ),
    },
    status,
  )

export const signOutPage = (): RawAnswer =>
  consolePage({
    title: 'Sign out',
    body: narrow(
      html`<h1>Sign out?</h1>
        <form method="post" action="/sign_out">
          <p class="actions"><button>Sign out</button> <a class="button quiet" href="/console">Stay</a></p>
        </form>`,
    ),
  })
