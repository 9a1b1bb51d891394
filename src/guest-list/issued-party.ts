import type { ImportedItem, ImportedOrder } from '../admissions/import-orders.ts'
import { type AdmissionStatus, type Question, snapshotOfPlace } from '../admissions/rules.ts'
import { readArchivedAnswers } from '../admissions/venue-section.ts'
import { type JsonPath, fileFaultAt } from '../loading/fault.ts'
import { type LoadContext, type LoadedEvent, findByKey } from '../loading/section.ts'
import type { NewPartyInput } from './inputs.ts'
import { type ValuesByKey, validateAttendeeNames, questionsOfScope } from './rules.ts'

interface IssuedAdmission {
  public_id: string | null
  check_in_code: string | null
  place: string | null
  admission_status: AdmissionStatus
  redeemed_at: Date | null
  left_at: Date | null
  is_lead?: boolean | undefined
}

/** A party of a venue file whose tickets are out already. */
export interface AlreadyIssuedParty {
  ticket: string
  standing_area: string | null
  status: 'paid' | 'booking_cancelled'
  archived: boolean
  created_at: Date | null
  creator: string | null
  creator_name: string | null
  public_id: string | null
  order_code: string | null
  party_size?: unknown
  custom_field_answers: ValuesByKey | null
  attendee_custom_field_answers: Record<string, ValuesByKey> | null
  admissions: IssuedAdmission[]
}

export interface PartyToImport {
  party: AlreadyIssuedParty
  /** What it has in common with one that is added by hand, as that would be read. */
  input: NewPartyInput
  questions: readonly Question[]
}

/** The party as it stands: it was judged when it was issued, and is not judged again by what holds now. */
export const importedOrderOfParty = (
  context: LoadContext,
  event: LoadedEvent,
  { party, input, questions }: PartyToImport,
  at: JsonPath,
): ImportedOrder => {
  if (party.party_size !== undefined && party.party_size !== party.admissions.length)
    throw fileFaultAt([...at, 'party_size'], 'is not the number of admissions')
  const createdAt = party.created_at ?? context.terms.now
  const answered = [...at, 'custom_field_answers']
  return {
    origin: 'guest_list',
    status: party.status,
    archivedAt: party.archived ? context.terms.now : null,
    customerName: input.customer_name,
    deliveryEmail: input.delivery_email,
    deliversToCreator: input.send_to_creator,
    staffNote: input.staff_note,
    customerPhone: input.customer_phone,
    customerCompany: input.customer_company,
    billing: {
      street: input.billing_street,
      postalCode: input.billing_postal_code,
      city: input.billing_city,
      country: input.billing_country,
      vatId: input.billing_vat_id,
    },
    answers: readArchivedAnswers(
      event,
      questionsOfScope('order', questions),
      party.custom_field_answers ?? {},
      answered,
    ),
    creator: creatorOf(context, party, at),
    totalCents: 0,
    paidAt: createdAt,
    createdAt,
    publicId: party.public_id,
    orderCode: party.order_code,
    items: itemsOf(event, { party, input, questions }, at),
  }
}

const itemsOf = (event: LoadedEvent, { party, input, questions }: PartyToImport, at: JsonPath): ImportedItem[] => {
  const ticket = findByKey(event.tickets, party.ticket, [...at, 'ticket'], 'ticket')
  const area =
    party.standing_area === null
      ? null
      : findByKey(event.standingAreas, party.standing_area, [...at, 'standing_area'], 'standing area')
  const asked = questionsOfScope('attendee', questions)
  const { names, fault } = validateAttendeeNames(
    party.admissions.map((_, position) => String(position)),
    input.attendee_names ?? {},
  )
  if (fault !== null) throw fileFaultAt([...at, 'attendee_names'], fault)

  return party.admissions.map((admission, position) => {
    const here = [...at, 'admissions', position]
    const attendee = String(position)
    const answers = party.attendee_custom_field_answers?.[attendee] ?? {}
    const place = placeOf(event, admission, here)
    // Who was cancelled before the others moved to a standing area is still known by the place they had.
    const keepsPlace = place !== null && admission.admission_status !== 'active'
    return {
      ticket: { id: ticket.id, title: ticket.title },
      standingArea: keepsPlace ? null : area,
      place,
      isLead: admission.is_lead ?? position === 0,
      attendeeName: names.get(attendee) ?? null,
      answers: readArchivedAnswers(event, asked, answers, [...at, 'attendee_custom_field_answers', attendee]),
      status: admission.admission_status,
      redeemedAt: admission.redeemed_at,
      leftAt: admission.left_at,
      publicId: admission.public_id,
      checkInCode: admission.check_in_code,
    }
  })
}

const placeOf = (event: LoadedEvent, { place: name }: IssuedAdmission, here: JsonPath) => {
  if (name === null) return null
  const place = findByKey(event.places, name, [...here, 'place'], 'place')
  return { id: place.id, label: place.label, snapshot: snapshotOfPlace({ key: name, ...place }) }
}

/** Somebody who is no member here any more leaves only a name. */
const creatorOf = ({ people }: LoadContext, party: AlreadyIssuedParty, at: JsonPath) => {
  const member = party.creator === null ? null : findByKey(people, party.creator, [...at, 'creator'], 'person')
  const name = party.creator_name ?? member?.name ?? null
  return name === null ? null : { personId: member?.personId ?? null, name }
}
