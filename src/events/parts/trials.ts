import type { Preparation, Trial } from '../../http/trial.ts'

/** The examples change an event of their own, so that those of others find the demo's as it was. */
const newEvent: Preparation = {
  call: 'POST /admin/events',
  body: { event: { title: 'Spring Gala', starts_at: '2030-04-15T18:00:00Z' } },
  take: [{ key: 'slug', as: 'event_slug' }],
}

/** What comes before an example on a new event. */
export const onNewEvent = (...before: Preparation[]): Pick<Trial, 'before' | 'values'> => ({
  before: [newEvent, ...before],
  values: { event_slug: '$event_slug' },
})
