import type { z } from 'zod'
import { type Caller, eventReachOf } from '../access/callers.ts'
import type { AdmissionOnWire, GuestList, GuestParty, TicketOption } from '../guest-list/wire.ts'
import { requireFound } from '../kernel/refusals.ts'
import type { SignupForm } from '../signup/links/wire.ts'
import type { SignupRequestOnWire, SignupRequests } from '../signup/requests/wire.ts'
import type { GuestListParameters } from './guest-list-parameters.ts'
import { type NameMatching, findOneByName } from './names.ts'
import { containsQuery, pageOf, omitKeys } from './pages.ts'
import type { ToolCall } from './tool.ts'

type GuestCall = ToolCall<GuestListParameters>

export type ShownParty = z.output<typeof GuestParty>
export type ShownAdmission = z.output<typeof AdmissionOnWire>
export type ShownTicketOption = z.output<typeof TicketOption>
export type ShownForm = z.output<typeof SignupForm>
export type ShownRequest = z.output<typeof SignupRequestOnWire>

const PARTIES_MAX = 20
const PLACES_MAX = 100
const FORMS_MAX = 20

/** Who works for the whole account knows admissions by their public ID, a co-organizer by the code on the ticket. */
const isKnownById = (caller: Caller) => eventReachOf(caller) === 'account'

const admissionIdFor = (caller: Caller, admission: ShownAdmission) =>
  isKnownById(caller) ? admission.public_id : admission.check_in_code

/** What the API shows, with the ID under the name of the parameter that takes it. */
export const showPartyWithIds = (party: ShownParty, { caller }: GuestCall) => ({
  party_id: party.public_id,
  ...party,
  admissions: party.admissions.map((admission) => ({
    admission_id: admissionIdFor(caller, admission),
    ...(isKnownById(caller) ? admission : omitKeys(admission, 'public_id')),
  })),
})

/** In a list, what somebody looks for; the rest is in the view of the one party. */
const showPartyShort = (party: ShownParty, caller: Caller) => ({
  party_id: party.public_id,
  public_id: party.public_id,
  customer_name: party.customer_name,
  party_size: party.party_size,
  arrived_count: party.arrived_count,
  arrival_state: party.arrival_state,
  ticket_title: party.ticket_title,
  delivery_email: party.delivery_email,
  staff_note: party.staff_note,
  cancellable: party.cancellable,
  admissions: party.admissions
    .filter(({ admission_status }) => admission_status === 'active')
    .map((admission) => ({
      admission_id: admissionIdFor(caller, admission),
      attendee_name: admission.attendee_name,
      place_label: admission.place_label,
      redeemed: admission.redeemed,
    })),
})

export const showGuests = (list: z.output<typeof GuestList>, call: GuestCall) => {
  const { party_id, page } = call.given
  // Some models send every parameter, and empty what they do not mean.
  const id = party_id?.trim() ?? ''
  if (id !== '') {
    return showPartyWithIds(requireFound(list.guest_parties.find(({ public_id }) => public_id === id)), call)
  }
  const { shown, next_page } = pageOf(list.guest_parties, page, PARTIES_MAX)
  return {
    query: list.query,
    filter: list.filter,
    expected_count: list.expected_count,
    arrived_count: list.arrived_count,
    admission_count: list.admission_count,
    party_count: list.guest_parties.length,
    next_page,
    guest_parties: shown.map((party) => showPartyShort(party, call.caller)),
  }
}

const showOption = ({ id, title, inventory_kind, available_stock, unlimited_stock, ...option }: ShownTicketOption) => ({
  ticket_title: title,
  id,
  inventory_kind,
  available_stock,
  unlimited_stock,
  standing_areas: option.standing_areas.map(({ name, available_stock: left }) => ({ name, available_stock: left })),
  free_places: option.available_places.length,
})

export const showTicketOptions = ({ ticket_options }: { ticket_options: ShownTicketOption[] }) => ({
  tickets: ticket_options.map(showOption),
})

export const MATCH_TICKET_BY_TITLE: NameMatching<ShownTicketOption> = {
  namesOf: ({ title, id }) => [title, id],
  show: showOption,
}

export const showPlaces = (
  { ticket_options: options }: { ticket_options: ShownTicketOption[] },
  { given }: GuestCall,
) => {
  const numbered = options.filter(({ inventory_kind }) => inventory_kind === 'places')
  const wanted =
    given.ticket_title === undefined
      ? numbered
      : [findOneByName('ticket_title', given.ticket_title, options, MATCH_TICKET_BY_TITLE)]
  const places = wanted.flatMap(({ title, available_places }) =>
    available_places
      .filter(({ key, label }) => containsQuery(given.query, [key, label]))
      .map(({ key, label }) => ({ key, label, ticket_title: title })),
  )
  const { shown, next_page } = pageOf(places, given.page, PLACES_MAX)
  return { count: places.length, next_page, places: shown }
}

export const showForm = (form: ShownForm) => ({ form_id: form.public_id, ...form })

export const showForms = ({ forms }: { forms: ShownForm[] }, { given }: GuestCall) => {
  const { shown, next_page } = pageOf(forms, given.page, FORMS_MAX)
  return { count: forms.length, next_page, forms: shown.map(showForm) }
}

/** A request's size counts everybody who would come in: the guest, the companions, and approved additions. */
export const showRequest = (request: ShownRequest) => ({
  request_id: request.public_id,
  ...request,
  party_size: request.total_party_size,
})

export const showRequests = ({ requests, ...page }: z.output<typeof SignupRequests>) => ({
  ...page,
  requests: requests.map(showRequest),
})
