import { z } from 'zod'
import { Money, Timestamp, named, showTimestamp, showTimestampOrNull } from '../http/wire.ts'
import { imageUrl } from '../images/names.ts'
import { showMoney } from '../kernel/money.ts'
import { markupToPlainText, sanitizeHtml } from '../rich-text/sanitize.ts'
import type { FeedEvent, FeedPerformer, FeedTicket, WholeFeedEvent } from './records.ts'
import {
  type RemainingByTicket,
  SALES_STATUSES,
  lowestAvailablePrice,
  remainingOf,
  salesStatusOf,
  ticketStockStateOf,
  visibleTickets,
} from './rules.ts'

const VENUE_EXAMPLE = {
  name: 'Kaispeicher, Great Hall',
  address: 'Am Alten Speicher 12',
  postal_code: '20457',
  city: 'Hamburg',
  country: 'DE',
  latitude: 53.5436,
  longitude: 9.9888,
  time_zone: 'Europe/Berlin',
}

const Venue = named(
  'PublicVenue',
  z.object({
    name: z.string(),
    address: z.string(),
    postal_code: z.string().nullable(),
    city: z.string(),
    country: z.string(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    time_zone: z.string(),
  }),
  VENUE_EXAMPLE,
)

const eventFields = {
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  url: z.string(),
  starts_at: Timestamp,
  doors_open_at: Timestamp.nullable(),
  ends_at: Timestamp,
  show_end_time: z.boolean(),
  sales_starts_at: Timestamp.nullable(),
  sales_ends_at: Timestamp.nullable(),
  time_zone: z.string(),
  minimum_age: z.int().nullable(),
  video_url: z.string().nullable(),
  video_title: z.string().nullable(),
  sold_out: z.boolean(),
  image_url: z.string().nullable(),
  background_image_url: z.string().nullable(),
  gallery_image_urls: z.array(z.string()),
  venue: Venue,
  cheapest_available_price: Money.nullable(),
  cancelled_at: Timestamp.nullable(),
  sales_status: z.enum(SALES_STATUSES),
}

const EVENT_EXAMPLE = {
  slug: 'winter-gala',
  title: 'Winter Gala of the Kaispeicher',
  description: '<p>Dance until morning.</p>',
  url: 'https://kaispeicher.shops.example/events/winter-gala',
  starts_at: '2030-12-14T19:00:00.000Z',
  doors_open_at: '2030-12-14T18:00:00.000Z',
  ends_at: '2030-12-15T00:00:00.000Z',
  show_end_time: false,
  sales_starts_at: null,
  sales_ends_at: null,
  time_zone: 'Europe/Berlin',
  minimum_age: 18,
  video_url: null,
  video_title: null,
  sold_out: false,
  image_url: 'https://kaispeicher.shops.example/images/winter-gala.webp',
  background_image_url: null,
  gallery_image_urls: [],
  venue: VENUE_EXAMPLE,
  cheapest_available_price: { amount: '25.00', currency: 'EUR' },
  cancelled_at: null,
  sales_status: 'on_sale' as const,
}

const TICKET_EXAMPLE = {
  title: 'General admission',
  kind: 'StandardTicket' as const,
  color: '#2f6fed',
  features: ['Cloakroom'],
  price: { amount: '25.00', currency: 'EUR' },
  available: true,
  sold_out: false,
  low_stock: false,
  max_per_order: 8,
}

const Ticket = named(
  'PublicTicket',
  z.object({
    title: z.string(),
    kind: z.enum(['StandardTicket', 'GroupTicket']),
    color: z.string(),
    features: z.array(z.string()),
    price: Money,
    available: z.boolean(),
    sold_out: z.boolean(),
    low_stock: z.boolean(),
    max_per_order: z.int().nullable(),
  }),
  TICKET_EXAMPLE,
)

const LINKS = ['website', 'instagram', 'spotify', 'soundcloud', 'tiktok', 'youtube'] as const

const PERFORMER_EXAMPLE = {
  name: 'The Lanterns',
  performer_type: 'performing_group' as const,
  role: 'headliner' as const,
  genre: 'Swing',
  starts_at: '2030-12-14T20:00:00.000Z',
  ends_at: null,
  bio: '<p>Nine people and a bass.</p>',
  image_url: null,
  links: {
    website: 'https://lanterns.example',
    instagram: null,
    spotify: null,
    soundcloud: null,
    tiktok: null,
    youtube: null,
  },
}

const Performer = named(
  'PublicPerformer',
  z.object({
    name: z.string(),
    performer_type: z.enum(['person', 'performing_group']),
    role: z.enum(['headliner', 'support', 'guest']),
    genre: z.string().nullable(),
    starts_at: Timestamp.nullable(),
    ends_at: Timestamp.nullable(),
    bio: z.string().nullable(),
    image_url: z.string().nullable(),
    links: z.object({
      website: z.string().nullable(),
      instagram: z.string().nullable(),
      spotify: z.string().nullable(),
      soundcloud: z.string().nullable(),
      tiktok: z.string().nullable(),
      youtube: z.string().nullable(),
    }),
  }),
  PERFORMER_EXAMPLE,
)

const ListedEvent = named('PublicEvent', z.object(eventFields), EVENT_EXAMPLE)

export const PublicEvents = named('PublicEvents', z.object({ events: z.array(ListedEvent) }), {
  events: [EVENT_EXAMPLE],
})

export const WholePublicEvent = named(
  'WholePublicEvent',
  z.object({
    ...eventFields,
    tickets: z.array(Ticket),
    performers: z.array(Performer),
    faq_items: z.array(z.object({ question: z.string(), answer: z.string() })),
  }),
  {
    ...EVENT_EXAMPLE,
    tickets: [TICKET_EXAMPLE],
    performers: [PERFORMER_EXAMPLE],
    faq_items: [{ question: 'Is there a cloakroom?', answer: 'Yes, on the left.' }],
  },
)

export type ShownEvent = z.output<typeof ListedEvent>
export type WholeShownEvent = z.output<typeof WholePublicEvent>
export type ShownTicket = z.output<typeof Ticket>
export type ShownPerformer = z.output<typeof Performer>

/** The shop an event is shown at. */
export interface Shop {
  origin: string
  name: string
  currency: string
}

export const eventUrl = ({ origin }: Pick<Shop, 'origin'>, slug: string) => `${origin}/events/${slug}`

/** When an event is looked at, what is left of it then, and which hidden tickets the looker has unlocked. */
export interface ViewingContext {
  now: Date
  rooms: RemainingByTicket
  unlocked?: readonly number[]
}

/** An event as anyone may see it who brings the codes of the unlocked tickets. */
export const showEvent = (shop: Shop, event: FeedEvent, { rooms, now, unlocked = [] }: ViewingContext): ShownEvent => {
  const tickets = visibleTickets(event.tickets, unlocked)
  const isCancelled = event.cancelledAt !== null
  const cheapest = lowestAvailablePrice(tickets, rooms, isCancelled)
  const states = tickets.map((ticket) => ticketStockStateOf(remainingOf(rooms, ticket.id), isCancelled))
  return {
    slug: event.slug,
    title: event.title,
    description: sanitizeHtml(event.description),
    url: eventUrl(shop, event.slug),
    starts_at: showTimestamp(event.startsAt),
    doors_open_at: showTimestampOrNull(event.doorsOpenAt),
    ends_at: showTimestamp(event.endsAt),
    show_end_time: event.showEndTime,
    sales_starts_at: showTimestampOrNull(event.salesStartsAt),
    sales_ends_at: showTimestampOrNull(event.salesEndsAt),
    time_zone: event.venue.timeZone,
    minimum_age: event.minimumAge,
    video_url: event.videoUrl,
    video_title: event.videoTitle,
    sold_out: cheapest === null,
    image_url: imageUrl(shop.origin, event.image, 1280),
    background_image_url: imageUrl(shop.origin, event.backgroundImage, 1920),
    gallery_image_urls: event.galleryImages.map((image) => imageUrl(shop.origin, image, 1280)),
    venue: {
      name: event.venue.name,
      address: event.venue.address,
      postal_code: event.venue.postalCode,
      city: event.venue.city,
      country: event.venue.country,
      latitude: event.venue.latitude,
      longitude: event.venue.longitude,
      time_zone: event.venue.timeZone,
    },
    cheapest_available_price: cheapest === null ? null : showMoney(cheapest, shop.currency),
    cancelled_at: showTimestampOrNull(event.cancelledAt),
    sales_status: salesStatusOf(event, states, now),
  }
}

export const showWholeEvent = (shop: Shop, event: WholeFeedEvent, moment: ViewingContext): WholeShownEvent => ({
  ...showEvent(shop, event, moment),
  tickets: visibleTickets(event.tickets, moment.unlocked ?? []).map((ticket) =>
    showTicket(shop, ticket, remainingOf(moment.rooms, ticket.id), event.cancelledAt !== null),
  ),
  performers: event.performers.map((performer) => showPerformer(shop, performer)),
  faq_items: event.faqItems.map(({ question, answer }) => ({ question, answer: withoutMarkup(answer) })),
})

const showTicket = (shop: Shop, ticket: FeedTicket, remaining: number | null, isCancelled: boolean): ShownTicket => {
  const { available, lowStock } = ticketStockStateOf(remaining, isCancelled)
  return {
    title: ticket.title,
    kind: ticket.kind,
    color: ticket.color,
    features: ticket.features,
    price: showMoney(ticket.priceCents, shop.currency),
    available,
    sold_out: !available,
    low_stock: lowStock,
    max_per_order: ticket.maxPerOrder,
  }
}

const showPerformer = (shop: Shop, performer: FeedPerformer): ShownPerformer => ({
  name: performer.name,
  performer_type: performer.type,
  role: performer.role,
  genre: performer.genre,
  starts_at: showTimestampOrNull(performer.startsAt),
  ends_at: showTimestampOrNull(performer.endsAt),
  bio: performer.bio === null ? null : sanitizeHtml(performer.bio),
  image_url: imageUrl(shop.origin, performer.image, 640),
  links: Object.fromEntries(LINKS.map((name) => [name, performer.links[name] ?? null])) as ShownPerformer['links'],
})

const TAG = /<\/?(?:a|b|br|div|em|h[1-6]|i|img|li|ol|p|script|span|strong|style|u|ul)\b[^<>]*>/i

/** Answers are plain text; where somebody wrote HTML all the same, its text is what was meant. */
const withoutMarkup = (answer: string) => (TAG.test(answer) ? markupToPlainText(answer) : answer)
