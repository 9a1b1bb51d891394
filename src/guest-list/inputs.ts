import { z } from 'zod'
import { type BodyReader, envelope, isRecord, optionalEnvelope } from '../http/body.ts'
import {
  flagWithDefault,
  integerWithDefault,
  mapField,
  optionalEmail,
  optionalRowId,
  optionalText,
  requiredRowId,
  requiredText,
  rowIds,
} from '../http/fields.ts'
import { optionalCountry } from '../admissions/inputs.ts'
import { STAFF_NOTE_MAX } from '../admissions/rules.ts'
import { PARTY_SIZE_MAX, PHONE_MAX } from './rules.ts'

const contact = {
  delivery_email: optionalEmail(),
  staff_note: optionalText(STAFF_NOTE_MAX),
  customer_phone: optionalText(PHONE_MAX),
  customer_company: optionalText(),
  billing_street: optionalText(),
  billing_postal_code: optionalText(),
  billing_city: optionalText(),
  billing_country: optionalCountry(),
  billing_vat_id: optionalText(),
  custom_field_answers: mapField(),
  attendee_custom_field_answers: mapField(),
  attendee_names: mapField(),
}

const creation = {
  customer_name: requiredText(),
  ticket_id: requiredRowId(),
  event_place_ids: rowIds(PARTY_SIZE_MAX),
  event_capacity_pool_id: optionalRowId(),
  send_to_creator: flagWithDefault(false),
  ...contact,
}

const sized = envelope(
  'guest_party',
  z.object({ ...creation, party_size: integerWithDefault(1, { least: 1, most: PARTY_SIZE_MAX }) }),
)
const seated = envelope('guest_party', z.object(creation))

export type NewPartyInput = z.output<z.ZodObject<typeof creation>> & { party_size?: number }

/** The size of a party with numbered places is the number of its places, and what party_size says is not even read. */
export const NewParty: BodyReader<NewPartyInput> = {
  schema: sized.schema,
  read: (json) => (namesPlaces(json) ? seated : sized).read(json),
}

const namesPlaces = (json: unknown) => {
  const party = isRecord(json) ? json['guest_party'] : null
  const ids = isRecord(party) ? party['event_place_ids'] : null
  return ids !== undefined && ids !== null && ids !== '' && !(Array.isArray(ids) && ids.length === 0)
}

const change = z.object({
  customer_name: requiredText().optional(),
  send_to_creator: flagWithDefault(false).optional(),
  delivery_email: contact.delivery_email.optional(),
  staff_note: contact.staff_note.optional(),
  customer_phone: contact.customer_phone.optional(),
  customer_company: contact.customer_company.optional(),
  billing_street: contact.billing_street.optional(),
  billing_postal_code: contact.billing_postal_code.optional(),
  billing_city: contact.billing_city.optional(),
  billing_country: contact.billing_country.optional(),
  billing_vat_id: contact.billing_vat_id.optional(),
  custom_field_answers: contact.custom_field_answers.optional(),
  attendee_custom_field_answers: contact.attendee_custom_field_answers.optional(),
  attendee_names: contact.attendee_names.optional(),
})

export type PartyChange = z.output<typeof change>

/** Size, seats and ticket are no part of it, so sending them changes nothing. */
export const ChangedParty = optionalEnvelope(
  'guest_party',
  change,
  z.object({ deliver: flagWithDefault(false), before: mapField() }),
)
