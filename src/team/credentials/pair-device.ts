import type { SecretHolderScope } from '../../access/access.ts'
import { recordAudit } from '../../access/audit.ts'
import type { CallerScope } from '../../access/scopes.ts'
import { digestOf, newSecret } from '../../access/tokens.ts'
import { TAKEN_MESSAGE } from '../../kernel/messages.ts'
import { Invalid, NotFound } from '../../kernel/refusals.ts'
import { requireLive } from '../lock-team.ts'
import { lockTeam } from '../records.ts'
import { type Issued, issueToken } from './issue.ts'
import { insertPairing, isDeviceName, lockOpenPairing, recordPairing } from './records.ts'
import type { PairingRow } from './wire.ts'

/** Gets a pairing ready: its secret, in a QR code, makes the device that shows it first. */
export const startPairing = (scope: CallerScope, name: string): Promise<{ pairing: PairingRow; secret: string }> =>
  scope.transaction(async (tx) => {
    await requireLive(tx, scope)
    if (await isDeviceName(tx, name)) throw new Invalid({ name: [TAKEN_MESSAGE] })
    const secret = newSecret()
    const pairing = await insertPairing(tx, { name, digest: digestOf(secret) })
    scope.note?.add({ pairing_id: pairing.id })
    return { pairing, secret }
  })

/** Turns the secret into a device's token, once. */
export const pairDevice = (scope: SecretHolderScope): Promise<Issued> =>
  scope.transaction(async (tx) => {
    await lockTeam(tx)
    const pairing = await lockOpenPairing(tx, scope.id)
    if (!pairing) throw new NotFound()
    if (await isDeviceName(tx, pairing.name)) throw new Invalid({ name: [TAKEN_MESSAGE] })

    const issued = await issueToken(tx, {
      kind: 'scanner_device',
      permission: 'write',
      description: pairing.name,
      membership: null,
    })
    await recordPairing(tx, pairing.id, issued.row.id)
    await recordAudit(tx, {
      action: 'pair device',
      subject: { pairing_id: pairing.id, credential_id: issued.row.id },
      by: null,
    })
    return issued
  })
