import { z } from 'zod'
import { consoleVisitor } from '../access/access.ts'
import { SESSION_COOKIE, serializeClearedCookie, readCookie } from '../access/cookies.ts'
import { endSession, findActiveMemberships } from '../access/sessions.ts'
import { digestOf } from '../access/tokens.ts'
import { endpoint } from '../http/endpoint.ts'
import { queryText } from '../http/fields.ts'
import { languageOfRequest } from '../http/request-language.ts'
import { isEmail, normalizeEmail } from '../kernel/emails.ts'
import { Invalid, TooManyRequests } from '../kernel/refusals.ts'
import { anyFormBody, prefersJson, seeOther } from '../pages/console-page.ts'
import { accountEndpoints } from './account-endpoints.ts'
import { requestSignInLink } from './ask-for-link.ts'
import { checkPassword } from './check-password.ts'
import { answerDeadLink } from './dead-link.ts'
import { completeSignIn, signInToAccount, readIdentityChoosingAccount } from './complete-sign-in.ts'
import { joinedCookieHeader } from './headers.ts'
import {
  type SignInFault,
  chooseAccountPage,
  deadLinkPage,
  confirmSignInPage,
  linkSentPage,
  signInPage,
  signOutPage,
} from './pages.ts'
import { passkeyEndpoints } from './passkeys/endpoints.ts'
import { passwordResetEndpoints } from './password-endpoints.ts'
import { findPasswordVersion, findUnusedLink, consumeLink } from './records.ts'
import { safeReturnPath, formTextOf } from './rules.ts'
import { SIGN_IN_FAULT_WORDS } from './words.ts'

const signIn = endpoint({
  method: 'GET',
  path: '/sign_in',
  says: 'The page for signing in.',
  access: consoleVisitor(),
  query: z.object({ return_to: queryText(500), joined: queryText(1), out: queryText(1), saved: queryText(1) }),
  answers: {},
  undocumented: true,
  handle: async ({ member, query, headers }) => {
    const returnTo = safeReturnPath(query.return_to)
    if (member && !query.joined) return seeOther(returnTo)
    const said = query.joined ? 'joined' : query.out ? 'isOut' : query.saved ? 'isSaved' : null
    return signInPage({ returnTo, ...(said && { said }) }, languageOfRequest(null, headers))
  },
})

const session = endpoint({
  method: 'POST',
  path: '/sign_in',
  says: 'Signs in with a password; without one, mails a link.',
  access: consoleVisitor(),
  body: anyFormBody,
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, body, headers, ip }) => {
    const email = normalizeEmail(formTextOf(body, 'email'))
    const password = formTextOf(body, 'password')
    const returnTo = safeReturnPath(body['return_to'])
    const language = languageOfRequest(null, headers)
    const again = (fault: SignInFault, status = 422, more: Record<string, string> = {}) => {
      if (prefersJson(headers) && status === 422) throw new Invalid(SIGN_IN_FAULT_WORDS.en[fault])
      return signInPage({ email: formTextOf(body, 'email'), returnTo, fault }, language, status, more)
    }

    try {
      if (!isEmail(email)) return again('noAddress')
      if (password === '' || body['by'] === 'link') {
        await requestSignInLink(scope, { ip, headers }, { email, purpose: 'sign_in', returnTo, language })
        return linkSentPage(language)
      }
      const shown = await checkPassword(scope, { email, password, ip, headers })
      const entered = shown && (await completeSignIn(scope, { ...shown, by: 'password', returnTo }, headers))
      // The same words whether the address, the password or the membership is missing.
      return entered || again('noMatch')
    } catch (refusal) {
      if (!(refusal instanceof TooManyRequests) || prefersJson(headers)) throw refusal
      return again('slowDown', 429, { 'retry-after': String(refusal.retryAfterSeconds) })
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
  handle: async ({ visitor: scope, params, headers, ip }) => {
    const language = languageOfRequest(null, headers)
    const link = await findUnusedLink(scope.rows, digestOf(params.token), 'sign_in')
    return link ? confirmSignInPage(link, language) : answerDeadLink(scope, ip, language)
  },
})

const signInByLink = endpoint({
  method: 'POST',
  path: '/sign_in/links/:token',
  says: 'Signs in with a mailed link, once.',
  access: consoleVisitor(),
  body: anyFormBody,
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, params, headers, ip }) => {
    const language = languageOfRequest(null, headers)
    const used = await scope.transaction(async (tx) => {
      const link = await consumeLink(tx, digestOf(params.token), 'sign_in')
      // A new password ends the open links, so none is saved between the two.
      return link && { ...link, passwordVersion: await findPasswordVersion(tx, link.personId) }
    })
    if (!used) return answerDeadLink(scope, ip, language)
    const { personId, passwordVersion, returnTo } = used
    const proof = { personId, passwordVersion, by: 'link', returnTo: safeReturnPath(returnTo) }
    return (await completeSignIn(scope, proof, headers)) ?? deadLinkPage(language)
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
    const choice = readIdentityChoosingAccount(scope, headers)
    if (!choice) return seeOther('/sign_in')
    return chooseAccountPage(await findActiveMemberships(scope, choice.personId), languageOfRequest(null, headers))
  },
})

const chosenAccount = endpoint({
  method: 'POST',
  path: '/sign_in/account',
  says: 'Signs in to the chosen account.',
  access: consoleVisitor(),
  body: anyFormBody,
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, body, headers }) => {
    const choice = readIdentityChoosingAccount(scope, headers)
    const memberships = choice ? await findActiveMemberships(scope, choice.personId) : []
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
  handle: async ({ member, headers }) =>
    member ? signOutPage(languageOfRequest(member.account, headers)) : seeOther('/sign_in'),
})

const signOut = endpoint({
  method: 'POST',
  path: '/sign_out',
  says: 'Ends the session of this browser.',
  access: consoleVisitor(),
  body: anyFormBody,
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, headers }) => {
    const token = readCookie(scope.app.settings, SESSION_COOKIE, joinedCookieHeader(headers))
    if (token) await (await scope.atCredential(token)).transaction((tx) => endSession(tx, token))
    return seeOther('/sign_in?out=1', [serializeClearedCookie(scope.app.settings, SESSION_COOKIE)])
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
  ...passwordResetEndpoints,
  ...accountEndpoints,
  ...passkeyEndpoints,
]
