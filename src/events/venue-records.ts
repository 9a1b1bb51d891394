import type { Tx } from '../access/scopes.ts'
import { drawIds, insertRows } from '../loading/records.ts'
import type {
  EventInput,
  FaqItemInput,
  PerformerInput,
  PlaceInput,
  QuestionInput,
  StandingAreaInput,
  TicketInput,
  VenueInput,
} from './venue-inputs.ts'

/** What a venue file says of events as rows of the schema, each table filled by one statement. */

export const insertVenues = async (tx: Tx, venues: VenueInput[]): Promise<number[]> => {
  const ids = await drawIds(tx, 'venues', venues.length)
  await insertRows(
    tx,
    'venues',
    venues.map((venue, n) => ({
      id: ids[n]!,
      name: venue.name,
      address: venue.address ?? '',
      postal_code: venue.postal_code,
      city: venue.city ?? '',
      country: venue.country ?? '',
      latitude: venue.latitude,
      longitude: venue.longitude,
      time_zone: venue.time_zone,
    })),
  )
  return ids
}

export type NewEvent = EventInput & { venueId: number | null }

export const insertEvents = async (tx: Tx, events: NewEvent[], now: Date): Promise<number[]> => {
  const ids = await drawIds(tx, 'events', events.length)
  await insertRows(
    tx,
    'events',
    events.map((event, n) => ({
      id: ids[n]!,
      slug: event.slug,
      title: event.title,
      description: event.description,
      venue_id: event.venueId,
      starts_at: event.starts_at,
      doors_open_at: event.doors_open_at,
      public_ends_at: event.ends_at,
      show_end_time: event.show_end_time,
      sales_starts_at: event.sales_starts_at,
      sales_ends_at: event.sales_ends_at,
      minimum_age: event.minimum_age,
      video_url: event.video_url,
      video_title: event.video_title,
      image: event.image,
      background_image: event.background_image,
      gallery_images: event.gallery_images,
      published_at: event.published ? now : null,
      unlisted_at: event.listed ? null : now,
      cancelled_at: event.cancelled ? now : null,
      archived_at: event.archived ? now : null,
      capacity: event.capacity,
    })),
  )
  return ids
}

export type NewTicket = TicketInput & { color: string }

export const insertTickets = async (tx: Tx, eventId: number, tickets: NewTicket[]): Promise<number[]> => {
  const ids = await drawIds(tx, 'tickets', tickets.length)
  await insertRows(
    tx,
    'tickets',
    tickets.map((ticket, n) => ({
      id: ids[n]!,
      event_id: eventId,
      position: n,
      title: ticket.title,
      kind: ticket.kind,
      color: ticket.color,
      features: ticket.features,
      price_cents: ticket.price,
      inventory_kind: ticket.inventory_kind,
      stock: ticket.stock,
      max_per_order: ticket.max_per_order,
      hidden: ticket.hidden,
      group_size: ticket.group_size,
    })),
  )
  const codes = tickets.flatMap((ticket, n) =>
    ticket.access_codes.map((code) => ({ event_id: eventId, ticket_id: ids[n]!, code })),
  )
  await insertRows(tx, 'ticket_access_codes', codes)
  return ids
}

export type NewStandingArea = StandingAreaInput & { closedAt: Date | null; ticketIds: number[] }

export const insertStandingAreas = async (tx: Tx, eventId: number, areas: NewStandingArea[]): Promise<number[]> => {
  const ids = await drawIds(tx, 'standing_areas', areas.length)
  await insertRows(
    tx,
    'standing_areas',
    areas.map((area, n) => ({
      id: ids[n]!,
      event_id: eventId,
      position: n,
      name: area.name,
      capacity: area.capacity,
      blocked_count: area.blocked,
      closed_at: area.closedAt,
    })),
  )
  const openings = areas.flatMap((area, n) =>
    area.ticketIds.map((ticketId) => ({ event_id: eventId, standing_area_id: ids[n]!, ticket_id: ticketId })),
  )
  await insertRows(tx, 'standing_area_tickets', openings)
  return ids
}

export type NewPlace = PlaceInput & { ticketId: number; blockedAt: Date | null }

export const insertPlaces = async (tx: Tx, eventId: number, places: NewPlace[]): Promise<number[]> => {
  const ids = await drawIds(tx, 'places', places.length)
  const idOf = new Map(places.map((place, n) => [place.key, ids[n]!]))
  await insertRows(
    tx,
    'places',
    places.map((place, n) => ({
      id: ids[n]!,
      event_id: eventId,
      ticket_id: place.ticketId,
      position: n,
      key: place.key,
      label: place.label,
      section: place.section,
      row: place.row,
      seat: place.seat,
      accessibility: place.accessibility,
      pair_place_id: place.pair === null ? null : idOf.get(place.pair)!,
      blocked_at: place.blockedAt,
    })),
  )
  return ids
}

export const insertQuestions = async (tx: Tx, eventId: number, questions: QuestionInput[]): Promise<number[]> => {
  const ids = await drawIds(tx, 'questions', questions.length)
  await insertRows(
    tx,
    'questions',
    questions.map((question, n) => ({
      id: ids[n]!,
      event_id: eventId,
      position: n,
      label: question.label,
      type: question.type,
      scope: question.scope,
      required: question.required,
      complete_later: question.complete_later,
      options: question.options,
      help_text: question.help_text,
    })),
  )
  return ids
}

export const insertPerformers = (tx: Tx, eventId: number, performers: PerformerInput[]): Promise<void> =>
  insertRows(
    tx,
    'performers',
    performers.map((performer, n) => ({
      event_id: eventId,
      position: n,
      name: performer.name,
      performer_type: performer.performer_type,
      role: performer.role,
      genre: performer.genre,
      starts_at: performer.starts_at,
      ends_at: performer.ends_at,
      bio: performer.bio,
      image: performer.image,
      links: performer.links ?? {},
    })),
  )

export const insertFaqItems = (tx: Tx, eventId: number, items: FaqItemInput[]): Promise<void> =>
  insertRows(
    tx,
    'faq_items',
    items.map((item, n) => ({ event_id: eventId, position: n, question: item.question, answer: item.answer })),
  )
