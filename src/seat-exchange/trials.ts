import type { Trial } from '../http/trial.ts'

/** A guest of the demo venue with a seat, which the example of an exchange moves. */
export const SEATED_GUEST: Trial = {
  before: [
    {
      call: 'GET /scanner/search?event_slug=winter-gala&q=Hansen',
      take: [{ key: 'public_id', as: 'public_id' }],
    },
  ],
}
