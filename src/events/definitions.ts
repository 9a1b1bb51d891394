import { type FileInput, define } from '../definitions/define.ts'
import {
  byId,
  byKey,
  elsewhere,
  fileOnly,
  inColumn,
  made,
  madeAnywhere,
  notSince,
  nullAs,
  optional,
  or,
  required,
  since,
} from '../definitions/fields.ts'
import {
  color,
  decimal,
  flag,
  image,
  listOf,
  markup,
  money,
  normalized,
  oneOf,
  recordOf,
  rowId,
  text,
  textThat,
  timeZone,
  timestamp,
  webUrl,
  wholeNumber,
} from '../definitions/kinds.ts'
import { BLANK_MESSAGE, INVALID_MESSAGE, MUST_BE_BLANK_MESSAGE, atMostMessage } from '../kernel/messages.ts'

/** What a venue's programme is made of: a field is added by a line here and a column of its name. */

/** What a thing is called by within the file, and within its event. */
const key = () => text()

export const venueDefinition = define(
  {
    key: made(key()),
    name: required(text()),
    address: nullAs('address', '', optional(text())),
    postal_code: optional(text()),
    city: nullAs('city', '', optional(text())),
    country: nullAs('country', '', optional(text())),
    latitude: optional(decimal({ least: -90, most: 90 })),
    longitude: optional(decimal({ least: -180, most: 180 })),
    time_zone: or(timeZone(), (terms) => terms.timeZone),
  },
  ({ latitude, longitude }) => [
    latitude === null &&
      longitude !== null && {
        key: 'latitude',
        file: 'is missing, and longitude alone is no place',
        api: BLANK_MESSAGE,
      },
    longitude === null &&
      latitude !== null && {
        key: 'longitude',
        file: 'is missing, and latitude alone is no place',
        api: BLANK_MESSAGE,
      },
  ],
)

const MINIMUM_AGE_MAX = 120
export const SLUG_MAX = 200
const GALLERY_MAX = 50

const slug = () =>
  textThat(
    (value) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value),
    { file: 'is not a slug of lower-case letters and digits with single hyphens between them', api: INVALID_MESSAGE },
    { most: SLUG_MAX, schema: { pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' } },
  )

export const eventDefinition = define(
  {
    slug: made(slug()),
    title: required(text()),
    description: or(markup(), ''),
    venue: byKey(optional(key())),
    venue_id: byId(optional(rowId())),
    starts_at: required(timestamp()),
    doors_open_at: optional(timestamp()),
    ends_at: inColumn('public_ends_at', optional(timestamp())),
    show_end_time: or(flag(), false),
    reentry: or(flag(), false),
    sales_starts_at: optional(timestamp()),
    sales_ends_at: optional(timestamp()),
    minimum_age: optional(wholeNumber({ least: 0, most: MINIMUM_AGE_MAX })),
    video_url: optional(webUrl()),
    video_title: optional(text()),
    image: optional(image()),
    background_image: optional(image()),
    gallery_images: or(listOf(image(), { most: GALLERY_MAX }), []),
    published: fileOnly(since('published_at', or(flag(), true))),
    listed: notSince('unlisted_at', or(flag(), true)),
    cancelled: fileOnly(since('cancelled_at', or(flag(), false))),
    archived: fileOnly(since('archived_at', or(flag(), false))),
    capacity: optional(wholeNumber({ least: 0 })),
  },
  (event) => [
    event.doors_open_at !== null &&
      event.doors_open_at > event.starts_at && {
        key: 'doors_open_at',
        file: 'is after starts_at',
        api: 'must not be after starts_at',
      },
    event.ends_at !== null && event.ends_at <= event.starts_at && { key: 'ends_at', ...notAfter('starts_at') },
    event.show_end_time && !event.ends_at && { key: 'show_end_time', file: 'needs ends_at', api: 'needs ends_at' },
    event.sales_starts_at !== null &&
      event.sales_ends_at !== null &&
      event.sales_ends_at <= event.sales_starts_at && { key: 'sales_ends_at', ...notAfter('sales_starts_at') },
  ],
)

const notAfter = (start: string) => ({ file: `is not after ${start}`, api: `must be after ${start}` })

const accessCode = () => normalized(text(), (code) => code.toLowerCase())

export const ticketDefinition = define(
  {
    key: made(key()),
    title: required(text()),
    kind: or(oneOf(['StandardTicket', 'GroupTicket']), 'StandardTicket'),
    color: madeAnywhere(color()),
    features: or(listOf(text()), []),
    price: inColumn('price_cents', or(money(), 0)),
    inventory_kind: or(oneOf(['ga', 'standing', 'places']), 'ga'),
    stock: optional(wholeNumber({ least: 0 })),
    max_per_order: optional(wholeNumber({ least: 1 })),
    hidden: or(flag(), false),
    access_codes: elsewhere(or(listOf(accessCode(), { unique: true }), [])),
    group_size: optional(wholeNumber({ least: 2 })),
  },
  ({ kind, group_size: size }) => [
    kind === 'GroupTicket' &&
      size === null && { key: 'group_size', file: 'is missing, and a GroupTicket needs it', api: BLANK_MESSAGE },
    kind !== 'GroupTicket' &&
      size !== null && {
        key: 'group_size',
        file: 'is given, but only a GroupTicket has one',
        api: MUST_BE_BLANK_MESSAGE,
      },
  ],
)

export const standingAreaDefinition = define(
  {
    key: made(key()),
    name: required(text()),
    capacity: required(wholeNumber({ least: 0 })),
    blocked: inColumn('blocked_count', or(wholeNumber({ least: 0 }), 0)),
    open: notSince('closed_at', or(flag(), true)),
    tickets: byKey(required(listOf(key(), { unique: true }))),
    ticket_ids: elsewhere(byId(or(listOf(rowId(), { unique: true }), []))),
  },
  ({ blocked, capacity }) => [
    blocked > capacity && { key: 'blocked', file: 'is more than the capacity', api: atMostMessage(capacity) },
  ],
)

export const placeDefinition = define({
  key: made(key()),
  label: required(text()),
  section: optional(text()),
  row: optional(text()),
  seat: optional(text()),
  ticket: byKey(required(key())),
  ticket_id: byId(required(rowId())),
  accessibility: optional(oneOf(['wheelchair', 'companion'])),
  /** The key of the place beside it, in the file and in bodies alike. */
  pair: elsewhere(optional(key())),
  blocked: since('blocked_at', or(flag(), false)),
})

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

export const questionDefinition = define(
  {
    key: made(key()),
    label: required(text(LABEL_MAX)),
    type: required(oneOf(QUESTION_TYPES)),
    scope: required(oneOf(['order', 'attendee'])),
    required: or(flag(), false),
    complete_later: or(flag(), false),
    options: or(listOf(text(), { unique: true }), []),
    help_text: optional(text(LABEL_MAX)),
  },
  ({ type, options }) => [
    isSelect(type) &&
      options.length === 0 && {
        key: 'options',
        file: 'is empty, and there is nothing to select from',
        api: BLANK_MESSAGE,
      },
    !isSelect(type) &&
      options.length > 0 && {
        key: 'options',
        file: 'is given, but only select and multi_select questions have options',
        api: MUST_BE_BLANK_MESSAGE,
      },
  ],
)

export const performerDefinition = define(
  {
    name: required(text()),
    performer_type: or(oneOf(['person', 'performing_group']), 'performing_group'),
    role: or(oneOf(['headliner', 'support', 'guest']), 'headliner'),
    genre: optional(text()),
    starts_at: optional(timestamp()),
    ends_at: optional(timestamp()),
    bio: optional(markup()),
    image: optional(image()),
    links: nullAs(
      'links',
      {},
      optional(
        recordOf({
          website: webUrl(),
          instagram: webUrl(),
          spotify: webUrl(),
          soundcloud: webUrl(),
          tiktok: webUrl(),
          youtube: webUrl(),
        }),
      ),
    ),
  },
  ({ starts_at: start, ends_at: end }) => [
    start !== null && end !== null && end <= start && { key: 'ends_at', ...notAfter('starts_at') },
  ],
)

export const faqItemDefinition = define({ question: required(text(LABEL_MAX)), answer: required(markup()) })

export type VenueInput = FileInput<typeof venueDefinition>
export type EventInput = FileInput<typeof eventDefinition>
export type TicketInput = FileInput<typeof ticketDefinition>
export type StandingAreaInput = FileInput<typeof standingAreaDefinition>
export type PlaceInput = FileInput<typeof placeDefinition>
export type QuestionInput = FileInput<typeof questionDefinition>
export type PerformerInput = FileInput<typeof performerDefinition>
export type FaqItemInput = FileInput<typeof faqItemDefinition>
