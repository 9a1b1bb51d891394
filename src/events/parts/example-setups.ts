import type { PrecedingCall, ExampleSetup } from '../../http/example-setup.ts'

/** The examples change an event of their own, so that those of others find the demo's as it was. */
const newEvent: PrecedingCall = {
  call: 'POST /admin/events',
  body: { event: { title: 'Spring Gala', starts_at: '2030-04-15T18:00:00Z' } },
  take: [{ key: 'slug', as: 'event_slug' }],
}

/** What comes before an example on a new event. */
export const setupOnNewEvent = (...before: PrecedingCall[]): Pick<ExampleSetup, 'before' | 'values'> => ({
  before: [newEvent, ...before],
  values: { event_slug: '$event_slug' },
})
