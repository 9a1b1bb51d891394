import { consoleVisitor } from '../access/access.ts'
import { hashPassword, passwordFault } from '../access/passwords.ts'
import type { PeopleRows } from '../access/scopes.ts'
import { digestOf } from '../access/tokens.ts'
import { endpoint } from '../http/endpoint.ts'
import { isEmail, normalizeEmail } from '../kernel/emails.ts'
import { formBody, seeOther } from '../pages/console-page.ts'
import { askForLink } from './ask-for-link.ts'
import { refuseLink } from './dead-link.ts'
import { type NewPasswordForm, newPasswordPage } from './new-password-page.ts'
import { deadLinkPage, forgottenPage, linkSentPage } from './pages.ts'
import { findPasskeys } from './passkeys/records.ts'
import { type OpenLink, findOpenLink, findOwnTokens } from './records.ts'
import { replacePassword } from './replace-password.ts'
import { HOME, NO_ADDRESS, textOf } from './rules.ts'

const forgottenPassword = endpoint({
  method: 'GET',
  path: '/password',
  says: 'Where a link for a new password is asked for.',
  access: consoleVisitor(),
  answers: {},
  undocumented: true,
  handle: async () => forgottenPage(),
})

const passwordLink = endpoint({
  method: 'POST',
  path: '/password',
  says: 'Mails a link with which a new password is chosen.',
  access: consoleVisitor(),
  body: formBody,
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, body, ip }) => {
    const email = normalizeEmail(textOf(body, 'email'))
    if (!isEmail(email)) return forgottenPage(NO_ADDRESS, 422)
    await askForLink(scope, ip, { email, purpose: 'password', returnTo: HOME })
    return linkSentPage()
  },
})

const newPassword = endpoint({
  method: 'GET',
  path: '/password/:token',
  says: 'Where a new password is chosen.',
  access: consoleVisitor(),
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, params, ip }) => {
    const page = await scope.consistentRead(async (rows) => {
      const link = await findOpenLink(rows, digestOf(params.token), 'password')
      return link && showForm(rows, link, { endsKeys: true })
    })
    return page ?? refuseLink(scope, ip)
  },
})

const passwordChange = endpoint({
  method: 'POST',
  path: '/password/:token',
  says: 'Saves a new password, ends every session of the person and, unless told otherwise, personal tokens and passkeys.',
  access: consoleVisitor(),
  body: formBody,
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, params, body, ip }) => {
    const digest = digestOf(params.token)
    const link = await findOpenLink(scope.rows, digest, 'password')
    if (!link) return refuseLink(scope, ip)
    const fault = passwordFault(body['password'])
    const endsKeys = !NO.has(body['end_keys'])
    if (fault) return scope.consistentRead((rows) => showForm(rows, link, { endsKeys, faults: [fault] }, 422))

    const passwordDigest = await hashPassword(body['password'] as string)
    const isSaved = await replacePassword(scope, { link: digest, personId: link.personId, passwordDigest, endsKeys })
    return isSaved ? seeOther('/sign_in?saved=1') : deadLinkPage()
  },
})

/** Keys of an intruder shall not outlive the password by an omission, so only a no is one. */
const NO: ReadonlySet<unknown> = new Set(['0', 'false', 0, false])

const showForm = async (
  rows: PeopleRows,
  { email, personId }: OpenLink,
  form: Pick<NewPasswordForm, 'endsKeys' | 'faults'>,
  status = 200,
) => {
  const tokens = await findOwnTokens(rows, personId)
  return newPasswordPage({ email, tokens, passkeys: await findPasskeys(rows, personId), ...form }, status)
}

export const passwordEndpoints = [forgottenPassword, passwordLink, newPassword, passwordChange]
