import type { Tx } from '../access/scopes.ts'
import type { RefuseAtPath } from '../definitions/define.ts'
import { insertThings } from '../definitions/records.ts'
import { MUST_EXIST_MESSAGE } from '../kernel/messages.ts'
import { TICKET_COLORS } from '../kernel/public-ids.ts'
import { type JsonPath, quoteShortened } from '../loading/fault.ts'
import { insertRows } from '../loading/records.ts'
import type { LoadedEvent, LoadedTicket } from '../loading/section.ts'
import {
  type FaqItemFileInput,
  type PerformerFileInput,
  type PlaceFileInput,
  type QuestionFileInput,
  type StandingAreaFileInput,
  type TicketFileInput,
  faqItemDefinition,
  performerDefinition,
  placeDefinition,
  questionDefinition,
  standingAreaDefinition,
  ticketDefinition,
} from './definitions.ts'
import { HALF_PAIR_WORDING, pairFault, isHalfPair } from './pairs.ts'

/** Who adds to a new event, a file or a body, and how a reference that leads nowhere is told. */
export interface AddContext {
  tx: Tx
  now: Date
  refuse: RefuseAtPath
}

export const addTickets = async (
  { tx, now }: AddContext,
  event: LoadedEvent,
  tickets: TicketFileInput[],
): Promise<void> => {
  const colored = tickets.map((ticket, n) => ({
    ...ticket,
    color: ticket.color ?? TICKET_COLORS[n % TICKET_COLORS.length]!,
  }))
  const beside = (_: TicketFileInput, n: number) => ({ event_id: event.id, position: n })
  const ids = await insertThings(tx, 'tickets', ticketDefinition, colored, { now, beside })
  const codes = tickets.flatMap((ticket, n) =>
    ticket.access_codes.map((code) => ({ event_id: event.id, ticket_id: ids[n]!, code })),
  )
  await insertRows(tx, 'ticket_access_codes', codes)
  for (const [n, ticket] of tickets.entries()) event.tickets.set(ticket.key, loadedTicket(ids[n]!, ticket))
}

const loadedTicket = (id: number, ticket: TicketFileInput): LoadedTicket => ({
  id,
  title: ticket.title,
  kind: ticket.kind,
  inventoryKind: ticket.inventory_kind,
  priceCents: ticket.price,
  groupSize: ticket.group_size,
})

export const addStandingAreas = async (
  { tx, now, refuse }: AddContext,
  event: LoadedEvent,
  areas: StandingAreaFileInput[],
): Promise<void> => {
  const openedBy = areas.map((area, n) =>
    area.tickets.map((name, m) => ticketOf(event, 'standing', name, [n, 'tickets', m], refuse)),
  )
  const beside = (_: StandingAreaFileInput, n: number) => ({ event_id: event.id, position: n })
  const ids = await insertThings(tx, 'standing_areas', standingAreaDefinition, areas, { now, beside })
  const openings = openedBy.flatMap((ticketIds, n) =>
    ticketIds.map((ticketId) => ({ event_id: event.id, standing_area_id: ids[n]!, ticket_id: ticketId })),
  )
  await insertRows(tx, 'standing_area_tickets', openings)
  for (const [n, { key, name, tickets }] of areas.entries()) {
    event.standingAreas.set(key, { id: ids[n]!, name, tickets })
  }
}

export const addPlaces = async (
  { tx, now, refuse }: AddContext,
  event: LoadedEvent,
  places: PlaceFileInput[],
): Promise<void> => {
  const byKey = new Map(places.map((each) => [each.key, each]))
  const indexOf = new Map(places.map(({ key }, n) => [key, n]))
  const sold = places.map((each, n) => {
    requirePair(byKey, each, [n, 'pair'], refuse)
    return { ...each, ticket_id: ticketOf(event, 'places', each.ticket, [n, 'ticket'], refuse) }
  })
  const beside = ({ pair }: PlaceFileInput, n: number, drawn: readonly number[]) => ({
    event_id: event.id,
    position: n,
    pair_place_id: pair === null ? null : drawn[indexOf.get(pair)!]!,
  })
  const ids = await insertThings(tx, 'places', placeDefinition, sold, { now, beside })
  for (const [n, { key, ...each }] of places.entries()) event.places.set(key, { id: ids[n]!, ...each })
}

/** A wheelchair place and the companion's beside it name each other; only the former may be alone. */
const requirePair = (
  places: Map<string, PlaceFileInput>,
  one: PlaceFileInput,
  path: JsonPath,
  refuse: RefuseAtPath,
) => {
  if (isHalfPair(one)) refuse(path, HALF_PAIR_WORDING)
  if (one.pair === null) return
  const other =
    places.get(one.pair) ??
    refuse(path, { file: `there is no place ${quoteShortened(one.pair)}`, api: MUST_EXIST_MESSAGE })
  if (other.pair !== one.key) {
    refuse(path, {
      file: `the place ${quoteShortened(other.key)} does not name ${quoteShortened(one.key)} as its pair`,
      api: `must be the pair of ${one.key} too`,
    })
  }
  const fault = pairFault(one, other)
  if (fault) refuse(path, fault)
}

const ticketOf = (
  event: LoadedEvent,
  inventoryKind: LoadedTicket['inventoryKind'],
  name: string,
  path: JsonPath,
  refuse: RefuseAtPath,
): number => {
  const ticket = event.tickets.get(name)
  if (!ticket) return refuse(path, { file: `there is no ticket ${quoteShortened(name)}`, api: MUST_EXIST_MESSAGE })
  if (ticket.inventoryKind === inventoryKind) return ticket.id
  return refuse(path, {
    file: `the ticket ${quoteShortened(name)} is not of inventory_kind ${quoteShortened(inventoryKind)}`,
    api: `must be of inventory_kind ${inventoryKind}`,
  })
}

export const addQuestions = async (
  { tx, now }: AddContext,
  event: LoadedEvent,
  questions: QuestionFileInput[],
): Promise<void> => {
  const beside = (_: QuestionFileInput, n: number) => ({ event_id: event.id, position: n })
  const ids = await insertThings(tx, 'questions', questionDefinition, questions, { now, beside })
  for (const [n, { key, label, type, scope }] of questions.entries()) {
    event.questions.set(key, { id: ids[n]!, label, type, scope })
  }
}

export const addPerformers = (
  { tx, now }: AddContext,
  eventId: number,
  performers: PerformerFileInput[],
): Promise<unknown> =>
  insertThings(tx, 'performers', performerDefinition, performers, {
    now,
    beside: (_, n) => ({ event_id: eventId, position: n }),
  })

export const addFaqItems = ({ tx, now }: AddContext, eventId: number, items: FaqItemFileInput[]): Promise<unknown> =>
  insertThings(tx, 'faq_items', faqItemDefinition, items, {
    now,
    beside: (_, n) => ({ event_id: eventId, position: n }),
  })
