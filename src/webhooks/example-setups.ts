import type { PrecedingCall, ExampleSetup } from '../http/example-setup.ts'

const newEndpoint = (as: 'id' | 'webhook_endpoint_id'): PrecedingCall => ({
  call: 'POST /admin/webhook_endpoints',
  body: { webhook_endpoint: { url: 'https://books.example/foyer', kinds: ['guest_party.created'] } },
  take: [{ key: 'id', as }],
})

/** What the examples of these endpoints take to work on the demo venue. */
export const EXAMPLE_SETUPS = {
  endpoint: { before: [newEndpoint('id')] },
  deliveries: { before: [newEndpoint('webhook_endpoint_id')] },
  /** Nobody answers at the address of the example, so there it is refused: the delivery is still being tried. */
  redelivery: {
    before: [
      newEndpoint('webhook_endpoint_id'),
      {
        call: 'POST /admin/events/winter-gala/guest_parties',
        body: { guest_party: { customer_name: 'Ada Example', ticket_id: 6 } },
      },
      {
        call: 'GET /admin/webhook_endpoints/$webhook_endpoint_id/deliveries',
        take: [{ key: 'id', as: 'webhook_delivery_id' }],
      },
    ],
    status: 422,
  },
} satisfies Record<string, ExampleSetup>
