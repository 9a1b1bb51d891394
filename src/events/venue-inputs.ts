import type { z } from 'zod'
import { TOO_MUCH_MARKUP } from '../kernel/messages.ts'
import {
  type ReadingContext,
  color,
  decimal,
  flag,
  image,
  key,
  list,
  longText,
  money,
  oneOf,
  optional,
  optionalText,
  requiredList,
  text,
  strictObject,
  timeZone,
  timestamp,
  webUrl,
  wholeNumber,
} from '../loading/fields.ts'
import { isTooMuchMarkup } from '../rich-text/parse.ts'

export const Venue = (terms: ReadingContext) =>
  strictObject({
    key: key(),
    name: text(),
    address: optionalText(),
    postal_code: optionalText(),
    city: optionalText(),
    country: optionalText(),
    latitude: optional(decimal({ least: -90, most: 90 })),
    longitude: optional(decimal({ least: -180, most: 180 })),
    time_zone: timeZone().default(terms.timeZone),
  })
    .refine((venue) => venue.longitude === null || venue.latitude !== null, {
      path: ['latitude'],
      error: 'is missing, and longitude alone is no place',
    })
    .refine((venue) => venue.latitude === null || venue.longitude !== null, {
      path: ['longitude'],
      error: 'is missing, and latitude alone is no place',
    })

export type VenueInput = z.output<ReturnType<typeof Venue>>

const MINIMUM_AGE_MAX = 120
const SLUG_MAX = 200

const slug = () =>
  text(SLUG_MAX).refine((value) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value), {
    error: 'is not a slug of lower-case letters and digits with single hyphens between them',
  })

/** Text or HTML that every visitor of the shop can be shown. */
const markup = () => longText().refine((value) => !isTooMuchMarkup(value), { error: TOO_MUCH_MARKUP })

export const eventShape = (terms: ReadingContext) => ({
  slug: slug(),
  title: text(),
  description: markup().default(''),
  venue: optional(key()),
  starts_at: timestamp(terms),
  doors_open_at: optional(timestamp(terms)),
  ends_at: optional(timestamp(terms)),
  show_end_time: flag(false),
  sales_starts_at: optional(timestamp(terms)),
  sales_ends_at: optional(timestamp(terms)),
  minimum_age: optional(wholeNumber({ least: 0, most: MINIMUM_AGE_MAX })),
  video_url: optional(webUrl()),
  video_title: optionalText(),
  image: optional(image()),
  background_image: optional(image()),
  gallery_images: list(image()),
  published: flag(true),
  listed: flag(true),
  cancelled: flag(false),
  archived: flag(false),
  capacity: optional(wholeNumber({ least: 0 })),
})

export type EventInput = z.output<z.ZodObject<ReturnType<typeof eventShape>>>

/** Times that no event can have, each at the key that has to give. */
export const impossibleTimes = (event: EventInput): [keyof EventInput, string][] => {
  const faults: [keyof EventInput, string][] = []
  if (event.doors_open_at && event.doors_open_at > event.starts_at) faults.push(['doors_open_at', 'is after starts_at'])
  if (event.ends_at && event.ends_at <= event.starts_at) faults.push(['ends_at', 'is not after starts_at'])
  if (event.show_end_time && !event.ends_at) faults.push(['show_end_time', 'needs ends_at'])
  if (event.sales_starts_at && event.sales_ends_at && event.sales_ends_at <= event.sales_starts_at) {
    faults.push(['sales_ends_at', 'is not after sales_starts_at'])
  }
  return faults
}

const accessCode = () => text().transform((code) => code.toLowerCase())

export const Ticket = (terms: ReadingContext) =>
  strictObject({
    key: key(),
    title: text(),
    kind: oneOf(['StandardTicket', 'GroupTicket']).default('StandardTicket'),
    color: color().optional(),
    features: list(text()),
    price: money(terms).default(0),
    inventory_kind: oneOf(['ga', 'standing', 'places']).default('ga'),
    stock: optional(wholeNumber({ least: 0 })),
    max_per_order: optional(wholeNumber({ least: 1 })),
    hidden: flag(false),
    access_codes: list(accessCode(), 'itself'),
    group_size: optional(wholeNumber({ least: 2 })),
  })
    .refine((ticket) => ticket.kind !== 'GroupTicket' || ticket.group_size !== null, {
      path: ['group_size'],
      error: 'is missing, and a GroupTicket needs it',
    })
    .refine((ticket) => ticket.kind === 'GroupTicket' || ticket.group_size === null, {
      path: ['group_size'],
      error: 'is given, but only a GroupTicket has one',
    })

export type TicketInput = z.output<ReturnType<typeof Ticket>>

export const StandingArea = strictObject({
  key: key(),
  name: text(),
  capacity: wholeNumber({ least: 0 }),
  blocked: wholeNumber({ least: 0 }).default(0),
  open: flag(true),
  tickets: requiredList(key(), 'itself'),
}).refine((area) => area.blocked <= area.capacity, { path: ['blocked'], error: 'is more than the capacity' })

export type StandingAreaInput = z.output<typeof StandingArea>

export const PlaceOfEvent = strictObject({
  key: key(),
  label: text(),
  section: optionalText(),
  row: optionalText(),
  seat: optionalText(),
  ticket: key(),
  accessibility: optional(oneOf(['wheelchair', 'companion'])),
  pair: optional(key()),
  blocked: flag(false),
})

export type PlaceInput = z.output<typeof PlaceOfEvent>

const LABEL_MAX = 1_000

const QUESTION_TYPES = [
  'text',
  'textarea',
  'select',
  'multi_select',
  'checkbox',
  'number',
  'date',
  'email',
  'phone',
] as const

const isSelect = (type: string) => type === 'select' || type === 'multi_select'

export const Question = strictObject({
  key: key(),
  label: text(LABEL_MAX),
  type: oneOf(QUESTION_TYPES),
  scope: oneOf(['order', 'attendee']),
  required: flag(false),
  complete_later: flag(false),
  options: list(text(), 'itself'),
  help_text: optionalText(LABEL_MAX),
})
  .refine((question) => !isSelect(question.type) || question.options.length > 0, {
    path: ['options'],
    error: 'is empty, and there is nothing to select from',
  })
  .refine((question) => isSelect(question.type) || question.options.length === 0, {
    path: ['options'],
    error: 'is given, but only select and multi_select questions have options',
  })

export type QuestionInput = z.output<typeof Question>

const link = () => optional(webUrl())

export const Performer = (terms: ReadingContext) =>
  strictObject({
    name: text(),
    performer_type: oneOf(['person', 'performing_group']).default('performing_group'),
    role: oneOf(['headliner', 'support', 'guest']).default('headliner'),
    genre: optionalText(),
    starts_at: optional(timestamp(terms)),
    ends_at: optional(timestamp(terms)),
    bio: optional(markup()),
    image: optional(image()),
    links: optional(
      strictObject({
        website: link(),
        instagram: link(),
        spotify: link(),
        soundcloud: link(),
        tiktok: link(),
        youtube: link(),
      }),
    ),
  }).refine(({ starts_at, ends_at }) => !starts_at || !ends_at || ends_at > starts_at, {
    path: ['ends_at'],
    error: 'is not after starts_at',
  })

export type PerformerInput = z.output<ReturnType<typeof Performer>>

export const FaqItem = strictObject({ question: text(LABEL_MAX), answer: markup() })

export type FaqItemInput = z.output<typeof FaqItem>
