import { consoleVisitor } from '../../access/access.ts'
import { RawAnswer } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { Invalid, Unauthorized } from '../../kernel/refusals.ts'
import { anyFormBody, seeOther } from '../../pages/console-page.ts'
import { completeSignIn } from '../complete-sign-in.ts'
import { safeReturnPath } from '../rules.ts'
import { findPersonByPasskey, createPasskeySignInOptions } from './check-passkey.ts'
import { deletePasskey } from './records.ts'
import { createPasskeyRegistrationOptions, registerPasskey } from './register-passkey.ts'
import { SIGN_IN_FAULT_WORDS } from '../words.ts'

const json = (body: object, headers: Record<string, string | string[]> = {}) =>
  new RawAnswer(200, { 'content-type': 'application/json; charset=utf-8', ...headers }, JSON.stringify(body))

const passkeySignInOptions = endpoint({
  method: 'POST',
  path: '/sign_in/passkey/options',
  says: 'A challenge for signing in with a passkey.',
  access: consoleVisitor(),
  body: anyFormBody,
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, ip }) => json(await createPasskeySignInOptions(scope, ip)),
})

const passkeySignIn = endpoint({
  method: 'POST',
  path: '/sign_in/passkey',
  says: 'Signs in with a passkey.',
  access: consoleVisitor(),
  body: anyFormBody,
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, body, headers }) => {
    const shown = await findPersonByPasskey(scope, body['credential'])
    const proof = shown && { ...shown, by: 'passkey', returnTo: safeReturnPath(body['return_to']) }
    const entered = proof && (await completeSignIn(scope, proof, headers))
    if (!entered) throw new Invalid(SIGN_IN_FAULT_WORDS.en.unknownPasskey)
    return json({ location: entered.headers['location'] }, { 'set-cookie': entered.headers['set-cookie'] ?? [] })
  },
})

const passkeyOptions = endpoint({
  method: 'POST',
  path: '/account/passkeys/options',
  says: 'What a browser needs to make a passkey for the person who is signed in.',
  access: consoleVisitor(),
  body: anyFormBody,
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, member }) => {
    if (!member) throw new Unauthorized()
    return json(await createPasskeyRegistrationOptions(scope, member))
  },
})

const passkeyRegistration = endpoint({
  method: 'POST',
  path: '/account/passkeys',
  says: 'Keeps a passkey that a browser has made.',
  access: consoleVisitor(),
  body: anyFormBody,
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, member, body, headers }) => {
    if (!member) throw new Unauthorized()
    await registerPasskey(scope, member, body['credential'], String(headers['user-agent'] ?? ''))
    return json({ status: 'kept' })
  },
})

const passkeyRemoval = endpoint({
  method: 'POST',
  path: '/account/passkeys/:id/removal',
  says: 'Forgets a passkey.',
  access: consoleVisitor(),
  answers: {},
  undocumented: true,
  handle: async ({ visitor: scope, member, params }) => {
    if (!member) return seeOther('/sign_in?return_to=/account')
    const id = /^\d{1,15}$/.test(params.id) ? Number(params.id) : 0
    await scope.transaction((tx) => deletePasskey(tx, member.actor.personId, id))
    return seeOther('/account#passkeys')
  },
})

export const passkeyEndpoints = [
  passkeySignInOptions,
  passkeySignIn,
  passkeyOptions,
  passkeyRegistration,
  passkeyRemoval,
]
