import { DEMO_OWNER, type PrecedingCall, type ExampleSetup } from '../../http/example-setup.ts'

const ID = [{ key: 'id', as: 'id' }]

const newPairing: PrecedingCall = {
  call: 'POST /admin/device_pairings',
  body: { device_pairing: { name: 'Door 2' } },
}

/** What the examples of these endpoints take to work on the demo venue. */
export const EXAMPLE_SETUPS = {
  token: { before: [{ call: 'GET /admin/api_tokens', take: ID }] },
  tokenRevocation: {
    before: [
      {
        call: 'POST /admin/api_tokens',
        body: { api_token: { description: 'Old website', permission: 'read', kind: 'account' } },
        take: ID,
      },
    ],
  },
  device: { before: [{ call: 'GET /admin/scanner_devices', take: ID }] },
  deviceRevocation: {
    before: [{ call: 'POST /admin/scanner_devices', body: { scanner_device: { name: 'Lost phone' } }, take: ID }],
  },
  pairing: { before: [{ ...newPairing, take: ID }] },
  pairingUse: {
    before: [{ ...newPairing, take: [{ key: 'pairing_secret', as: 'pairing_secret' }] }],
    body: { pairing_secret: '$pairing_secret' },
  },
  sessionEnd: {
    before: [
      { call: 'POST /sign_in', form: { email: DEMO_OWNER, password: '$FOYER_PASSWORD' } },
      { call: 'GET /admin/sessions', take: ID },
    ],
  },
} satisfies Record<string, ExampleSetup>
