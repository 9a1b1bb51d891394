import type { ExampleSetup } from '../http/example-setup.ts'

/** What the examples of these endpoints take to work on the demo venue. */
export const EXAMPLE_SETUPS = {
  change: { before: [{ call: 'GET /admin/payment_methods', take: [{ key: 'id', as: 'id' }] }] },
} satisfies Record<string, ExampleSetup>
