import { z } from 'zod'
import { consoleVisitor } from '../access/access.ts'
import { SESSION_COOKIE, clearCookie, readCookie } from '../access/cookies.ts'
import { endSession, findActiveMemberships } from '../access/sessions.ts'
import { digestOf } from '../access/tokens.ts'
import { endpoint } from '../http/endpoint.ts'
import { queryText } from '../http/fields.ts'
import { isEmail, normalizeEmail } from '../kernel/emails.ts'
import { Invalid, TooManyRequests } from '../kernel/refusals.ts'
import { formBody, prefersJson, seeOther } from '../pages/console-page.ts'
import { accountEndpoints } from './account-endpoints.ts'
import { askForLink } from './ask-for-link.ts'
import { checkPassword } from './check-password.ts'
import { refuseLink } from './dead-link.ts'
import { completeSignIn, signInToAccount, readChoice } from './complete-sign-in.ts'
import { cookieHeader } from './headers.ts'
import { readKnownBrowser } from './known-browser.ts'
import { choicePage, deadLinkPage, linkPage, linkSentPage, signInPage, signOutPage } from './pages.ts'
import { passkeyEndpoints } from './passkeys/endpoints.ts'
import { passwordEndpoints } from './password-endpoints.ts'
import { findOpenLink, takeLink } from './records.ts'
import { NO_ADDRESS, safeReturn, textOf } from './rules.ts'

/** The same words whether the address, the password or the membership is missing. */
const NO_MATCH = 'This address and password do not open anything here.'
const SLOW_DOWN = 'That was tried too often. Wait a minute and try again.'

const signIn = endpoint({
  method: 'GET',
  path: '/sign_in',
  says: 'The page for signing in.',
  access: consoleVisitor(),
  query: z.object({ return_to: queryText(500), joined: queryText(1), out: queryText(1), saved: queryText(1) }),
  answers: {},
  undocumented: true,
  handle: async ({ member, query }) => {
    const returnTo = safeReturn(query.return_to)
    if (member && !query.joined) return seeOther(returnTo)
    const said = query.joined
      ? 'You have joined. Sign in to go on.'
      : query.out
        ? 'You are signed out.'
        : query.saved && 'Your password is saved. Sign in with it.'
    return signInPage({ returnTo, ...(said && { said }) })
  },
})

const session = endpoint({
  method: 'POST',
  path: '/sign_in',
  says: 'Signs in with a password; without one, mails a link.',
  access: consoleVisitor(),
  body: formBody,
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, body, headers, ip }) => {
    const email = normalizeEmail(textOf(body, 'email'))
    const password = textOf(body, 'password')
    const returnTo = safeReturn(body['return_to'])
    const again = (fault: string, status = 422, more: Record<string, string> = {}) => {
      if (prefersJson(headers) && status === 422) throw new Invalid(fault)
      return signInPage({ email: textOf(body, 'email'), returnTo, fault }, status, more)
    }

    try {
      if (!isEmail(email)) return again(NO_ADDRESS)
      if (password === '' || body['by'] === 'link') {
        await askForLink(scope, ip, { email, purpose: 'sign_in', returnTo })
        return linkSentPage()
      }
      const personId = await checkPassword(scope, { email, password, ip, browser: readKnownBrowser(scope, headers) })
      const entered =
        personId !== null && (await completeSignIn(scope, { personId, by: 'password', returnTo }, headers))
      return entered || again(NO_MATCH)
    } catch (refusal) {
      if (!(refusal instanceof TooManyRequests) || prefersJson(headers)) throw refusal
      return again(SLOW_DOWN, 429, { 'retry-after': String(refusal.retryAfterSeconds) })
    }
  },
})

const signInLink = endpoint({
  method: 'GET',
  path: '/sign_in/links/:token',
  says: 'The page behind a mailed link.',
  access: consoleVisitor(),
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, params, ip }) => {
    const link = await findOpenLink(scope.rows, digestOf(params.token), 'sign_in')
    return link ? linkPage(link) : refuseLink(scope, ip)
  },
})

const signInByLink = endpoint({
  method: 'POST',
  path: '/sign_in/links/:token',
  says: 'Signs in with a mailed link, once.',
  access: consoleVisitor(),
  body: formBody,
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, params, headers, ip }) => {
    const link = await scope.transaction((tx) => takeLink(tx, digestOf(params.token), 'sign_in'))
    if (!link) return refuseLink(scope, ip)
    const proof = { personId: link.personId, by: 'link', returnTo: safeReturn(link.returnTo) }
    return (await completeSignIn(scope, proof, headers)) ?? deadLinkPage()
  },
})

const accountChoice = endpoint({
  method: 'GET',
  path: '/sign_in/account',
  says: 'Where a person who works for several accounts chooses one.',
  access: consoleVisitor(),
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, headers }) => {
    const choice = readChoice(scope, headers)
    return choice ? choicePage(await findActiveMemberships(scope.rows, choice.personId)) : seeOther('/sign_in')
  },
})

const chosenAccount = endpoint({
  method: 'POST',
  path: '/sign_in/account',
  says: 'Signs in to the chosen account.',
  access: consoleVisitor(),
  body: formBody,
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, body, headers }) => {
    const choice = readChoice(scope, headers)
    const memberships = choice ? await findActiveMemberships(scope.rows, choice.personId) : []
    const chosen = memberships.find(({ membershipId }) => String(membershipId) === String(body['membership_id']))
    if (!choice || !chosen) return seeOther('/sign_in')
    return (await signInToAccount(scope, choice, chosen, headers)) ?? seeOther('/sign_in')
  },
})

const signOutConfirmation = endpoint({
  method: 'GET',
  path: '/sign_out',
  says: 'Asks before signing out.',
  access: consoleVisitor(),
  answers: {},
  undocumented: true,
  handle: async ({ member }) => (member ? signOutPage() : seeOther('/sign_in')),
})

const signOut = endpoint({
  method: 'POST',
  path: '/sign_out',
  says: 'Ends the session of this browser.',
  access: consoleVisitor(),
  body: formBody,
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, headers }) => {
    const token = readCookie(scope.app.settings, SESSION_COOKIE, cookieHeader(headers))
    if (token) await scope.transaction((tx) => endSession(tx, token))
    return seeOther('/sign_in?out=1', [clearCookie(scope.app.settings, SESSION_COOKIE)])
  },
})

export const signInEndpoints = [
  signIn,
  session,
  signInLink,
  signInByLink,
  accountChoice,
  chosenAccount,
  signOutConfirmation,
  signOut,
  ...passwordEndpoints,
  ...accountEndpoints,
  ...passkeyEndpoints,
]
