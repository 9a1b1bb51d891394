import { insertCredentials } from '../../access/credentials.ts'
import type { Permission } from '../../access/callers.ts'
import type { CallerScope, Tx } from '../../access/scopes.ts'
import { type CredentialKind, digestOf, newToken } from '../../access/tokens.ts'
import { Forbidden, Invalid, requireFound } from '../../kernel/refusals.ts'
import { INVALID_MESSAGE, TAKEN_MESSAGE } from '../../kernel/messages.ts'
import { lockTeamAndCaller, lockLiveCaller } from '../lock-team.ts'
import { actsAsOwner } from '../rules.ts'
import { findCredentialByDigest, isDeviceNameTaken } from './records.ts'
import type { CredentialRow, TokenKind } from './wire.ts'

/** A credential and, this once, its secret. */
export interface IssuedCredential {
  row: CredentialRow
  token: string
}

export interface TokenRequest {
  description: string
  permission: Permission
  kind?: TokenKind | undefined
}

/**
 * Makes an API token. The account's own act as its owner, so only owners make them; anyone else makes personal ones,
 * which act as themselves.
 */
export const createApiToken = (scope: CallerScope, input: TokenRequest): Promise<IssuedCredential> => {
  const kind = input.kind ?? (actsAsOwner(scope.caller) ? 'account' : 'personal')
  if (kind === 'account' && !actsAsOwner(scope.caller)) throw new Forbidden()
  if (kind === 'personal' && scope.credential.role === null) throw new Invalid({ kind: [INVALID_MESSAGE] })

  return scope.transaction(async (tx) => {
    const epoch = await lockLiveCaller(tx, scope)
    const membership = kind === 'personal' ? { id: scope.actor.membershipId, epoch: requireFound(epoch) } : null
    return issue(tx, scope, {
      kind: kind === 'personal' ? 'personal_token' : 'account_token',
      permission: input.permission,
      description: input.description,
      membership,
    })
  })
}

/** A device's name is how people tell it apart, so two that are in use never share one. */
export const createDevice = (scope: CallerScope, name: string): Promise<IssuedCredential> =>
  scope.transaction(async (tx) => {
    await lockTeamAndCaller(tx, scope)
    if (await isDeviceNameTaken(tx, name)) throw new Invalid({ name: [TAKEN_MESSAGE] })
    return issue(tx, scope, { kind: 'scanner_device', permission: 'write', description: name, membership: null })
  })

interface NewToken {
  kind: CredentialKind
  permission: Permission
  description: string
  membership: { id: number; epoch: number } | null
}

const issue = async (tx: Tx, scope: CallerScope, input: NewToken): Promise<IssuedCredential> => {
  const issued = await issueToken(tx, input)
  scope.note?.add({ credential_id: issued.row.id, kind: input.kind, permission: input.permission })
  return issued
}

export const issueToken = async (tx: Tx, input: NewToken): Promise<IssuedCredential> => {
  const token = newToken(input.kind)
  await insertCredentials(tx, [{ ...input, token, revokedAt: null }])
  return { token, row: requireFound(await findCredentialByDigest(tx, digestOf(token))) }
}
