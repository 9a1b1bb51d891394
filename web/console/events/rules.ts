import type { Schemas } from '../../api/client.ts'

export type Event = Schemas['Event']

export const isOver = (event: Event, now: Date) => new Date(event.ends_at) <= now

/** Already on, or beginning on this day of the place where it is. */
export const isTonight = (event: Event, now: Date, dayIn: (at: Date, zone: string) => string): boolean => {
  if (event.cancelled_at !== null || isOver(event, now)) return false
  const opens = new Date(event.doors_open_at ?? event.starts_at)
  return opens <= now || dayIn(new Date(event.starts_at), event.time_zone) === dayIn(now, event.time_zone)
}

export type EventTag = 'draft' | 'unlisted' | 'cancelled' | 'archived' | 'over'

/** What is unusual about an event, the weightiest first. */
export const eventTagsOf = (event: Event, now: Date): EventTag[] => {
  const tags: EventTag[] = []
  if (event.cancelled_at !== null) tags.push('cancelled')
  if (event.archived_at !== null) tags.push('archived')
  if (!event.published) tags.push('draft')
  else if (!event.listed) tags.push('unlisted')
  if (isOver(event, now)) tags.push('over')
  return tags
}
