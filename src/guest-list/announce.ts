import type { EventScope, Tx } from '../access/scopes.ts'
import { type Admission, attendeeNameOf } from '../admissions/rules.ts'
import { showTimestamp } from '../http/wire.ts'
import { type KindOf, type Publication, atEvent, publishFor } from '../webhooks/publish.ts'
import { opaqueIdOf } from '../webhooks/opaque-id.ts'
import { type Party, arrivalStateOf, arrivedCount, partySize } from './rules.ts'

type PartyKind = KindOf<'guest_party'>

interface EventToldOf {
  id: number
  slug: string
}

/** Tells the account's webhooks what became of a party. */
export const announceParty = (tx: Tx, event: EventScope, kind: PartyKind, party: Party): Promise<void> =>
  publishFor(event, tx, () => [partyTold(kind, event.event, party)])

/** One admission is over, and with the last one the party. */
export const announceCancelledAdmission = (
  tx: Tx,
  event: EventScope,
  party: Party,
  admissionPublicId: string,
): Promise<void> =>
  publishFor(event, tx, () => [
    atEvent('admission.cancelled', event.event, {
      admission: showAdmissionTold(
        party,
        party.admissions.find(({ publicId }) => publicId === admissionPublicId)!,
      ),
      order_id: party.publicId,
    }),
    ...(party.status === 'paid' ? [] : [partyTold('guest_party.cancelled', event.event, party)]),
  ])

export const partyTold = (kind: PartyKind, event: EventToldOf, party: Party): Publication =>
  atEvent(kind, event, { guest_party: showPartyTold(party) })

/** Who comes with how many. Codes and the IDs in them open the door, and addresses, answers and notes are nobody else's business. */
const showPartyTold = (party: Party) => ({
  public_id: party.publicId,
  status: party.status === 'paid' ? 'paid' : 'booking_cancelled',
  customer_name: party.customerName,
  arrival_state: arrivalStateOf(party),
  arrived_count: arrivedCount(party),
  party_size: partySize(party),
  ticket_id: party.admissions[0]?.ticketId ?? null,
  ticket_title: party.admissions[0]?.ticketTitle ?? null,
  creator_name: party.creatorName,
  created_at: showTimestamp(party.createdAt),
  admissions: party.admissions.map((admission) => showAdmissionTold(party, admission)),
})

const showAdmissionTold = (party: Party, admission: Admission) => ({
  id: opaqueIdOf(admission.publicId),
  attendee_name: attendeeNameOf(party, admission),
  place_label: admission.placeLabel,
  redeemed: admission.redeemedAt !== null,
  admission_status: admission.status,
})
