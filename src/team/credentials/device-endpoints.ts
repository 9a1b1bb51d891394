import { z } from 'zod'
import { pairingSecretHolder, management } from '../../access/access.ts'
import type { CredentialKind } from '../../access/tokens.ts'
import { created, noContent, ok } from '../../http/answers.ts'
import { envelope, unwrappedBody } from '../../http/body.ts'
import { endpoint } from '../../http/endpoint.ts'
import { strictQueryChoice } from '../../http/fields.ts'
import { NotFound, requireFound } from '../../kernel/refusals.ts'
import { parsePathId } from '../../http/path-ids.ts'
import { createDevice } from './issue.ts'
import { pairDeviceBySecret, startPairing } from './pair-device.ts'
import { drawQrCode } from './qr-code.ts'
import { findCredential, findCredentials, findHeartbeats, findPairingById } from './records.ts'
import { revokeCredential } from './revoke.ts'
import { EXAMPLE_SETUPS } from './example-setups.ts'
import {
  DevicePairing,
  DeviceFields,
  NewDevicePairing,
  NewScannerDevice,
  PairedDevice,
  PairingSecret,
  PairingRequest,
  ScannerDevice,
  ScannerDevices,
  showDevice,
  showDevicesWithHeartbeats,
  showPairing,
} from './wire.ts'

const DEVICES: CredentialKind[] = ['scanner_device']

const scannerDevices = endpoint({
  method: 'GET',
  path: '/admin/scanner_devices',
  operationId: 'listScannerDevices',
  says: 'The door’s devices, newest first and without their secrets. With `with=heartbeats` each also has what it last said of itself: when, how many scans it has not sent, the age of its snapshot and its version.',
  access: management('read'),
  query: z.object({ with: strictQueryChoice('', ['', 'heartbeats']) }),
  answers: { 200: ScannerDevices },
  handle: async ({ account, query }) => {
    const whose = { kinds: DEVICES, membershipId: null }
    if (query.with !== 'heartbeats') {
      return ok({ scanner_devices: (await findCredentials(account.rows, whose)).map(showDevice) })
    }
    return account.consistentRead(async (rows) =>
      ok(showDevicesWithHeartbeats(await findCredentials(rows, whose), await findHeartbeats(rows))),
    )
  },
})

const scannerDevice = endpoint({
  method: 'GET',
  path: '/admin/scanner_devices/:id',
  operationId: 'getScannerDevice',
  integerParams: ['id'],
  says: 'One device of the door.',
  access: management('read'),
  exampleSetup: EXAMPLE_SETUPS.device,
  answers: { 200: ScannerDevice },
  handle: async ({ account, params }) => {
    const whose = { kinds: DEVICES, membershipId: null }
    return ok(showDevice(requireFound(await findCredential(account.rows, whose, parsePathId(params.id)))))
  },
})

const scannerDeviceCreation = endpoint({
  method: 'POST',
  path: '/admin/scanner_devices',
  operationId: 'createScannerDevice',
  says: 'Makes a device for the door and shows its token this once.',
  access: management('write'),
  body: envelope('scanner_device', DeviceFields),
  example: { scanner_device: { name: 'Door 1' } },
  answers: { 201: NewScannerDevice },
  creates: true,
  handle: async ({ account, body }) => {
    const { row, token } = await createDevice(account, body.name)
    return created({ ...showDevice(row), token }, `/admin/scanner_devices/${row.id}`)
  },
})

const scannerDeviceRevocation = endpoint({
  method: 'DELETE',
  path: '/admin/scanner_devices/:id',
  operationId: 'revokeScannerDevice',
  integerParams: ['id'],
  says: 'Revokes a device; its next request is refused.',
  access: management('write'),
  exampleSetup: EXAMPLE_SETUPS.deviceRevocation,
  answers: { 204: null },
  handle: async ({ account, params }) => {
    await revokeCredential(account, DEVICES, null, parsePathId(params.id))
    return noContent()
  },
})

const devicePairingCreation = endpoint({
  method: 'POST',
  path: '/admin/device_pairings',
  operationId: 'startDevicePairing',
  says: 'Gets a device ready to be paired by a QR code, which works within 15 minutes: once, or as often as `uses` says, for devices named “NAME 1”, “NAME 2” and so on.',
  access: management('write'),
  body: envelope('device_pairing', PairingRequest),
  example: { device_pairing: { name: 'Door 2' } },
  answers: { 201: NewDevicePairing },
  creates: true,
  handle: async ({ account, body }) => {
    const { pairing: row, secret } = await startPairing(account, body)
    // Behind the hash: it stays in the browser that opens the address, and out of every log on the way.
    const url = `${account.app.settings.baseUrl}/door#pair=${secret}`
    return created(
      { ...showPairing(row), pairing_secret: secret, pairing_url: url, qr_svg: drawQrCode(url) },
      `/admin/device_pairings/${row.id}`,
    )
  },
})

const devicePairing = endpoint({
  method: 'GET',
  path: '/admin/device_pairings/:id',
  operationId: 'getDevicePairing',
  integerParams: ['id'],
  says: 'How many devices have been paired yet, and as which the latest.',
  access: management('read'),
  exampleSetup: EXAMPLE_SETUPS.pairing,
  answers: { 200: DevicePairing },
  handle: async ({ account, params }) =>
    ok(showPairing(requireFound(await findPairingById(account.rows, parsePathId(params.id))))),
})

const scannerPairing = endpoint({
  method: 'POST',
  path: '/scanner/pairings',
  operationId: 'pairDevice',
  says: 'Turns the secret of a pairing’s QR code into a device’s token, as often as the pairing may be used.',
  access: pairingSecretHolder(),
  body: unwrappedBody(PairingSecret),
  example: { pairing_secret: 'Wq8…' },
  exampleSetup: EXAMPLE_SETUPS.pairingUse,
  answers: { 201: PairedDevice },
  handle: async ({ pairing: open, body }) => {
    const scope = await open(body.pairing_secret)
    if (!scope) throw new NotFound()
    const { row, token } = await pairDeviceBySecret(scope)
    const { id, name, subdomain } = scope.account
    return created(
      { token, scanner_device: { id: row.id, name: row.description }, account: { id, name, subdomain } },
      '/scanner/me',
    )
  },
})

export const deviceEndpoints = [
  scannerDevices,
  scannerDevice,
  scannerDeviceCreation,
  scannerDeviceRevocation,
  devicePairingCreation,
  devicePairing,
  scannerPairing,
]
