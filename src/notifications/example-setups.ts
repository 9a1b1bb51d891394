import type { ExampleSetup } from '../http/example-setup.ts'
import { SUBSCRIPTION_EXAMPLE } from './wire.ts'

/** What the examples of these endpoints take to work on the demo venue. */
export const EXAMPLE_SETUPS = {
  inbox: { by: 'member' },
  reading: {
    before: [
      {
        call: 'GET /admin/events/winter-gala/guest_list_forms',
        take: [{ key: 'public_url', as: 'public_url' }],
      },
      {
        call: 'POST $public_url',
        form: { 'guest_request[name]': 'Vera Visitor', 'guest_request[email]': 'vera@guest.example' },
      },
      { call: 'GET /admin/notifications', by: 'member', take: [{ key: 'id', as: 'notification_id' }] },
    ],
    by: 'member',
  },
  subscription: {
    before: [
      {
        call: 'POST /admin/push_subscriptions',
        body: SUBSCRIPTION_EXAMPLE,
        by: 'member',
        take: [{ key: 'id', as: 'subscription_id' }],
      },
    ],
    by: 'member',
  },
} satisfies Record<string, ExampleSetup>
