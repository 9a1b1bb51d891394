import { fromZoned, toZoned } from '../../ui/zoned-time.ts'
import type { EventDetails } from './queries.ts'

type Performer = EventDetails['performers'][number]
type Links = NonNullable<Performer['links']>
export const PERFORMER_LINK_NAMES = ['website', 'instagram', 'spotify', 'soundcloud', 'tiktok', 'youtube'] as const

export interface PerformerForm {
  name: string
  performer_type: Performer['performer_type']
  role: Performer['role']
  genre: string
  starts_at: string
  ends_at: string
  bio: string
  image: string | null
  links: Record<(typeof PERFORMER_LINK_NAMES)[number], string>
}

export interface FaqForm {
  question: string
  answer: string
}

/** An event as its form holds it: texts in fields, times as the clock of the place shows them. */
export interface DetailsForm {
  title: string
  slug: string
  venue_id: string
  starts_at: string
  doors_open_at: string
  ends_at: string
  show_end_time: boolean
  sales_starts_at: string
  sales_ends_at: string
  reentry: boolean
  listed: boolean
  capacity: string
  minimum_age: string
  description: string
  video_url: string
  video_title: string
  image: string | null
  background_image: string | null
  gallery_images: string[]
  performers: PerformerForm[]
  faq_items: FaqForm[]
}

const local = (iso: string | null, zone: string) => (iso === null ? '' : toZoned(iso, zone))

/** The field's text for a number that may be missing. */
export const textOfNumber = (value: number | null) => (value === null ? '' : String(value))

/** What is no number is sent as it was typed: the server says what is wrong with it. */
export const numberOfText = (text: string): number | null => {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const number = Number(trimmed)
  return Number.isNaN(number) ? (trimmed as unknown as number) : number
}

export const textOrNull = (text: string) => (text.trim() === '' ? null : text)

export const emptyPerformer = (): PerformerForm => ({
  name: '',
  performer_type: 'performing_group',
  role: 'headliner',
  genre: '',
  starts_at: '',
  ends_at: '',
  bio: '',
  image: null,
  links: { website: '', instagram: '', spotify: '', soundcloud: '', tiktok: '', youtube: '' },
})

export const detailsFormOf = (event: EventDetails): DetailsForm => {
  const at = (iso: string | null) => local(iso, event.time_zone)
  return {
    title: event.title,
    slug: event.slug,
    venue_id: textOfNumber(event.venue_id),
    starts_at: at(event.starts_at),
    doors_open_at: at(event.doors_open_at),
    ends_at: at(event.public_ends_at),
    show_end_time: event.show_end_time,
    sales_starts_at: at(event.sales_starts_at),
    sales_ends_at: at(event.sales_ends_at),
    reentry: event.reentry,
    listed: event.listed,
    capacity: textOfNumber(event.capacity),
    minimum_age: textOfNumber(event.minimum_age),
    description: event.description,
    video_url: event.video_url ?? '',
    video_title: event.video_title ?? '',
    image: event.image,
    background_image: event.background_image,
    gallery_images: event.gallery_images,
    performers: event.performers.map((performer) => ({
      ...emptyPerformer(),
      name: performer.name,
      performer_type: performer.performer_type,
      role: performer.role,
      genre: performer.genre ?? '',
      starts_at: at(performer.starts_at),
      ends_at: at(performer.ends_at),
      bio: performer.bio ?? '',
      image: performer.image,
      links: Object.fromEntries(
        PERFORMER_LINK_NAMES.map((name) => [name, performer.links?.[name] ?? '']),
      ) as PerformerForm['links'],
    })),
    faq_items: event.faq_items,
  }
}

const TIMES = ['starts_at', 'doors_open_at', 'ends_at', 'sales_starts_at', 'sales_ends_at'] as const

/** What is sent of a form: the fields that were changed, and every time where the clock is another one now. */
export const changedFieldsOf = (
  form: DetailsForm,
  changed: readonly (keyof DetailsForm)[],
  zone: string,
  before: string,
) => {
  const at = (shown: string) => (shown === '' ? null : fromZoned(shown, zone))
  const whole = {
    title: form.title,
    slug: form.slug,
    venue_id: numberOfText(form.venue_id),
    starts_at: at(form.starts_at) ?? '',
    doors_open_at: at(form.doors_open_at),
    ends_at: at(form.ends_at),
    show_end_time: form.show_end_time,
    sales_starts_at: at(form.sales_starts_at),
    sales_ends_at: at(form.sales_ends_at),
    reentry: form.reentry,
    listed: form.listed,
    capacity: numberOfText(form.capacity),
    minimum_age: numberOfText(form.minimum_age),
    description: form.description,
    video_url: textOrNull(form.video_url),
    video_title: textOrNull(form.video_title),
    image: form.image,
    background_image: form.background_image,
    gallery_images: form.gallery_images,
    performers: form.performers.map((performer) => ({
      name: performer.name,
      performer_type: performer.performer_type,
      role: performer.role,
      genre: textOrNull(performer.genre),
      starts_at: at(performer.starts_at),
      ends_at: at(performer.ends_at),
      bio: textOrNull(performer.bio),
      image: performer.image,
      links: linksOf(performer.links),
    })),
    faq_items: form.faq_items,
  }
  const keys = new Set<keyof DetailsForm>(changed)
  if (zone !== before) for (const key of TIMES) keys.add(key)
  if (zone !== before && form.performers.length > 0) keys.add('performers')
  return Object.fromEntries(Object.entries(whole).filter(([key]) => keys.has(key as keyof DetailsForm))) as Partial<
    typeof whole
  >
}

const linksOf = (links: PerformerForm['links']): Links | null =>
  PERFORMER_LINK_NAMES.some((name) => links[name].trim() !== '')
    ? (Object.fromEntries(PERFORMER_LINK_NAMES.map((name) => [name, textOrNull(links[name])])) as Links)
    : null
