import type { PrecedingCall, ExampleSetup } from '../http/example-setup.ts'

/** The check-in code of one of the guests who may come in. */
const guestWithCode = (nth: number): PrecedingCall => ({
  call: 'GET /scanner/events/winter-gala/tickets',
  take: [{ key: 'check_in_code', nth, as: 'identifier' }],
})

const scannedOffline = (clientId: string, nth: number): ExampleSetup & { before: PrecedingCall[] } => ({
  before: [{ call: 'GET /scanner/events/winter-gala/tickets', take: [{ key: 'public_id', nth, as: 'public_id' }] }],
  body: {
    attempts: [
      {
        client_id: clientId,
        event_slug: 'winter-gala',
        public_id: '$public_id',
        scanned_at: '2026-12-15T18:03:40Z',
      },
    ],
  },
})

/** A guest whom a device lets in after another one has. */
const conflict = (clientId: string, nth: number): ExampleSetup => ({
  before: [
    guestWithCode(nth),
    { call: 'POST /scanner/tickets/$identifier/redemption', take: [{ key: 'public_id', as: 'public_id' }] },
    {
      call: 'POST /scanner/redemption_attempts',
      body: { attempts: [{ client_id: clientId, event_slug: 'winter-gala', public_id: '$public_id' }] },
    },
    { call: 'GET /admin/events/winter-gala/night', take: [{ key: 'id', upTo: '"ticket_public_id"', as: 'id' }] },
  ],
})

const handedIn = scannedOffline('0b8d9c1e-52a1-4f5b-9a07-6a1f2c3d4e5f', 6)

/** What the examples of these endpoints take to work on the demo venue. */
export const EXAMPLE_SETUPS = {
  search: { query: 'event_slug=winter-gala&q=dance' },
  ticket: { before: [guestWithCode(1)] },
  redemption: { before: [guestWithCode(3)] },
  redemptionAnywhere: { before: [guestWithCode(4)] },
  sync: scannedOffline('5f1c1c52-5d0c-4f0e-9d5e-0c6f0f4c2b11', 5),
  annulment: {
    before: [guestWithCode(7), { call: 'POST /scanner/tickets/$identifier/redemption' }],
  },
  exit: {
    before: [
      { call: 'PATCH /admin/events/winter-gala', body: { event: { reentry: true } } },
      guestWithCode(8),
      { call: 'POST /scanner/tickets/$identifier/redemption' },
    ],
  },
  acknowledgement: conflict('late', 9),
  withdrawal: conflict('later', 10),
  handingIn: {
    ...handedIn,
    before: [{ call: 'GET /admin/scanner_devices', take: [{ key: 'id', as: 'id' }] }, ...handedIn.before],
  },
} satisfies Record<string, ExampleSetup>
