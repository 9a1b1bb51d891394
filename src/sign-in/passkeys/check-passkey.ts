import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { passwordVersionOf } from '../../access/passwords.ts'
import type { VisitorScope } from '../../access/scopes.ts'
import { digestOf } from '../../access/tokens.ts'
import { isRecord } from '../../http/body.ts'
import type { ProvenIdentity } from '../complete-sign-in.ts'
import { findKnownPasskey, insertChallenge, recordPasskeyUse, consumeChallenge } from './records.ts'
import { throwAsInvalidPasskey, importWebauthn } from './register-passkey.ts'

/** A flood of challenges is rows; nobody guesses a signature, so a whole venue may try from one address. */
const CHALLENGES_PER_MINUTE = 600

/** Names no credential: which passkeys exist for whom is the authenticator's to know. */
export const createPasskeySignInOptions = async (visitor: VisitorScope, ip: string): Promise<object> => {
  visitor.app.budgets.of('passkey challenges from an address', CHALLENGES_PER_MINUTE).spend(ip)
  const { generateAuthenticationOptions } = await importWebauthn()
  const options = await generateAuthenticationOptions({
    rpID: visitor.app.settings.consoleHost,
    userVerification: 'required',
  })
  await visitor.transaction((tx) => insertChallenge(tx, digestOf(options.challenge), null))
  return options
}

/** Whose passkey it is, or null. */
export const findPersonByPasskey = async (
  visitor: VisitorScope,
  sent: unknown,
): Promise<Pick<ProvenIdentity, 'personId' | 'passwordVersion'> | null> => {
  const id = isRecord(sent) && typeof sent['id'] === 'string' ? sent['id'].replaceAll('\0', '') : null
  const passkey = id === null ? null : await findKnownPasskey(visitor.rows, id)
  if (!passkey) return null

  const { settings } = visitor.app
  const { verifyAuthenticationResponse } = await importWebauthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: sent as AuthenticationResponseJSON,
    expectedChallenge: (challenge) => visitor.transaction((tx) => consumeChallenge(tx, digestOf(challenge), null)),
    expectedOrigin: settings.baseUrl,
    expectedRPID: settings.consoleHost,
    credential: { id: id!, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.signatureCount },
  }).catch(throwAsInvalidPasskey)
  if (!verified) return null

  await visitor.transaction((tx) => recordPasskeyUse(tx, passkey.id, authenticationInfo.newCounter))
  return { personId: passkey.personId, passwordVersion: passwordVersionOf(passkey.passwordDigest) }
}
