import { organizer, pairingSecretHolder, management } from '../../access/access.ts'
import { created, noContent, ok } from '../../http/answers.ts'
import { envelope, fields } from '../../http/body.ts'
import { endpoint } from '../../http/endpoint.ts'
import { NotFound, found } from '../../kernel/refusals.ts'
import { readId } from '../../http/path-ids.ts'
import { createApiToken, createDevice } from './issue.ts'
import { pairDevice, startPairing } from './pair-device.ts'
import { drawQrCode } from './qr-code.ts'
import { findCredential, findCredentials, findLiveSessions, findPairing } from './records.ts'
import { revoke, whoseOf } from './revoke.ts'
import {
  ApiToken,
  ApiTokenWish,
  ApiTokens,
  DevicePairing,
  DeviceWish,
  NewApiToken,
  NewDevicePairing,
  NewScannerDevice,
  PairedDevice,
  PairingSecret,
  ScannerDevice,
  ScannerDevices,
  Sessions,
  showDevice,
  showPairing,
  showSession,
  showToken,
} from './wire.ts'
import type { CredentialKind } from '../../access/tokens.ts'
import { TRIALS } from './trials.ts'

const TOKENS: CredentialKind[] = ['account_token', 'personal_token']
const DEVICES: CredentialKind[] = ['scanner_device']
const SESSIONS: CredentialKind[] = ['session']

const apiTokens = endpoint({
  method: 'GET',
  path: '/admin/api_tokens',
  operationId: 'listApiTokens',
  says: 'API tokens, newest first and without their secrets: an owner sees all of them, anyone else their own.',
  access: organizer('read'),
  answers: { 200: ApiTokens },
  handle: async ({ account }) => {
    const tokens = await findCredentials(account.rows, { kinds: TOKENS, membershipId: whoseOf(account) })
    return ok({ api_tokens: tokens.map(showToken) })
  },
})

const apiToken = endpoint({
  method: 'GET',
  path: '/admin/api_tokens/:id',
  operationId: 'getApiToken',
  integerParams: ['id'],
  says: 'One API token, without its secret.',
  access: organizer('read'),
  trial: TRIALS.token,
  answers: { 200: ApiToken },
  handle: async ({ account, params }) => {
    const whose = { kinds: TOKENS, membershipId: whoseOf(account) }
    return ok(showToken(found(await findCredential(account.rows, whose, readId(params.id)))))
  },
})

const apiTokenCreation = endpoint({
  method: 'POST',
  path: '/admin/api_tokens',
  operationId: 'createApiToken',
  says: 'Makes an API token and shows it this once. Account tokens are made by owners; a personal one acts as its maker.',
  access: organizer('write'),
  body: envelope('api_token', ApiTokenWish),
  example: { api_token: { description: 'Website', permission: 'read', kind: 'account' } },
  answers: { 201: NewApiToken },
  creates: true,
  handle: async ({ account, body }) => {
    const { row, token } = await createApiToken(account, body)
    return created({ ...showToken(row), token }, `/admin/api_tokens/${row.id}`)
  },
})

const apiTokenRevocation = endpoint({
  method: 'DELETE',
  path: '/admin/api_tokens/:id',
  operationId: 'revokeApiToken',
  integerParams: ['id'],
  says: 'Revokes an API token; its next request is refused.',
  access: organizer('write'),
  trial: TRIALS.tokenRevocation,
  answers: { 204: null },
  handle: async ({ account, params }) => {
    await revoke(account, TOKENS, whoseOf(account), readId(params.id))
    return noContent()
  },
})

const scannerDevices = endpoint({
  method: 'GET',
  path: '/admin/scanner_devices',
  operationId: 'listScannerDevices',
  says: 'The door’s devices, newest first and without their secrets.',
  access: management('read'),
  answers: { 200: ScannerDevices },
  handle: async ({ account }) => {
    const devices = await findCredentials(account.rows, { kinds: DEVICES, membershipId: null })
    return ok({ scanner_devices: devices.map(showDevice) })
  },
})

const scannerDevice = endpoint({
  method: 'GET',
  path: '/admin/scanner_devices/:id',
  operationId: 'getScannerDevice',
  integerParams: ['id'],
  says: 'One device of the door.',
  access: management('read'),
  trial: TRIALS.device,
  answers: { 200: ScannerDevice },
  handle: async ({ account, params }) => {
    const whose = { kinds: DEVICES, membershipId: null }
    return ok(showDevice(found(await findCredential(account.rows, whose, readId(params.id)))))
  },
})

const scannerDeviceCreation = endpoint({
  method: 'POST',
  path: '/admin/scanner_devices',
  operationId: 'createScannerDevice',
  says: 'Makes a device for the door and shows its token this once.',
  access: management('write'),
  body: envelope('scanner_device', DeviceWish),
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
  trial: TRIALS.deviceRevocation,
  answers: { 204: null },
  handle: async ({ account, params }) => {
    await revoke(account, DEVICES, null, readId(params.id))
    return noContent()
  },
})

const devicePairingCreation = endpoint({
  method: 'POST',
  path: '/admin/device_pairings',
  operationId: 'startDevicePairing',
  says: 'Gets a device ready to be paired by a QR code, which works once within 15 minutes.',
  access: management('write'),
  body: envelope('device_pairing', DeviceWish),
  example: { device_pairing: { name: 'Door 2' } },
  answers: { 201: NewDevicePairing },
  creates: true,
  handle: async ({ account, body }) => {
    const { pairing: row, secret } = await startPairing(account, body.name)
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
  says: 'Whether a device has been paired yet, and as which.',
  access: management('read'),
  trial: TRIALS.pairing,
  answers: { 200: DevicePairing },
  handle: async ({ account, params }) => ok(showPairing(found(await findPairing(account.rows, readId(params.id))))),
})

const scannerPairing = endpoint({
  method: 'POST',
  path: '/scanner/pairings',
  operationId: 'pairDevice',
  says: 'Turns the secret of a pairing’s QR code into a device’s token, once.',
  access: pairingSecretHolder(),
  body: fields(PairingSecret),
  example: { pairing_secret: 'Wq8…' },
  trial: TRIALS.pairingUse,
  answers: { 201: PairedDevice },
  handle: async ({ pairing: open, body }) => {
    const scope = await open(body.pairing_secret)
    if (!scope) throw new NotFound()
    const { row, token } = await pairDevice(scope)
    const { id, name, subdomain } = scope.account
    return created(
      { token, scanner_device: { id: row.id, name: row.description }, account: { id, name, subdomain } },
      '/scanner/me',
    )
  },
})

const sessions = endpoint({
  method: 'GET',
  path: '/admin/sessions',
  operationId: 'listSessions',
  says: 'Browsers that are signed in, newest first: an owner sees everyone’s, anyone else their own.',
  access: organizer('read'),
  answers: { 200: Sessions },
  handle: async ({ account }) => {
    const live = await findLiveSessions(account.rows, whoseOf(account))
    return ok({ sessions: live.map((row) => showSession(row, account.credential.id)) })
  },
})

const sessionEnd = endpoint({
  method: 'DELETE',
  path: '/admin/sessions/:id',
  operationId: 'endSession',
  integerParams: ['id'],
  says: 'Ends a session; the browser’s next request is refused.',
  access: organizer('write'),
  trial: TRIALS.sessionEnd,
  answers: { 204: null },
  handle: async ({ account, params }) => {
    await revoke(account, SESSIONS, whoseOf(account), readId(params.id))
    return noContent()
  },
})

export const credentialEndpoints = [
  apiTokens,
  apiToken,
  apiTokenCreation,
  apiTokenRevocation,
  scannerDevices,
  scannerDevice,
  scannerDeviceCreation,
  scannerDeviceRevocation,
  devicePairingCreation,
  devicePairing,
  scannerPairing,
  sessions,
  sessionEnd,
]
