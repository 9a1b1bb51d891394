import { DEMO_EVENT, type ExampleSetup } from '../http/example-setup.ts'

const anOrder = {
  call: `GET /admin/events/${DEMO_EVENT}/orders?status=paid` as const,
  take: [{ key: 'public_id', as: 'public_id' }],
}

/** The paid orders of the demo venue were sold elsewhere, so that no money of them can be moved here. */
export const EXAMPLE_SETUPS = {
  order: { before: [anOrder] },
  unpaid: { before: [anOrder], status: 422 },
  paid: { before: [anOrder], status: 422 },
  noRefund: { before: [anOrder], values: { refund_id: 'Zt5Mw8qLx2VcR7nKd4YpHs' }, status: 404 },
  receipt: { values: { token: '7sW2vqXz3nTdK9mPfBhRcG', number: '1' }, status: 404 },
} satisfies Record<string, ExampleSetup>
