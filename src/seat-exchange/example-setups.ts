import type { ExampleSetup } from '../http/example-setup.ts'

/** A guest of the demo venue with a seat, which the example of an exchange moves. */
export const SEATED_GUEST_SETUP: ExampleSetup = {
  before: [
    {
      call: 'GET /scanner/search?event_slug=winter-gala&q=Hansen',
      take: [{ key: 'public_id', as: 'public_id' }],
    },
  ],
}
