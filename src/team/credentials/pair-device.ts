import type { SecretHolderScope } from '../../access/access.ts'
import { recordAudit } from '../../access/audit.ts'
import type { CallerScope, Tx } from '../../access/scopes.ts'
import { digestOf, newSecret } from '../../access/tokens.ts'
import { NAME_MAX } from '../../http/fields.ts'
import { TAKEN_MESSAGE, characterCount, tooLongMessage } from '../../kernel/messages.ts'
import { Invalid, NotFound } from '../../kernel/refusals.ts'
import { lockLiveCaller } from '../lock-team.ts'
import { lockTeam } from '../records.ts'
import { type IssuedCredential, issueToken } from './issue.ts'
import { findFreeNumberedName, insertPairing, isDeviceNameTaken, lockOpenPairing, recordPairingUse } from './records.ts'
import type { PairingRow } from './wire.ts'

export interface PairingRequest {
  name: string
  /** How many devices it makes, each of its own. */
  uses: number
}

/** Leaves room for a space and a number, because a device's name must fit into a venue file. */
const NUMBERED_NAME_MAX = NAME_MAX - 10

/** Gets a pairing ready: its secret, in a QR code, makes the devices that show it first. */
export const startPairing = (
  scope: CallerScope,
  { name, uses }: PairingRequest,
): Promise<{ pairing: PairingRow; secret: string }> =>
  scope.transaction(async (tx) => {
    await lockLiveCaller(tx, scope)
    if (uses === 1 && (await isDeviceNameTaken(tx, name))) throw new Invalid({ name: [TAKEN_MESSAGE] })
    if (uses > 1 && characterCount(name) > NUMBERED_NAME_MAX) {
      throw new Invalid({ name: [tooLongMessage(NUMBERED_NAME_MAX)] })
    }
    const secret = newSecret()
    const pairing = await insertPairing(tx, { name, uses, digest: digestOf(secret) })
    scope.note?.add({ pairing_id: pairing.id })
    return { pairing, secret }
  })

/** Turns the secret into a device's token, as often as the pairing may be used. */
export const pairDeviceBySecret = (scope: SecretHolderScope): Promise<IssuedCredential> =>
  scope.transaction(async (tx) => {
    await lockTeam(tx)
    const pairing = await lockOpenPairing(tx, scope.id)
    if (!pairing) throw new NotFound()
    const name = await nameNextDevice(tx, pairing)

    const issued = await issueToken(tx, {
      kind: 'scanner_device',
      permission: 'write',
      description: name,
      membership: null,
    })
    await recordPairingUse(tx, pairing.id, issued.row.id)
    await recordAudit(tx, {
      action: 'pair device',
      subject: { pairing_id: pairing.id, credential_id: issued.row.id },
      by: null,
    })
    return issued
  })

const nameNextDevice = async (tx: Tx, { name, uses, usedCount }: PairingRow): Promise<string> => {
  if (uses > 1) return findFreeNumberedName(tx, name, usedCount + 1)
  if (await isDeviceNameTaken(tx, name)) throw new Invalid({ name: [TAKEN_MESSAGE] })
  return name
}
