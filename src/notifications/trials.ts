import type { Trial } from '../http/code-samples.ts'
import { SUBSCRIPTION_EXAMPLE } from './wire.ts'

/** What the examples of these endpoints take to work on the demo venue. */
export const TRIALS = {
  inbox: { by: 'member' },
  reading: {
    before: [
      { call: 'POST /admin/tasks', body: { task: { title: 'Call the caterer', assignee_id: 1 } } },
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
} satisfies Record<string, Trial>
