import type { Trial } from '../http/trial.ts'

/** What the examples of these endpoints take to work on the demo venue. */
export const TRIALS = {
  change: { before: [{ call: 'GET /admin/payment_methods', take: [{ key: 'id', as: 'id' }] }] },
} satisfies Record<string, Trial>
