import { questionEndpoints } from '../events/questions/endpoints.ts'
import { guestListEndpoints } from '../guest-list/endpoints.ts'
import { seatExchangeEndpoints } from '../seat-exchange/endpoints.ts'
import { signupEndpoints } from '../signup/endpoints.ts'
import {
  changedPartyBody,
  resolveAdmissionId,
  resolveFormId,
  resolvePartyIdOfAdmission,
  formSettingsBody,
  showRequestAsDryRun,
  newPartyBody,
  seatExchangeBody,
} from './guest-list-inputs.ts'
import { guestListParameters } from './guest-list-parameters.ts'
import {
  showForm,
  showForms,
  showGuests,
  showTicketOptions,
  showPartyWithIds,
  showPlaces,
  showRequest,
  showRequests,
} from './guest-list-views.ts'
import { omitKeys } from './pages.ts'
import { endpointFinder, defineTool } from './tool.ts'

const endpoint = endpointFinder([
  ...guestListEndpoints,
  ...questionEndpoints,
  ...signupEndpoints,
  ...seatExchangeEndpoints,
])

const CONTACT = [
  'delivery_email',
  'send_to_creator',
  'staff_note',
  'customer_phone',
  'customer_company',
  'billing_details',
  'custom_field_answers',
  'attendee_custom_field_answers',
  'companion_names',
] as const

const SETTINGS = [
  'form_name',
  'signup_enabled',
  'approval_mode',
  'ticket_title',
  'standing_area',
  'max_companions',
  'signup_capacity',
  'signup_fields',
  'ask_checkout_questions',
] as const

export const manageGuestList = defineTool({
  name: 'manage_guest_list',
  title: 'Guest list and signup links',
  says: 'The guest list of an event: complimentary parties that take real places, seat moves, signup links and the requests that come through them.',
  parameters: guestListParameters,
  renames: {
    ticket_id: 'ticket_title',
    event_capacity_pool_id: 'standing_area',
    event_place_ids: 'place_keys',
    event_place_id: 'place_keys',
    attendee_names: 'companion_names',
    name: 'form_name',
    enabled: 'signup_enabled',
    capacity: 'signup_capacity',
    company_field: 'signup_fields',
    phone_field: 'signup_fields',
    companion_names_field: 'signup_fields',
    asks_questions: 'ask_checkout_questions',
    billing_country: 'billing_details',
    billing_street: 'billing_details',
    billing_postal_code: 'billing_details',
    billing_city: 'billing_details',
    billing_vat_id: 'billing_details',
  },
  actions: {
    list: {
      says: 'The parties by lead name, a page at a time, with how many are expected and arrived; with party_id everything about one.',
      calls: endpoint('GET /admin/events/:event_slug/guest_list'),
      query: { query: 'query', filter: 'filter' },
      takes: ['party_id', 'page'],
      show: showGuests,
    },
    fields: {
      says: 'The event’s questions: ID, label, type, scope (order or attendee), whether they must be answered upfront, options and help text.',
      calls: endpoint('GET /admin/events/:event_slug/questions'),
      show: ({ questions }: { questions: Record<string, unknown>[] }) => ({
        questions: questions.map((each) =>
          omitKeys(each, 'key', 'position', 'lock_version', 'created_at', 'updated_at'),
        ),
      }),
    },
    tickets: {
      says: 'The tickets a party can get, with what is left of them and their standing areas.',
      calls: endpoint('GET /admin/events/:event_slug/ticket_options'),
      show: showTicketOptions,
    },
    places: {
      says: 'The free numbered seats with their keys.',
      calls: endpoint('GET /admin/events/:event_slug/ticket_options'),
      takes: ['ticket_title', 'query', 'page'],
      show: showPlaces,
    },
    add: {
      says: 'Adds a party and takes its places at once; its tickets are mailed when there is a delivery email.',
      calls: endpoint('POST /admin/events/:event_slug/guest_parties'),
      needs: ['customer_name'],
      takes: ['ticket_title', 'party_size', 'place_keys', 'standing_area', ...CONTACT],
      dryRun: 'Adds a complimentary party, which takes places and opens the door, and mails its tickets if asked to.',
      body: newPartyBody,
      show: showPartyWithIds,
    },
    update: {
      says: 'Changes what is sent of a party and keeps the rest.',
      calls: endpoint('PATCH /admin/events/:event_slug/guest_parties/:public_id'),
      path: { public_id: 'party_id' },
      takes: ['customer_name', ...CONTACT, 'deliver'],
      dryRun: 'Changes what the door and the guest see of this party, and mails its tickets if deliver is true.',
      previews: true,
      body: changedPartyBody,
      show: showPartyWithIds,
    },
    cancel: {
      says: 'Cancels a whole party of which nobody has come in, and gives its places back.',
      calls: endpoint('POST /admin/events/:event_slug/guest_parties/:public_id/cancellation'),
      path: { public_id: 'party_id' },
      dryRun: 'Cancels the whole party for good: its tickets no longer open the door.',
      previews: true,
      show: showPartyWithIds,
    },
    cancel_admission: {
      says: 'Releases one admission of a party.',
      calls: endpoint(
        'POST /admin/events/:event_slug/guest_parties/:public_id/admissions/:admission_public_id/cancellation',
      ),
      path: { public_id: resolvePartyIdOfAdmission, admission_public_id: resolveAdmissionId },
      needs: ['admission_id'],
      takes: ['party_id'],
      dryRun: 'Releases this admission for good: its ticket no longer opens the door.',
      previews: true,
      show: showPartyWithIds,
    },
    move_seat: {
      says: 'Moves an admission to another free numbered seat of its ticket.',
      calls: endpoint('POST /admin/order_items/:public_id/seat_exchange'),
      path: { public_id: resolveAdmissionId },
      needs: ['admission_id', 'place_keys'],
      takes: ['event_title', 'party_id'],
      dryRun: 'Moves the guest to another seat, and mails the changed ticket where there is an address.',
      previews: true,
      body: seatExchangeBody,
    },
    forms: {
      says: 'The signup links of the event, oldest first.',
      calls: endpoint('GET /admin/events/:event_slug/guest_list_forms'),
      takes: ['page'],
      show: showForms,
    },
    form: {
      says: 'One signup link with its public address.',
      calls: endpoint('GET /admin/events/:event_slug/guest_list_forms/:public_id'),
      path: { public_id: resolveFormId },
      takes: ['form_id'],
      show: showForm,
    },
    create_form: {
      says: 'Opens another signup link with an address of its own.',
      calls: endpoint('POST /admin/events/:event_slug/guest_list_forms'),
      takes: SETTINGS,
      dryRun: 'Opens a public address where people outside can sign up for the guest list.',
      body: formSettingsBody,
      show: showForm,
    },
    configure_form: {
      says: 'Changes the settings that are sent and keeps the rest; false and 0 are applied.',
      calls: endpoint('PATCH /admin/events/:event_slug/guest_list_forms/:public_id'),
      path: { public_id: resolveFormId },
      takes: ['form_id', ...SETTINGS],
      dryRun: 'Changes what people outside meet at this signup link.',
      previews: true,
      body: formSettingsBody,
      show: showForm,
    },
    rotate_form: {
      says: 'Gives a link a fresh address; the old one stops working at once.',
      calls: endpoint('POST /admin/events/:event_slug/guest_list_forms/:public_id/rotation'),
      path: { public_id: resolveFormId },
      takes: ['form_id'],
      dryRun: 'Gives the link a fresh address: whoever has the old one finds nothing there from then on.',
      show: showForm,
    },
    requests: {
      says: 'The signup requests, newest first, 25 a page.',
      calls: endpoint('GET /admin/events/:event_slug/guest_requests'),
      query: { form_id: 'form_id', status: 'request_status', page: 'page' },
      show: showRequests,
    },
    approve_request: {
      says: 'Approves a request, or the companions that were added to it: issues the party and mails its tickets.',
      calls: endpoint('POST /admin/events/:event_slug/guest_requests/:public_id/approval'),
      path: { public_id: 'request_id' },
      dryRun: 'Issues a party with its tickets, mails them to the guest, and cannot be taken back as a decision.',
      foresee: showRequestAsDryRun,
      show: showRequest,
    },
    reject_request: {
      says: 'Rejects a request, or only the companions that were added to it; no mail is sent.',
      calls: endpoint('POST /admin/events/:event_slug/guest_requests/:public_id/rejection'),
      path: { public_id: 'request_id' },
      dryRun: 'Turns the guest, or the added companions, away; the decision cannot be taken back.',
      foresee: showRequestAsDryRun,
      show: showRequest,
    },
  },
})
