import { consoleVisitor } from '../access/access.ts'
import { findActiveMemberships } from '../access/sessions.ts'
import type { RawAnswer } from '../http/answers.ts'
import { endpoint } from '../http/endpoint.ts'
import { languageOfRequest } from '../http/request-language.ts'
import { NotFound } from '../kernel/refusals.ts'
import { anyFormBody, seeOther } from '../pages/console-page.ts'
import { accountPage } from './account-page.ts'
import { signInToAccount } from './complete-sign-in.ts'
import { endOwnSession, findPasswordVersion, isSessionLive } from './records.ts'
import { CONSOLE_PATH } from './rules.ts'

const frontDoor = endpoint({
  method: 'GET',
  path: '/',
  says: 'Leads a browser to the console, or to signing in; there is nothing here for programs.',
  access: consoleVisitor(),
  answers: {},
  undocumented: true,
  handle: async () => {
    throw new NotFound()
  },
  page: async ({ member }) => seeOther(member ? CONSOLE_PATH : '/sign_in'),
})

const ownAccount = endpoint({
  method: 'GET',
  path: '/account',
  says: 'What is a person’s own: sessions, passkeys, other accounts.',
  access: consoleVisitor(),
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, member, headers }): Promise<RawAnswer> =>
    member
      ? accountPage(scope, member, languageOfRequest(member.account, headers))
      : seeOther('/sign_in?return_to=/account'),
})

const accountSwitch = endpoint({
  method: 'POST',
  path: '/account/switch',
  says: 'Signs the person in to another account of theirs instead.',
  access: consoleVisitor(),
  body: anyFormBody,
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, member, body, headers }) => {
    if (!member) return seeOther('/sign_in')
    const { personId } = member.actor
    const passwordVersion = await findPasswordVersion(scope.rows, personId)
    // Asked for in this order: whoever still has the session shows it under that password, or an older one.
    const session = { accountId: member.account.id, id: member.credential.id }
    if (!(await isSessionLive(scope.at(session.accountId).rows, session))) return seeOther('/sign_in')
    const chosen = (await findActiveMemberships(scope, personId)).find(
      ({ membershipId }) => String(membershipId) === String(body['membership_id']),
    )
    const proof = { personId, by: 'session', returnTo: CONSOLE_PATH, passwordVersion }
    return (chosen && (await signInToAccount(scope, proof, chosen, headers))) ?? seeOther(CONSOLE_PATH)
  },
})

const sessionEnd = endpoint({
  method: 'POST',
  path: '/account/sessions/:id/end',
  says: 'Ends another session of the person.',
  access: consoleVisitor(),
  body: anyFormBody,
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, member, params }) => {
    if (!member) return seeOther('/sign_in?return_to=/account')
    const place = { accountId: member.account.id, membershipId: member.actor.membershipId }
    const id = /^\d{1,15}$/.test(params.id) ? Number(params.id) : 0
    await scope.at(member.account.id).transaction((tx) => endOwnSession(tx, place, id))
    return seeOther('/account#sessions')
  },
})

export const accountEndpoints = [frontDoor, ownAccount, accountSwitch, sessionEnd]
