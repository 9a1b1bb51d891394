import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { CallerScope, VisitorScope } from '../../access/scopes.ts'
import { describeBrowser } from '../../access/sessions.ts'
import { digestOf } from '../../access/tokens.ts'
import { isDatabaseUnavailable } from '../../database/database.ts'
import { Invalid, Unauthorized } from '../../kernel/refusals.ts'
import { isSessionLive, lockPerson } from '../records.ts'
import { findPasskeys, insertChallenge, insertPasskey, consumeChallenge } from './records.ts'
import { SIGN_IN_FAULT_WORDS } from '../words.ts'

/** Loaded when a passkey is first used: most processes never need it. */
export const importWebauthn = () => import('@simplewebauthn/server')

/** ES256 and RS256: every authenticator speaks one of them. */
const ALGORITHMS = [-7, -257]

const NOT_ACCEPTED = SIGN_IN_FAULT_WORDS.en.passkeyNotAccepted

export const createPasskeyRegistrationOptions = async (
  visitor: VisitorScope,
  { actor }: CallerScope,
): Promise<object> => {
  const { generateRegistrationOptions } = await importWebauthn()
  const known = await findPasskeys(visitor.rows, actor.personId)
  const options = await generateRegistrationOptions({
    rpName: 'Foyer',
    rpID: visitor.app.settings.consoleHost,
    userID: new TextEncoder().encode(String(actor.personId)),
    userName: actor.email,
    userDisplayName: actor.name,
    excludeCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await visitor.transaction((tx) => insertChallenge(tx, digestOf(options.challenge), actor.personId))
  return options
}

export const registerPasskey = async (
  visitor: VisitorScope,
  { account, actor, credential: session }: CallerScope,
  sent: unknown,
  browser: string,
): Promise<void> => {
  const { settings } = visitor.app
  const { verifyRegistrationResponse } = await importWebauthn()
  const result = await verifyRegistrationResponse({
    response: sent as RegistrationResponseJSON,
    expectedChallenge: (challenge) =>
      visitor.transaction((tx) => consumeChallenge(tx, digestOf(challenge), actor.personId)),
    expectedOrigin: settings.baseUrl,
    expectedRPID: settings.consoleHost,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(throwAsInvalidPasskey)
  if (!result.verified) throw new Invalid(NOT_ACCEPTED)

  const { credential } = result.registrationInfo
  const isNew = await visitor.transaction(async (tx) => {
    // A new password ends the session and the passkeys there are; none is added behind its back.
    await lockPerson(tx, actor.personId)
    const own = visitor.isHomeOf(account.id) ? tx : visitor.at(account.id).rows
    if (!(await isSessionLive(own, { accountId: account.id, id: session.id }))) throw new Unauthorized()
    return insertPasskey(tx, {
      personId: actor.personId,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      signatureCount: credential.counter,
      transports: credential.transports ?? [],
      name: describeBrowser(browser),
    })
  })
  if (!isNew) throw new Invalid(SIGN_IN_FAULT_WORDS.en.knownPasskey)
}

/** Whatever the library finds wrong with an answer is the sender's fault; what the database says is not. */
export const throwAsInvalidPasskey = (error: unknown): never => {
  if (isDatabaseUnavailable(error) || (error instanceof Error && 'severity' in error)) throw error
  throw new Invalid(NOT_ACCEPTED)
}
