import { SEATS_GONE_MESSAGE } from '../admissions/rules.ts'
import { guestListEndpoints } from '../guest-list/endpoints.ts'
import { normalizeCode } from '../kernel/rules.ts'
import { Invalid, NotFound } from '../kernel/refusals.ts'
import { BLANK_MESSAGE } from '../kernel/messages.ts'
import { seatExchangeEndpoints } from '../seat-exchange/endpoints.ts'
import { signupEndpoints } from '../signup/endpoints.ts'
import type { GuestListParameters } from './guest-list-parameters.ts'
import {
  MATCH_TICKET_BY_TITLE,
  type ShownAdmission,
  type ShownForm,
  type ShownTicketOption,
  type ShownParty,
  type ShownRequest,
  showForm,
  showRequest,
} from './guest-list-views.ts'
import { UnresolvedName, findOneByName } from './names.ts'
import { omitUndefined } from './parameters.ts'
import { type ToolCall, endpointFinder } from './tool.ts'

type GuestCall = ToolCall<GuestListParameters>

const endpoint = endpointFinder([...guestListEndpoints, ...signupEndpoints, ...seatExchangeEndpoints])
const guestList = endpoint('GET /admin/events/:event_slug/guest_list')
const oneParty = endpoint('GET /admin/events/:event_slug/guest_parties/:public_id')
const ticketOptions = endpoint('GET /admin/events/:event_slug/ticket_options')
const allForms = endpoint('GET /admin/events/:event_slug/guest_list_forms')
const oneRequest = endpoint('GET /admin/events/:event_slug/guest_requests/:public_id')
const seatExchange = endpoint('GET /admin/order_items/:public_id/seat_exchange')

export const newPartyBody = async (call: GuestCall) => {
  const ticket = await findTicket(call)
  const { customer_name, party_size, place_keys: keys } = call.given
  return {
    guest_party: omitUndefined({
      customer_name,
      ticket_id: ticket.id,
      party_size,
      event_place_ids: keys && placeIdsOf(keys, ticket.available_places),
      event_capacity_pool_id: areaIdOf(call, ticket),
      ...contactOf(call),
      attendee_custom_field_answers: call.given.attendee_custom_field_answers,
      attendee_names: call.given.companion_names,
    }),
  }
}

export const changedPartyBody = async (call: GuestCall) => {
  const { customer_name, deliver, companion_names, attendee_custom_field_answers: answers } = call.given
  return omitUndefined({
    deliver,
    guest_party: omitUndefined({
      customer_name,
      ...contactOf(call),
      attendee_names: await byPublicId(call, 'companion_names', companion_names),
      attendee_custom_field_answers: await byPublicId(call, 'attendee_custom_field_answers', answers),
    }),
  })
}

const contactOf = ({ given }: GuestCall) =>
  omitUndefined({
    delivery_email: given.delivery_email,
    send_to_creator: given.send_to_creator,
    staff_note: given.staff_note,
    customer_phone: given.customer_phone,
    customer_company: given.customer_company,
    custom_field_answers: given.custom_field_answers,
    ...billingOf(given.billing_details),
  })

const BILLING = ['street', 'postal_code', 'city', 'country', 'vat_id'].map((name) => `billing_${name}`)

const billingOf = (details: Record<string, unknown> = {}) =>
  renamedKeys('billing_details', details, (key) => (key.startsWith('billing_') ? key : `billing_${key}`), BILLING)

/** Keys that mean nothing would be dropped without a word, and a model would think it was understood. */
const renamedKeys = (
  parameter: string,
  object: Record<string, unknown>,
  rename: (key: string) => string,
  known: readonly string[],
) => {
  const entries = Object.entries(object).map(([key, value]) => [rename(key), value] as const)
  if (entries.some(([key]) => !known.includes(key))) {
    throw new Invalid({ [parameter]: [`knows only ${known.join(', ')}`] })
  }
  return Object.fromEntries(entries)
}

const listOptions = (call: GuestCall) =>
  call.once('ticket options', async () => {
    const params = { event_slug: await call.eventSlug() }
    const { ticket_options: options } = await call.ask<{ ticket_options: ShownTicketOption[] }>(ticketOptions, {
      params,
    })
    return options
  })

/** By its title, or by the seats it was asked for; a ticket is never guessed among several. */
const findTicket = async (call: GuestCall): Promise<ShownTicketOption> => {
  const options = await listOptions(call)
  const { ticket_title: title, place_keys: keys } = call.given
  if (title !== undefined) return findOneByName('ticket_title', title, options, MATCH_TICKET_BY_TITLE)

  const fitting = keys?.length
    ? options.filter(({ available_places: places }) => keys.every((key) => places.some((place) => place.key === key)))
    : options
  if (fitting.length === 1) return fitting[0]!
  throw new UnresolvedName(
    'ticket_title',
    BLANK_MESSAGE,
    (fitting.length > 1 ? fitting : options).map(MATCH_TICKET_BY_TITLE.show),
  )
}

interface FreePlace {
  id: number
  key: string
  label: string
}

const placeIdsOf = (keys: readonly string[], places: readonly FreePlace[]): number[] =>
  keys.map((key) => {
    const place = places.find((each) => each.key === key) ?? places.find((each) => isAlike(each.key, key))
    if (place) return place.id
    throw new UnresolvedName(
      'place_keys',
      SEATS_GONE_MESSAGE,
      places.map((free) => ({ key: free.key, label: free.label })),
    )
  })

const isAlike = (one: string, other: string) => one.toLowerCase() === other.trim().toLowerCase()

const areaIdOf = ({ given }: GuestCall, ticket: ShownTicketOption): number | undefined => {
  if (given.standing_area === undefined || given.standing_area === '') return undefined
  return findOneByName('standing_area', given.standing_area, ticket.standing_areas, {
    namesOf: ({ name, id }) => [name, id],
    show: ({ name, available_stock }) => ({ name, available_stock }),
  }).id
}

export const formSettingsBody = async (call: GuestCall) => ({ guest_list_form: await settingsOf(call) })

/** A standing area is one of its ticket: the one that is sent along, or the one that the link has. */
const settingsOf = async (call: GuestCall) => {
  const { given } = call
  const named = given.ticket_title === undefined ? null : await findTicket(call)
  const ticket = named ?? (given.standing_area ? await ticketOfForm(call) : null)
  return omitUndefined({
    name: given.form_name,
    enabled: given.signup_enabled,
    ticket_id: named?.id,
    event_capacity_pool_id: ticket ? areaIdOf(call, ticket) : undefined,
    // A ticket without areas takes the former one of the link with it.
    ...(named && named.inventory_kind !== 'standing' && { event_capacity_pool_id: null }),
    approval_mode: given.approval_mode,
    max_companions: given.max_companions,
    capacity: given.signup_capacity,
    ...renamedKeys('signup_fields', given.signup_fields ?? {}, (key) => `${key}_field`, [
      'company_field',
      'phone_field',
      'companion_names_field',
    ]),
    asks_questions: given.ask_checkout_questions,
  })
}

const ticketOfForm = async (call: GuestCall): Promise<ShownTicketOption | null> => {
  const options = await listOptions(call)
  const forms = await listForms(call)
  const form = forms.find(({ public_id }) => public_id === call.given.form_id) ?? (forms.length === 1 ? forms[0] : null)
  return options.find(({ id }) => id === form?.ticket_id) ?? null
}

const listForms = (call: GuestCall) =>
  call.once('forms', async () => {
    const { forms } = await call.ask<{ forms: ShownForm[] }>(allForms, {
      params: { event_slug: await call.eventSlug() },
    })
    return forms
  })

export const resolveFormId = async (call: GuestCall): Promise<string> => {
  const { form_id: id } = call.given
  if (id !== undefined && id !== '') return id.trim()
  const forms = await listForms(call)
  if (forms.length === 1) return forms[0]!.public_id
  throw new UnresolvedName('form_id', BLANK_MESSAGE, forms.map(showForm))
}

interface Located {
  party: ShownParty
  admission: ShownAdmission
}

const isCalled = (id: string) => {
  const code = normalizeCode(id)
  return ({ public_id, check_in_code }: ShownAdmission) => public_id === id || check_in_code === code
}

/** The admission wherever it is on the list; what nobody there has is not found. */
const locate = (call: GuestCall): Promise<Located | null> =>
  call.once('admission', async () => {
    const event_slug = await call.eventSlug()
    const { party_id: partyId } = call.given
    const parties = partyId
      ? [await call.ask<ShownParty>(oneParty, { params: { event_slug, public_id: partyId.trim() } })]
      : (await call.ask<{ guest_parties: ShownParty[] }>(guestList, { params: { event_slug } })).guest_parties
    const isIt = isCalled(call.given.admission_id!.trim())
    for (const party of parties) {
      const admission = party.admissions.find(isIt)
      if (admission) return { party, admission }
    }
    return null
  })

export const resolvePartyIdOfAdmission = async (call: GuestCall): Promise<string> => {
  const located = await locate(call)
  if (!located) throw new NotFound()
  return located.party.public_id
}

/** Without an event it must be a public ID, which says everything by itself. */
export const resolveAdmissionId = async (call: GuestCall): Promise<string> => {
  const located = call.given.event_title === undefined ? null : await locate(call)
  return located?.admission.public_id ?? call.given.admission_id!.trim()
}

export const seatExchangeBody = async (call: GuestCall) => {
  const keys = call.given.place_keys!
  if (keys.length !== 1) throw new Invalid({ place_keys: ['must be exactly one for a move'] })
  const params = { public_id: await resolveAdmissionId(call) }
  const { available_places: places } = await call.ask<{ available_places: FreePlace[] }>(seatExchange, { params })
  return { seat_exchange: { event_place_id: placeIdsOf(keys, places)[0] } }
}

/** Attendees are called what the list calls them; an endpoint knows public IDs. */
const byPublicId = async (call: GuestCall, parameter: string, map: Record<string, unknown> | undefined) => {
  if (map === undefined) return undefined
  const params = { event_slug: await call.eventSlug(), public_id: call.given.party_id!.trim() }
  const { admissions } = await call.once('party', () => call.ask<ShownParty>(oneParty, { params }))
  return Object.fromEntries(
    Object.entries(map).map(([key, value]) => {
      const admission = admissions.find(isCalled(key.trim()))
      if (!admission) throw new Invalid({ [parameter]: ['names an admission that is not of this party'] })
      return [admission.public_id, value]
    }),
  )
}

/** Decisions of one event are taken together with others, outside of any transaction that could be rolled back. */
export const showRequestAsDryRun = async (call: GuestCall) => {
  const params = { event_slug: await call.eventSlug(), public_id: call.given.request_id!.trim() }
  return showRequest(await call.ask<ShownRequest>(oneRequest, { params }))
}
