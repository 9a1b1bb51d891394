import type { Preparation, Trial } from '../http/trial.ts'

const newParty: Preparation = {
  call: 'POST /admin/events/winter-gala/guest_parties',
  body: {
    guest_party: { customer_name: 'Ada Example', ticket_id: 6, party_size: 2, delivery_email: 'ada@guest.example' },
  },
}
const PUBLIC_ID = { key: 'public_id', as: 'public_id' }

/** What the examples of these endpoints take to work on the demo venue. */
export const TRIALS = {
  party: { before: [{ ...newParty, take: [PUBLIC_ID] }] },
  admission: {
    before: [{ ...newParty, take: [PUBLIC_ID, { key: 'public_id', nth: 3, as: 'admission_public_id' }] }],
  },
} satisfies Record<string, Trial>
