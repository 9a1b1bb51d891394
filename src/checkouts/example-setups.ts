import { DEMO_EVENT, type PrecedingCall, type ExampleSetup } from '../http/example-setup.ts'

const TICKET: PrecedingCall = {
  call: `GET /admin/events/${DEMO_EVENT}/tickets`,
  take: [{ key: 'id', as: 'ticket_id' }],
}
const BODY = { checkout: { event_slug: DEMO_EVENT, items: [{ ticket_id: '$ticket_id', quantity: 1 }] } }
const SHOP: PrecedingCall = { call: 'GET /admin/account', take: [{ key: 'shop_url', as: 'shop_url' }] }
const BEGUN: PrecedingCall = { call: 'POST $shop_url/checkouts', body: BODY, take: [{ key: 'token', as: 'token' }] }
const CUSTOMER = { checkout: { customer_name: 'Berit Buyer', customer_email: 'berit@guest.example' } }

/** What the examples of these endpoints take to work on the demo venue. */
export const EXAMPLE_SETUPS = {
  creation: { before: [TICKET], body: BODY },
  checkout: { before: [TICKET, SHOP, BEGUN] },
  payment: {
    before: [TICKET, SHOP, BEGUN, { call: 'PATCH $shop_url/checkouts/$token', body: CUSTOMER }],
    body: { payment_method: 'test' },
  },
  /** Nobody knows the code of somebody's voucher. */
  voucher: { before: [TICKET, SHOP, BEGUN], status: 422 },
  noVoucher: { before: [TICKET, SHOP, BEGUN], values: { id: 'Qm4Zr8uVtYp2LkNs6HdWcE' }, status: 404 },
  /** Nothing was bought at the demo venue's shop yet. */
  noOrder: { before: [TICKET, SHOP, BEGUN], status: 404 },
} satisfies Record<string, ExampleSetup>
