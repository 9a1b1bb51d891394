import { sql } from 'kysely'
import type { Rows } from '../access/scopes.ts'
import { isCalledOff } from '../events/records.ts'

export interface FeedEvent {
  id: number
  slug: string
  title: string
  description: string
  startsAt: Date
  doorsOpenAt: Date | null
  endsAt: Date
  showEndTime: boolean
  salesStartsAt: Date | null
  salesEndsAt: Date | null
  minimumAge: number | null
  videoUrl: string | null
  videoTitle: string | null
  image: string | null
  backgroundImage: string | null
  galleryImages: string[]
  cancelledAt: Date | null
  isUnlisted: boolean
  /** Nothing of it has changed since, not even its counters, and no hour has struck that shows. */
  unchangedSince: Date
  venue: FeedVenue
  tickets: FeedTicket[]
  /** The next moment at which time alone changes what is shown; null when none is in sight. */
  changesAt: Date | null
}

export interface FeedVenue {
  name: string
  address: string
  postalCode: string | null
  city: string
  country: string
  latitude: number | null
  longitude: number | null
  timeZone: string
}

export interface FeedTicket {
  id: number
  title: string
  kind: 'StandardTicket' | 'GroupTicket'
  color: string
  features: string[]
  priceCents: number
  maxPerOrder: number | null
  hidden: boolean
}

export interface WholeFeedEvent extends FeedEvent {
  performers: FeedPerformer[]
  faqItems: { question: string; answer: string }[]
  /** Which tickets an access code unlocks, by the code in lower case. */
  codes: Map<string, number[]>
}

export interface FeedPerformer {
  name: string
  type: 'person' | 'performing_group'
  role: 'headliner' | 'support' | 'guest'
  genre: string | null
  startsAt: Date | null
  endsAt: Date | null
  bio: string | null
  image: string | null
  links: Record<string, string | null>
}

/** What a shop shows at all: drafts are no rows of it. */
const isPublished = sql`e.published_at <= foyer_now()`

const isOnTheIndex = sql`e.unlisted_at is null and not ${isCalledOff} and e.ends_at > foyer_now()`

/** Published, listed and not over, the next one first. */
export const findProgramme = async ({ accountId, db }: Rows): Promise<FeedEvent[]> => {
  const { rows } = await sql<EventRow>`
    select ${EVENT_COLUMNS}
    from ${EVENT_TABLES}
    where e.account_id = ${accountId} and ${isPublished} and ${isOnTheIndex}
    order by e.starts_at, e.id`.execute(db)
  return rows.map(withVenue)
}

/** When the clock will next put an event on the index that is not there yet. */
export const findNextPublicationTime = async ({ accountId, db }: Rows): Promise<Date | null> => {
  const { rows } = await sql<{ at: Date | null }>`
    select min(published_at) as at from events where account_id = ${accountId} and published_at > foyer_now()`.execute(
    db,
  )
  return rows[0]?.at ?? null
}

/** Whether gift vouchers stand at the shop's `/vouchers`. */
export const hasVouchersForSale = async ({ accountId, db }: Rows): Promise<boolean> => {
  const { rows } = await sql<{ has: boolean }>`
    select exists (
      select from voucher_products
      where account_id = ${accountId} and visibility = 'public_catalog' and archived_at is null
    ) as has`.execute(db)
  return rows[0]!.has
}

/** Published, listed or not, over or not. */
export const findPublishedEvent = async ({ accountId, db }: Rows, slug: string): Promise<WholeFeedEvent | null> => {
  const { rows } = await sql<EventRow & Details>`
    select ${EVENT_COLUMNS}, ${DETAILS}
    from ${EVENT_TABLES}
    where e.account_id = ${accountId} and ${isPublished} and e.slug = ${slug}`.execute(db)
  return rows[0] ? wholeEventOf(rows[0]) : null
}

/** The same before it is published, for those who set it up. */
export const findPreviewedEvent = async ({ accountId, db }: Rows, id: number): Promise<WholeFeedEvent | null> => {
  const { rows } = await sql<EventRow & Details>`
    select ${EVENT_COLUMNS}, ${DETAILS}
    from ${EVENT_TABLES}
    where e.account_id = ${accountId} and e.id = ${id}`.execute(db)
  return rows[0] ? wholeEventOf(rows[0]) : null
}

const wholeEventOf = (row: EventRow & Details): WholeFeedEvent => {
  const { performers, faqItems, codes, ...event } = row
  return {
    ...withVenue(event),
    faqItems,
    performers: performers.map((each): FeedPerformer => ({
      ...each,
      startsAt: each.startsAt === null ? null : new Date(each.startsAt),
      endsAt: each.endsAt === null ? null : new Date(each.endsAt),
    })),
    codes: new Map(Object.entries(codes)),
  }
}

/** Under which slug a published event stands now that once stood under this one. */
export const findCurrentSlug = async ({ accountId, db }: Rows, slug: string): Promise<string | null> => {
  const { rows } = await sql<{ slug: string }>`
    select e.slug from event_slugs s
    join events e on e.account_id = s.account_id and e.id = s.event_id
    where s.account_id = ${accountId} and s.slug = ${slug} and e.slug <> s.slug and ${isPublished}`.execute(db)
  return rows[0]?.slug ?? null
}

type EventRow = Omit<FeedEvent, 'venue'> & FeedVenue

const withVenue = ({
  name,
  address,
  postalCode,
  city,
  country,
  latitude,
  longitude,
  timeZone,
  ...event
}: EventRow): FeedEvent => ({
  ...event,
  venue: { name, address, postalCode, city, country, latitude, longitude, timeZone },
})

const EVENT_COLUMNS = sql`
  e.id, e.slug, e.title, e.description, e.starts_at as "startsAt", e.doors_open_at as "doorsOpenAt",
  e.ends_at as "endsAt", e.show_end_time as "showEndTime", e.sales_starts_at as "salesStartsAt",
  e.sales_ends_at as "salesEndsAt", e.minimum_age as "minimumAge", e.video_url as "videoUrl",
  e.video_title as "videoTitle", e.image, e.background_image as "backgroundImage",
  e.gallery_images as "galleryImages", e.cancelled_at as "cancelledAt", e.unlisted_at is not null as "isUnlisted",
  greatest(e.updated_at, v.updated_at,
    (select max(updated_at) from tickets t where t.account_id = e.account_id and t.event_id = e.id),
    (select max(updated_at) from performers p where p.account_id = e.account_id and p.event_id = e.id),
    (select max(updated_at) from faq_items f where f.account_id = e.account_id and f.event_id = e.id),
    (
      select max(at) from (values (e.ends_at), (e.sales_starts_at), (e.sales_ends_at)) passed (at)
      where at <= foyer_now()
    )
  ) as "unchangedSince",
  coalesce(v.name, '') as name, coalesce(v.address, '') as address, v.postal_code as "postalCode",
  coalesce(v.city, '') as city, coalesce(v.country, '') as country, v.latitude, v.longitude,
  coalesce(v.time_zone, a.time_zone) as "timeZone",
  coalesce((
    select json_agg(json_build_object('id', t.id, 'title', t.title, 'kind', t.kind, 'color', t.color,
      'features', t.features, 'priceCents', t.price_cents, 'maxPerOrder', t.max_per_order, 'hidden', t.hidden)
      order by t.position, t.id)
    from tickets t where t.account_id = e.account_id and t.event_id = e.id and t.archived_at is null
  ), '[]') as tickets,
  (
    select min(at) from (
      values (e.starts_at), (e.ends_at), (e.sales_starts_at), (e.sales_ends_at)
      union all
      select h.expires_at from holds h where h.account_id = e.account_id and h.event_id = e.id
    ) moments (at)
    where at > foyer_now()
  ) as "changesAt"`

const EVENT_TABLES = sql`
  events e
  join accounts a on a.id = e.account_id
  left join venues v on v.account_id = e.account_id and v.id = e.venue_id`

interface Details {
  performers: (Omit<FeedPerformer, 'startsAt' | 'endsAt'> & { startsAt: string | null; endsAt: string | null })[]
  faqItems: { question: string; answer: string }[]
  codes: Record<string, number[]>
}

const DETAILS = sql`
  coalesce((
    select json_agg(json_build_object('name', p.name, 'type', p.performer_type, 'role', p.role, 'genre', p.genre,
      'startsAt', p.starts_at, 'endsAt', p.ends_at, 'bio', p.bio, 'image', p.image, 'links', p.links)
      order by p.position, p.id)
    from performers p where p.account_id = e.account_id and p.event_id = e.id
  ), '[]') as performers,
  coalesce((
    select json_agg(json_build_object('question', f.question, 'answer', f.answer) order by f.position, f.id)
    from faq_items f where f.account_id = e.account_id and f.event_id = e.id
  ), '[]') as "faqItems",
  coalesce((
    select json_object_agg(opened.code, opened.tickets)
    from (
      select c.code, json_agg(c.ticket_id order by c.ticket_id) as tickets
      from ticket_access_codes c where c.account_id = e.account_id and c.event_id = e.id group by c.code
    ) opened
  ), '{}') as codes`
