import { STAFF_NOTE_MAX } from '../admissions/rules.ts'
import { GUEST_FILTERS, PARTY_SIZE_MAX } from '../guest-list/rules.ts'
import { APPROVAL_MODES, COMPANIONS_MAX } from '../signup/links/rules.ts'
import { REQUEST_STATUSES } from '../signup/requests/rules.ts'
import { choice, flag, integer, jsonObject, text, textList } from './parameters.ts'

export const guestListParameters = {
  dry_run: flag(
    'True changes nothing and says what the action would do. Left out or false, the action is carried out at once.',
  ),

  query: text('Part of a guest’s name, a companion’s name or a delivery email; for places, part of a key or label.'),
  filter: choice(GUEST_FILTERS, 'Which parties to list; all by default.'),
  page: integer('Which page of a list, from 1; next_page of the page before.', { minimum: 1 }),

  party_id: text('A party, as list and add call it.'),
  customer_name: text('The lead guest’s name, as the door searches for it.'),
  ticket_title: text('A ticket by its title or id, as tickets lists them.'),
  standing_area: text('A standing area by its name, for standing tickets with several.'),
  party_size: integer(`How many come in, the lead included: 1 to ${PARTY_SIZE_MAX}. Not for numbered seats.`, {
    minimum: 1,
    maximum: PARTY_SIZE_MAX,
  }),
  place_keys: textList(
    'Keys of numbered seats, as places lists them, such as ["A-1", "A-2"]: one for each guest of a new party, exactly one for move_seat. Never invented.',
  ),
  delivery_email: text('Where the tickets are mailed; an empty text clears it.'),
  send_to_creator: flag('Mails the tickets to whoever adds the party instead.'),
  staff_note: text(`A hint for the door, at most ${STAFF_NOTE_MAX} characters; an empty text clears it.`),
  customer_phone: text('The lead guest’s phone number.'),
  customer_company: text('The lead guest’s company.'),
  billing_details: jsonObject(
    'JSON object string with any of billing_street, billing_postal_code, billing_city, billing_country (ISO alpha-2), billing_vat_id.',
  ),
  custom_field_answers: jsonObject(
    'JSON object string: answers of the order by question ID, such as {"12": "Friends"}. On update it replaces all of them. fields lists the questions.',
  ),
  attendee_custom_field_answers: jsonObject(
    'JSON object string: for each attendee an object of answers by question ID, such as {"0": {"13": "vegan"}}. Attendees are positions from 0 (the lead) on add, admission_id on update.',
  ),
  companion_names: jsonObject(
    'JSON object string: companions’ names by attendee, such as {"1": "Paul Photo"}. Attendees are positions on add (0 is the lead), admission_id on update.',
  ),
  deliver: flag('True mails the tickets after the update.'),
  admission_id: text('One admission of a party, as list calls it; a check-in code works too.'),

  form_id: text('A signup link, as forms calls it; may be left out while the event has only one.'),
  form_name: text('What the link is called among staff; an empty text clears it.'),
  signup_enabled: flag('Whether the link takes new sign-ups.'),
  approval_mode: choice(
    APPROVAL_MODES,
    'manual: staff decide each request; automatic: guests get their tickets at once.',
  ),
  max_companions: integer(`How many companions a guest may bring: 0 to ${COMPANIONS_MAX}.`, {
    minimum: 0,
    maximum: COMPANIONS_MAX,
  }),
  signup_capacity: integer('How many people in all may come through the link.', { minimum: 1 }),
  signup_fields: jsonObject(
    'JSON object string with any of company, phone, companion_names, each "hidden", "optional" or "required".',
  ),
  ask_checkout_questions: flag('Whether the link also asks the event’s order questions.'),

  request_id: text('A signup request, as requests calls it.'),
  request_status: choice(
    REQUEST_STATUSES,
    'Which requests to list; pending, the ones that wait for a decision, by default.',
  ),
}

export type GuestListParameters = typeof guestListParameters
