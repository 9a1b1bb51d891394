import { type FileInput, defineThing } from '../definitions/define.ts'
import {
  onlyWithIds,
  onlyWithKeys,
  inOtherTable,
  fileOnly,
  inColumn,
  generatedByApi,
  generatedWhenMissing,
  falseAsTimestamp,
  nullAs,
  optional,
  withDefault,
  required,
  trueAsTimestamp,
} from '../definitions/fields.ts'
import {
  color,
  decimal,
  flag,
  image,
  listOf,
  markup,
  money,
  taxRate,
  normalized,
  oneOf,
  recordOf,
  rowId,
  text,
  textMatching,
  timeZone,
  timestamp,
  webUrl,
  wholeNumber,
} from '../definitions/kinds.ts'
import { BLANK_MESSAGE, INVALID_MESSAGE, MUST_BE_BLANK_MESSAGE, atMostMessage } from '../kernel/messages.ts'

/** What a venue's programme is made of: a field is added by a line here and a column of its name. */

/** What a thing is called by within the file, and within its event. */
const key = () => text()

export const venueDefinition = defineThing(
  {
    key: generatedByApi(key()),
    name: required(text()),
    address: nullAs('address', '', optional(text())),
    postal_code: optional(text()),
    city: nullAs('city', '', optional(text())),
    country: nullAs('country', '', optional(text())),
    latitude: optional(decimal({ least: -90, most: 90 })),
    longitude: optional(decimal({ least: -180, most: 180 })),
    time_zone: withDefault(timeZone(), (terms) => terms.timeZone),
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
  textMatching(
    (value) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value),
    { file: 'is not a slug of lower-case letters and digits with single hyphens between them', api: INVALID_MESSAGE },
    { most: SLUG_MAX, schema: { pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' } },
  )

export const eventDefinition = defineThing(
  {
    slug: generatedByApi(slug()),
    title: required(text()),
    description: withDefault(markup(), ''),
    venue: onlyWithKeys(optional(key())),
    venue_id: onlyWithIds(optional(rowId())),
    starts_at: required(timestamp()),
    doors_open_at: optional(timestamp()),
    ends_at: inColumn('public_ends_at', optional(timestamp())),
    show_end_time: withDefault(flag(), false),
    reentry: withDefault(flag(), false),
    sales_starts_at: optional(timestamp()),
    sales_ends_at: optional(timestamp()),
    minimum_age: optional(wholeNumber({ least: 0, most: MINIMUM_AGE_MAX })),
    video_url: optional(webUrl()),
    video_title: optional(text()),
    image: optional(image()),
    background_image: optional(image()),
    gallery_images: withDefault(listOf(image(), { most: GALLERY_MAX }), []),
    published: fileOnly(trueAsTimestamp('published_at', withDefault(flag(), true))),
    listed: falseAsTimestamp('unlisted_at', withDefault(flag(), true)),
    cancelled: fileOnly(trueAsTimestamp('cancelled_at', withDefault(flag(), false))),
    archived: fileOnly(trueAsTimestamp('archived_at', withDefault(flag(), false))),
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

export const ticketDefinition = defineThing(
  {
    key: generatedByApi(key()),
    title: required(text()),
    kind: withDefault(oneOf(['StandardTicket', 'GroupTicket']), 'StandardTicket'),
    color: generatedWhenMissing(color()),
    features: withDefault(listOf(text()), []),
    price: inColumn('price_cents', withDefault(money(), 0)),
    tax_rate: withDefault(taxRate(), 0),
    inventory_kind: withDefault(oneOf(['ga', 'standing', 'places']), 'ga'),
    stock: optional(wholeNumber({ least: 0 })),
    max_per_order: optional(wholeNumber({ least: 1 })),
    hidden: withDefault(flag(), false),
    access_codes: inOtherTable(withDefault(listOf(accessCode(), { unique: true }), [])),
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

export const standingAreaDefinition = defineThing(
  {
    key: generatedByApi(key()),
    name: required(text()),
    capacity: required(wholeNumber({ least: 0 })),
    blocked: inColumn('blocked_count', withDefault(wholeNumber({ least: 0 }), 0)),
    open: falseAsTimestamp('closed_at', withDefault(flag(), true)),
    tickets: onlyWithKeys(required(listOf(key(), { unique: true }))),
    ticket_ids: inOtherTable(onlyWithIds(withDefault(listOf(rowId(), { unique: true }), []))),
  },
  ({ blocked, capacity }) => [
    blocked > capacity && { key: 'blocked', file: 'is more than the capacity', api: atMostMessage(capacity) },
  ],
)

export const placeDefinition = defineThing({
  key: generatedByApi(key()),
  label: required(text()),
  section: optional(text()),
  row: optional(text()),
  seat: optional(text()),
  ticket: onlyWithKeys(required(key())),
  ticket_id: onlyWithIds(required(rowId())),
  accessibility: optional(oneOf(['wheelchair', 'companion'])),
  /** The key of the place beside it, in the file and in bodies alike. */
  pair: inOtherTable(optional(key())),
  blocked: trueAsTimestamp('blocked_at', withDefault(flag(), false)),
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

export const questionDefinition = defineThing(
  {
    key: generatedByApi(key()),
    label: required(text(LABEL_MAX)),
    type: required(oneOf(QUESTION_TYPES)),
    scope: required(oneOf(['order', 'attendee'])),
    required: withDefault(flag(), false),
    complete_later: withDefault(flag(), false),
    options: withDefault(listOf(text(), { unique: true }), []),
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

export const performerDefinition = defineThing(
  {
    name: required(text()),
    performer_type: withDefault(oneOf(['person', 'performing_group']), 'performing_group'),
    role: withDefault(oneOf(['headliner', 'support', 'guest']), 'headliner'),
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

export const faqItemDefinition = defineThing({ question: required(text(LABEL_MAX)), answer: required(markup()) })

export type VenueFileInput = FileInput<typeof venueDefinition>
export type EventFileInput = FileInput<typeof eventDefinition>
export type TicketFileInput = FileInput<typeof ticketDefinition>
export type StandingAreaFileInput = FileInput<typeof standingAreaDefinition>
export type PlaceFileInput = FileInput<typeof placeDefinition>
export type QuestionFileInput = FileInput<typeof questionDefinition>
export type PerformerFileInput = FileInput<typeof performerDefinition>
export type FaqItemFileInput = FileInput<typeof faqItemDefinition>
