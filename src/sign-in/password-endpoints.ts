import { visitor } from '../access/access.ts'
import { hashPassword, passwordFault } from '../access/passwords.ts'
import { endSessionsOf } from '../access/sessions.ts'
import { digestOf } from '../access/tokens.ts'
import { endpoint } from '../http/endpoint.ts'
import { isEmail, normalizeEmail } from '../kernel/emails.ts'
import { formBody, seeOther } from '../pages/console-page.ts'
import { askForLink } from './ask-for-link.ts'
import { deadLinkPage, forgottenPage, linkSentPage, newPasswordPage } from './pages.ts'
import { endLinks, findOpenLink, lockPerson, recordPassword, takeLink } from './records.ts'
import { HOME, NO_ADDRESS, textOf } from './rules.ts'

const forgottenPassword = endpoint({
  method: 'GET',
  path: '/password',
  says: 'Where a link for a new password is asked for.',
  access: visitor(),
  answers: {},
  undocumented: true,
  handle: async () => forgottenPage(),
})

const passwordLink = endpoint({
  method: 'POST',
  path: '/password',
  says: 'Mails a link with which a new password is chosen.',
  access: visitor(),
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
  access: visitor(),
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, params }) => {
    const link = await findOpenLink(scope.rows, digestOf(params.token), 'password')
    return link ? newPasswordPage(link) : deadLinkPage()
  },
})

const passwordChange = endpoint({
  method: 'POST',
  path: '/password/:token',
  says: 'Saves a new password and ends every session of the person.',
  access: visitor(),
  body: formBody,
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, params, body }) => {
    const digest = digestOf(params.token)
    const link = await findOpenLink(scope.rows, digest, 'password')
    if (!link) return deadLinkPage()
    const fault = passwordFault(body['password'])
    if (fault) return newPasswordPage(link, [fault], 422)

    const passwordDigest = await hashPassword(body['password'] as string)
    const isSaved = await scope.transaction(async (tx) => {
      await lockPerson(tx, link.personId)
      const taken = await takeLink(tx, digest, 'password')
      if (!taken) return false
      await recordPassword(tx, taken.personId, passwordDigest)
      await endLinks(tx, taken.email)
      await endSessionsOf(tx, taken.personId)
      return true
    })
    return isSaved ? seeOther('/sign_in?saved=1') : deadLinkPage()
  },
})

export const passwordEndpoints = [forgottenPassword, passwordLink, newPassword, passwordChange]
