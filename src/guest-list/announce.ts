import { z } from 'zod'
import type { EventScope, Tx } from '../access/scopes.ts'
import { type Admission, attendeeNameOf } from '../admissions/rules.ts'
import { Timestamp, exampleOf, named, showTimestamp } from '../http/wire.ts'
import {
  type WebhookKindOf,
  type WebhookMessage,
  webhookMessageAboutEvent,
  publishWebhooksOfCaller,
} from '../webhooks/publish.ts'
import { opaqueIdOf } from '../webhooks/opaque-id.ts'
import { EventInWebhook, defineWebhook } from '../webhooks/webhook.ts'
import { type Party, arrivalStateOf, arrivedCount, partySize, shownAdmissionOf } from './rules.ts'

type PartyKind = WebhookKindOf<'guest_party'>

interface EventToldOf {
  id: number
  slug: string
}

const AdmissionInMessage = named(
  'WebhookAdmission',
  z.object({
    id: z.string(),
    attendee_name: z.string(),
    place_label: z.string().nullable(),
    redeemed: z.boolean(),
    admission_status: z.enum(['active', 'cancelled', 'refunded', 'refund_pending']),
  }),
  {
    id: '3f8a1c5e7b9d2046a8c0e2f4b6d81357',
    attendee_name: 'Petra Press',
    place_label: null,
    redeemed: false,
    admission_status: 'active',
  },
)

const PartyInMessage = named(
  'WebhookGuestParty',
  z.object({
    public_id: z.string(),
    status: z.enum(['paid', 'booking_cancelled']),
    customer_name: z.string(),
    arrival_state: z.enum(['expected', 'partially_arrived', 'arrived']),
    arrived_count: z.int(),
    party_size: z.int(),
    ticket_id: z.int().nullable(),
    ticket_title: z.string().nullable(),
    creator_name: z.string().nullable(),
    created_at: Timestamp,
    admissions: z.array(AdmissionInMessage),
  }),
  {
    public_id: 'Qm4Zr8uVtYp2LkNs6HdWcE',
    status: 'paid',
    customer_name: 'Petra Press',
    arrival_state: 'expected',
    arrived_count: 0,
    party_size: 1,
    ticket_id: 3,
    ticket_title: 'General admission',
    creator_name: 'Olga Owner',
    created_at: '2026-11-20T10:00:00.000Z',
    admissions: [exampleOf(AdmissionInMessage)!],
  },
)

const PartyMessage = named('GuestPartyMessage', z.object({ event: EventInWebhook, guest_party: PartyInMessage }), {
  event: exampleOf(EventInWebhook)!,
  guest_party: exampleOf(PartyInMessage)!,
})

const CancelledAdmissionMessage = named(
  'CancelledAdmissionMessage',
  z.object({ event: EventInWebhook, admission: AdmissionInMessage, order_id: z.string() }),
  {
    event: exampleOf(EventInWebhook)!,
    admission: { ...exampleOf(AdmissionInMessage)!, admission_status: 'cancelled' },
    order_id: 'Qm4Zr8uVtYp2LkNs6HdWcE',
  },
)

export const guestListWebhookKinds = [
  defineWebhook('guest_party.created', 'A party was added, by staff or by an approved signup.', PartyMessage),
  defineWebhook('guest_party.updated', 'Something of a party was changed.', PartyMessage),
  defineWebhook('guest_party.cancelled', 'A party was cancelled, as a whole or with its last admission.', PartyMessage),
  defineWebhook('admission.cancelled', 'One admission of a party was cancelled.', CancelledAdmissionMessage),
]

/** Tells the account's webhooks what became of a party. */
export const publishPartyWebhook = (tx: Tx, event: EventScope, kind: PartyKind, party: Party): Promise<void> =>
  publishWebhooksOfCaller(event, tx, () => [partyWebhookMessage(kind, event.event, party)])

/** One admission is over, and with the last one the party. */
export const announceCancelledAdmission = (
  tx: Tx,
  event: EventScope,
  party: Party,
  admissionPublicId: string,
): Promise<void> =>
  publishWebhooksOfCaller(event, tx, () => [
    webhookMessageAboutEvent<z.output<typeof CancelledAdmissionMessage>>('admission.cancelled', event.event, {
      admission: showAdmissionTold(
        party,
        party.admissions.find(({ publicId }) => publicId === admissionPublicId)!,
      ),
      order_id: party.publicId,
    }),
    ...(party.status === 'paid' ? [] : [partyWebhookMessage('guest_party.cancelled', event.event, party)]),
  ])

export const partyWebhookMessage = (kind: PartyKind, event: EventToldOf, party: Party): WebhookMessage =>
  webhookMessageAboutEvent<z.output<typeof PartyMessage>>(kind, event, { guest_party: showPartyTold(party) })

/** Who comes with how many. Codes and the IDs in them open the door, and addresses, answers and notes are nobody else's business. */
const showPartyTold = (party: Party): z.output<typeof PartyInMessage> => ({
  public_id: party.publicId,
  status: party.status === 'paid' ? 'paid' : 'booking_cancelled',
  customer_name: party.customerName,
  arrival_state: arrivalStateOf(party),
  arrived_count: arrivedCount(party),
  party_size: partySize(party),
  ticket_id: shownAdmissionOf(party)?.ticketId ?? null,
  ticket_title: shownAdmissionOf(party)?.ticketTitle ?? null,
  creator_name: party.creatorName,
  created_at: showTimestamp(party.createdAt),
  admissions: party.admissions.map((admission) => showAdmissionTold(party, admission)),
})

const showAdmissionTold = (party: Party, admission: Admission): z.output<typeof AdmissionInMessage> => ({
  id: opaqueIdOf(admission.publicId),
  attendee_name: attendeeNameOf(party, admission),
  place_label: admission.placeLabel,
  redeemed: admission.redeemedAt !== null,
  admission_status: admission.status,
})
