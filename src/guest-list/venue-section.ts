import { z } from 'zod'
import { type ImportedOrder, importOrders, asImportedOrder } from '../admissions/import-orders.ts'
import { isActive } from '../admissions/rules.ts'
import { type OrderPreconditions, findQuestions, findOrderPreconditions } from '../admissions/terms/records.ts'
import {
  answersSchema,
  codeSchema,
  answersByQuestionId,
  admissionCodeSchemas,
  entryFault,
  entrySchemas,
  publicIdSchema,
  reportLoadedAdmission,
} from '../admissions/venue-section.ts'
import { shortageFault } from '../inventory/venue-section.ts'
import { Invalid } from '../kernel/refusals.ts'
import { type JsonPath, fileFaultAt } from '../loading/fault.ts'
import {
  type ReadingContext,
  email,
  flag,
  keyText,
  list,
  oneOf,
  optional,
  optionalText,
  requiredList,
  strictObject,
  text,
  timestamp,
} from '../loading/fields.ts'
import {
  type EventSection,
  type LoadContext,
  type LoadedEvent,
  findByKey,
  createSharedLookup,
} from '../loading/section.ts'
import { validateParty } from './create-party.ts'
import { exportParties } from './export-parties.ts'
import { NewParty } from './inputs.ts'
import { type AlreadyIssuedParty, importedOrderOfParty } from './issued-party.ts'
import { PARTY_SIZE_MAX } from './rules.ts'

const asPosted = z.unknown().optional()

const POSTED = {
  key: keyText(),
  customer_name: text(),
  ticket: keyText(),
  standing_area: optional(keyText()),
  places: list(keyText(), 'itself'),
  custom_field_answers: optional(answersSchema()),
  attendee_custom_field_answers: optional(z.record(z.string(), answersSchema())),
  party_size: asPosted,
  delivery_email: asPosted,
  send_to_creator: asPosted,
  staff_note: asPosted,
  customer_phone: asPosted,
  customer_company: asPosted,
  billing_street: asPosted,
  billing_postal_code: asPosted,
  billing_city: asPosted,
  billing_country: asPosted,
  billing_vat_id: asPosted,
  attendee_names: asPosted,
}

const IssuedAdmission = (terms: ReadingContext) =>
  strictObject({
    ...admissionCodeSchemas(),
    place: optional(keyText()),
    admission_status: oneOf(['active', 'cancelled', 'refunded', 'refund_pending']).default('active'),
    ...entrySchemas(terms),
    is_lead: z.boolean().optional(),
  }).superRefine((admission, context) => {
    const fault = entryFault(admission)
    if (fault) context.addIssue({ code: 'custom', ...fault })
  })

/** A party that was issued before says with `admissions` what became of each of them, and which places they have. */
const GuestPartyOfFile = (terms: ReadingContext) =>
  strictObject({
    ...POSTED,
    public_id: optional(publicIdSchema()),
    order_code: optional(codeSchema()),
    status: oneOf(['paid', 'booking_cancelled']).default('paid'),
    archived: flag(false),
    created_at: optional(timestamp(terms)),
    creator: optional(email()),
    creator_name: optionalText(),
    admissions: requiredList(IssuedAdmission(terms))
      .refine((admissions) => admissions.length > 0 && admissions.length <= PARTY_SIZE_MAX, {
        error: `has not 1 to ${PARTY_SIZE_MAX} admissions`,
      })
      .optional(),
  }).refine((party) => party.admissions !== undefined || party.status === 'paid', {
    path: ['admissions'],
    error: 'is missing, and a cancelled party has them',
  })

type GuestPartyInput = z.output<ReturnType<typeof GuestPartyOfFile>>

/** For the signups that led to them. */
export const partiesLoadedFromFile = createSharedLookup<{ id: number; liveCount: number }>()

/** Parties as if the account owner had added them by hand, but all at once, and nothing is mailed. */
export const guestPartiesSection: EventSection<GuestPartyInput[]> = {
  key: 'guest_parties',
  schema: (terms) => list(GuestPartyOfFile(terms), 'key'),
  load: async (context, event, parties, place) => {
    if (parties.length === 0) return {}
    const { tx } = context
    const judge = await openJudge(context, event)
    const orders: ImportedOrder[] = []
    for (const [n, party] of parties.entries()) orders.push(await judge(party, [...place, n]))

    const issue = await importOrders(tx, event.id, orders, place)
    if (issue.refused) throw shortageFault(place, issue.refused)
    return Object.fromEntries(
      parties.map(({ key: name }, n) => {
        const { id, publicId: shown, items } = issue.orders[n]!
        partiesLoadedFromFile(event).set(name, { id, liveCount: orders[n]!.items.filter(isActive).length })
        return [name, { public_id: shown, admissions: items.map(reportLoadedAdmission) }]
      }),
    )
  },
  export: exportParties,
}

/** Reads parties one after the other; what they are judged by is looked up once for each ticket. */
const openJudge = async (context: LoadContext, event: LoadedEvent) => {
  const { tx, terms } = context
  const owner = ownerOf(context)
  const questions = await findQuestions(tx, event.id)
  const placeIds = Array.from(event.places.values(), ({ id }) => id)
  const termsOf = new Map<number | null, OrderPreconditions>()

  return async (party: GuestPartyInput, at: JsonPath): Promise<ImportedOrder> => {
    const input = tellPlace(at, () => NewParty.read({ guest_party: withIds(event, party, at) }))
    if (isIssued(party)) return importedOrderOfParty(context, event, { party, input, questions }, at)

    const ticketId = input.ticket_id
    const ticketTerms = termsOf.get(ticketId) ?? (await findOrderPreconditions(tx, event.id, { ticketId, placeIds }))
    termsOf.set(ticketId, ticketTerms)
    const order = tellPlace(at, () => validateParty(ticketTerms, event.id, owner, input))
    return {
      ...asImportedOrder({ ...order, createdAt: party.created_at }, terms.now),
      publicId: party.public_id,
      orderCode: party.order_code,
    }
  }
}

const isIssued = (party: GuestPartyInput): party is GuestPartyInput & AlreadyIssuedParty =>
  party.admissions !== undefined

const withIds = (event: LoadedEvent, party: GuestPartyInput, at: JsonPath) => {
  const {
    key: _key,
    ticket,
    standing_area,
    places,
    custom_field_answers,
    attendee_custom_field_answers,
    admissions,
    ...rest
  } = party
  const attendees = Object.entries(attendee_custom_field_answers ?? {})
  return {
    ...rest,
    ticket_id: findByKey(event.tickets, ticket, [...at, 'ticket'], 'ticket').id,
    // Which of them has which place, and which had one, is said by the admissions themselves.
    event_place_ids: (admissions ? [] : places).map(
      (name, n) => findByKey(event.places, name, [...at, 'places', n], 'place').id,
    ),
    event_capacity_pool_id:
      standing_area === null
        ? null
        : findByKey(event.standingAreas, standing_area, [...at, 'standing_area'], 'standing area').id,
    custom_field_answers: answersByQuestionId(event, custom_field_answers ?? {}, [...at, 'custom_field_answers']),
    attendee_custom_field_answers: Object.fromEntries(
      attendees.map(([attendee, answers]) => [
        attendee,
        answersByQuestionId(event, answers, [...at, 'attendee_custom_field_answers', attendee]),
      ]),
    ),
  }
}

const ownerOf = ({ people }: LoadContext) => {
  const owner = Array.from(people.values()).find(({ role, isActive }) => role === 'owner' && isActive)
  if (!owner) throw fileFaultAt(['people'], 'there is no active owner')
  return owner
}

/** Fields of the API that the file calls by another name. */
const FILE_NAMES: Record<string, string> = {
  ticket_id: 'ticket',
  event_place_ids: 'places',
  event_capacity_pool_id: 'standing_area',
}

const tellPlace = <T>(at: JsonPath, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    const [field, messages] = Object.entries(error.errors)[0]!
    throw fileFaultAt(field === 'base' ? at : [...at, FILE_NAMES[field] ?? field], messages[0]!)
  }
}
