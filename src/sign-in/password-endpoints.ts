import { consoleVisitor } from '../access/access.ts'
import { hashPassword, passwordFault } from '../access/passwords.ts'
import type { PeopleDb, VisitorScope } from '../access/scopes.ts'
import { digestOf } from '../access/tokens.ts'
import { endpoint } from '../http/endpoint.ts'
import { languageOfRequest } from '../http/request-language.ts'
import { isEmail, normalizeEmail } from '../kernel/emails.ts'
import type { Language } from '../languages/rules.ts'
import { anyFormBody, seeOther } from '../pages/console-page.ts'
import { requestSignInLink } from './ask-for-link.ts'
import { answerDeadLink } from './dead-link.ts'
import { type NewPasswordForm, newPasswordPage } from './new-password-page.ts'
import { deadLinkPage, forgottenPasswordPage, linkSentPage } from './pages.ts'
import { findPasskeys } from './passkeys/records.ts'
import { type PersonalTokens, type UnusedLink, findUnusedLink, findPersonalTokens } from './records.ts'
import { replacePassword } from './replace-password.ts'
import { CONSOLE_PATH, formTextOf } from './rules.ts'

const forgottenPassword = endpoint({
  method: 'GET',
  path: '/password',
  says: 'Where a link for a new password is asked for.',
  access: consoleVisitor(),
  answers: {},
  undocumented: true,
  handle: async ({ headers }) => forgottenPasswordPage(languageOfRequest(null, headers)),
})

const passwordLink = endpoint({
  method: 'POST',
  path: '/password',
  says: 'Mails a link with which a new password is chosen.',
  access: consoleVisitor(),
  body: anyFormBody,
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, body, headers, ip }) => {
    const language = languageOfRequest(null, headers)
    const email = normalizeEmail(formTextOf(body, 'email'))
    if (!isEmail(email)) return forgottenPasswordPage(language, 'noAddress', 422)
    await requestSignInLink(scope, { ip, headers }, { email, purpose: 'password', returnTo: CONSOLE_PATH, language })
    return linkSentPage(language)
  },
})

const newPassword = endpoint({
  method: 'GET',
  path: '/password/:token',
  says: 'Where a new password is chosen.',
  access: consoleVisitor(),
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, params, headers, ip }) => {
    const language = languageOfRequest(null, headers)
    const page = await scope.consistentRead(async (rows) => {
      const link = await findUnusedLink(rows, digestOf(params.token), 'password')
      return link && showForm(scope, rows, link, { language, endsKeys: true })
    })
    return page ?? answerDeadLink(scope, ip, language)
  },
})

const passwordChange = endpoint({
  method: 'POST',
  path: '/password/:token',
  says: 'Saves a new password, ends every session of the person and, unless told otherwise, personal tokens and passkeys.',
  access: consoleVisitor(),
  body: anyFormBody,
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, params, body, headers, ip }) => {
    const language = languageOfRequest(null, headers)
    const digest = digestOf(params.token)
    const link = await findUnusedLink(scope.rows, digest, 'password')
    if (!link) return answerDeadLink(scope, ip, language)
    const fault = passwordFault(body['password'])
    const endsKeys = !NO.has(body['end_keys'])
    if (fault)
      return scope.consistentRead((rows) => showForm(scope, rows, link, { language, endsKeys, faults: [fault] }, 422))

    const passwordDigest = await hashPassword(body['password'] as string)
    const isSaved = await replacePassword(scope, { link: digest, personId: link.personId, passwordDigest, endsKeys })
    return isSaved ? seeOther('/sign_in?saved=1') : deadLinkPage(language)
  },
})

/** Keys of an intruder shall not outlive the password by an omission, so only a no is one. */
const NO: ReadonlySet<unknown> = new Set(['0', 'false', 0, false])

const showForm = async (
  visitor: VisitorScope,
  rows: PeopleDb,
  { email, personId }: UnusedLink,
  { language, ...form }: Pick<NewPasswordForm, 'endsKeys' | 'faults'> & { language: Language },
  status = 200,
) => {
  const tokens = await findTokensEverywhere(visitor, rows, personId)
  return newPasswordPage({ email, tokens, passkeys: await findPasskeys(rows, personId), ...form }, language, status)
}

const findTokensEverywhere = async (
  visitor: VisitorScope,
  rows: PeopleDb,
  personId: number,
): Promise<PersonalTokens> => {
  const tokens = await findPersonalTokens(rows, personId)
  for (const there of await visitor.everywhere(personId)) {
    if (there.isSameAs(visitor)) continue
    const { count, latest } = await findPersonalTokens(there.rows, personId)
    tokens.count += count
    tokens.latest.push(...latest)
  }
  return tokens
}

export const passwordResetEndpoints = [forgottenPassword, passwordLink, newPassword, passwordChange]
