import { insertCredentials } from '../../access/credentials.ts'
import type { Permission } from '../../access/callers.ts'
import type { CallerScope, Tx } from '../../access/scopes.ts'
import { type CredentialKind, digestOf, newToken } from '../../access/tokens.ts'
import { Forbidden, Invalid, found } from '../../kernel/refusals.ts'
import { INVALID_MESSAGE, TAKEN_MESSAGE } from '../../kernel/messages.ts'
import { lockTeamFor, requireLive } from '../lock-team.ts'
import { actsAsOwner } from '../rules.ts'
import { findIssued, isDeviceName } from './records.ts'
import type { CredentialRow, TokenKind } from './wire.ts'

/** A credential and, this once, its secret. */
export interface Issued {
  row: CredentialRow
  token: string
}

export interface TokenWish {
  description: string
  permission: Permission
  kind?: TokenKind | undefined
}

/**
 * Makes an API token. The account's own act as its owner, so only owners make them; anyone else makes personal ones,
 * which act as themselves.
 */
export const createApiToken = (scope: CallerScope, wish: TokenWish): Promise<Issued> => {
  const kind = wish.kind ?? (actsAsOwner(scope.caller) ? 'account' : 'personal')
  if (kind === 'account' && !actsAsOwner(scope.caller)) throw new Forbidden()
  if (kind === 'personal' && scope.credential.role === null) throw new Invalid({ kind: [INVALID_MESSAGE] })

  return scope.transaction(async (tx) => {
    const epoch = await requireLive(tx, scope)
    const membership = kind === 'personal' ? { id: scope.actor.membershipId, epoch: found(epoch) } : null
    return issue(tx, scope, {
      kind: kind === 'personal' ? 'personal_token' : 'account_token',
      permission: wish.permission,
      description: wish.description,
      membership,
    })
  })
}

/** A device's name is how people tell it apart, so two that are in use never share one. */
export const createDevice = (scope: CallerScope, name: string): Promise<Issued> =>
  scope.transaction(async (tx) => {
    await lockTeamFor(tx, scope)
    if (await isDeviceName(tx, name)) throw new Invalid({ name: [TAKEN_MESSAGE] })
    return issue(tx, scope, { kind: 'scanner_device', permission: 'write', description: name, membership: null })
  })

interface Wish {
  kind: CredentialKind
  permission: Permission
  description: string
  membership: { id: number; epoch: number } | null
}

const issue = async (tx: Tx, scope: CallerScope, wish: Wish): Promise<Issued> => {
  const issued = await issueToken(tx, wish)
  scope.note?.add({ credential_id: issued.row.id, kind: wish.kind, permission: wish.permission })
  return issued
}

export const issueToken = async (tx: Tx, wish: Wish): Promise<Issued> => {
  const token = newToken(wish.kind)
  await insertCredentials(tx, [{ ...wish, token, revokedAt: null }])
  return { token, row: found(await findIssued(tx, digestOf(token))) }
}
