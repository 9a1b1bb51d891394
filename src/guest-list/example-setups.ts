import type { PrecedingCall, ExampleSetup } from '../http/example-setup.ts'

const newParty: PrecedingCall = {
  call: 'POST /admin/events/winter-gala/guest_parties',
  body: {
    guest_party: { customer_name: 'Ada Example', ticket_id: 6, party_size: 2, delivery_email: 'ada@guest.example' },
  },
}
const newImport: PrecedingCall = {
  call: 'POST /admin/events/winter-gala/guest_imports',
  body: { csv: 'Name,Companions\nAda Example,1\n', ticket_id: 6 },
}
const PUBLIC_ID = { key: 'public_id', as: 'public_id' }

/** What the examples of these endpoints take to work on the demo venue. */
export const EXAMPLE_SETUPS = {
  party: { before: [{ ...newParty, take: [PUBLIC_ID] }] },
  admission: {
    before: [{ ...newParty, take: [PUBLIC_ID, { key: 'public_id', nth: 3, as: 'admission_public_id' }] }],
  },
  parties: { before: [{ ...newParty, take: [PUBLIC_ID] }], body: { public_ids: ['$public_id'] } },
  movedParties: { before: [{ ...newParty, take: [PUBLIC_ID] }], body: { public_ids: ['$public_id'], ticket_id: 6 } },
  guestImport: { before: [{ ...newImport, take: [{ key: 'id', as: 'id' }] }] },
  guestImportPart: { before: [{ ...newImport, take: [{ key: 'id', as: 'guest_import_id' }] }] },
  /** Only what has been applied can be undone, and that happens after the answer. */
  guestImportUndoing: { before: [{ ...newImport, take: [{ key: 'id', as: 'guest_import_id' }] }], status: 422 },
} satisfies Record<string, ExampleSetup>
