import type { ExampleSetup } from '../http/example-setup.ts'

const PUBLIC_ID = [{ key: 'public_id', as: 'public_id' }]

/** What the examples of these endpoints take to work on the demo venue. */
export const EXAMPLE_SETUPS = {
  link: { before: [{ call: 'GET /admin/events/winter-gala/guest_list_forms', take: PUBLIC_ID }] },
  /** A link whose address may change without anybody missing the old one. */
  newLink: {
    before: [
      {
        call: 'POST /admin/events/winter-gala/guest_list_forms',
        body: { guest_list_form: { name: 'Neighbours', ticket_id: 6 } },
        take: PUBLIC_ID,
      },
    ],
  },
  /** The demo's event with one link only. */
  onlyLink: { values: { event_slug: 'nordlicht' } },
  request: { before: [{ call: 'GET /admin/events/winter-gala/guest_requests', take: PUBLIC_ID }] },
} satisfies Record<string, ExampleSetup>
