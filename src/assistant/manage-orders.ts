import type { z } from 'zod'
import type { Endpoint } from '../http/endpoint.ts'
import { SHOP_ORDER_STATUSES } from '../orders/view/rules.ts'
import type { OrderAnswer, OrderList } from '../orders/view/wire.ts'
import { omitKeys } from './pages.ts'
import { choice, integer, omitUndefined, text, textList } from './parameters.ts'
import { type ToolCall, endpointFinder, defineTool } from './tool.ts'

const ADMISSIONS_MAX = 50

const parameters = {
  query: text('Part of a name, an address or a code.'),
  status: choice(SHOP_ORDER_STATUSES, 'Only orders of this status.'),
  page: integer('Which page: next_page of the page before.', { minimum: 1 }),
  order_id: text('An order, as list calls it.'),
  amount: text('An amount as a decimal text without currency, such as "25.00".'),
  reference: text('What proves the money, such as the number of a bank statement.'),
  admission_ids: textList('The admissions to refund, as show calls them; a group only as a whole.'),
  refund_id: text('A refund of a payment: its id among payments[].refunds, as show calls them.'),
  reason: text('Why it is given back; the receipt and the buyer do not show it.'),
}

type ShownOrder = z.output<typeof OrderAnswer>

/** What a change means for the money of an order: the same in a dry run as in the real thing. */
const showMoney = (order: ShownOrder) => ({
  order_id: order.public_id,
  order_code: order.order_code,
  status: order.status,
  total: order.total,
  voucher_total: order.voucher_total,
  paid: order.paid,
  due: order.due,
  refunded: order.refunded,
  currency: order.currency,
})

const showWhole = ({ admissions, ...order }: ShownOrder) => ({
  order_id: order.public_id,
  ...omitKeys(order, 'public_id'),
  admissions_count: admissions.length,
  admissions: admissions
    .slice(0, ADMISSIONS_MAX)
    .map((admission) => ({ admission_id: admission.public_id, ...omitKeys(admission, 'public_id') })),
})

interface ShownRefund {
  amount: string
  voucher_amount: string
  payment_amount: string
}

const showRefund = (
  { amount, voucher_amount, payment_amount }: ShownRefund,
  { given }: ToolCall<typeof parameters>,
) => ({
  order_id: given.order_id,
  amount,
  voucher_amount,
  payment_amount,
})

/** What has become of the one refund that was named. */
const showPaymentRefund = (order: ShownOrder, { given }: ToolCall<typeof parameters>) => {
  const refunds = order.payments.flatMap(({ payment_method, refunds: each }) =>
    each.map(({ id, amount, status, failure_message }) => ({ id, payment_method, amount, status, failure_message })),
  )
  const { id, ...refund } = refunds.find((each) => each.id === given.refund_id?.trim())!
  return { order_id: order.public_id, refund_id: id, ...refund, currency: order.currency }
}

/** The endpoints of orders are made with the ways to pay, so they are handed in. */
export const manageOrders = (orderEndpoints: readonly Endpoint[]) => {
  const endpoint = endpointFinder(orderEndpoints)
  return defineTool({
    name: 'manage_orders',
    title: 'Shop orders',
    says: 'What the shop has sold: orders with their money. Start with list to learn the order_id of an order.',
    parameters,
    renames: { public_id: 'order_id', admission_public_ids: 'admission_ids' },
    actions: {
      list: {
        says: 'The shop orders of an event, newest first.',
        calls: endpoint('GET /admin/events/:event_slug/orders'),
        query: { query: 'query', status: 'status', page: 'page' },
        show: ({ orders, next_page }: z.output<typeof OrderList>) => ({
          next_page,
          orders: orders.map((order) => ({ order_id: order.public_id, ...omitKeys(order, 'public_id') })),
        }),
      },
      show: {
        says: 'One order with its customer, items, admissions, vouchers, payments, refunds and receipts.',
        calls: endpoint('GET /admin/orders/:public_id'),
        path: { public_id: 'order_id' },
        show: showWhole,
      },
      record_payment: {
        says: 'Writes down money that somebody has counted, all of what is due or a part of it.',
        calls: endpoint('POST /admin/orders/:public_id/payments'),
        path: { public_id: 'order_id' },
        needs: ['amount', 'reference'],
        confirm: 'Counts this money as paid; once nothing is due, the receipt is issued and the tickets are mailed.',
        previews: true,
        body: ({ given: { amount, reference } }) => ({ amount, reference }),
        show: showMoney,
      },
      refund: {
        says: 'Gives money back, to vouchers first: the price of admission_ids, which end; or an amount, with every ticket staying valid; or, with neither, everything.',
        calls: endpoint('POST /admin/orders/:public_id/refunds'),
        path: { public_id: 'order_id' },
        takes: ['admission_ids', 'amount', 'reason'],
        confirm: 'Gives the money back and tells the buyer by mail; the door refuses refunded tickets at once.',
        previews: true,
        body: ({ given: { admission_ids, amount, reason } }) =>
          omitUndefined({ admission_public_ids: admission_ids, amount, reason }),
        show: showRefund,
      },
      retry_refund: {
        says: 'Asks the payment provider once more for a refund that has failed.',
        calls: endpoint('POST /admin/orders/:public_id/payment_refunds/:refund_id/attempt'),
        path: { public_id: 'order_id', refund_id: 'refund_id' },
        confirm: 'Has the provider pay this money out to the buyer; once it is paid it cannot be called back.',
        previews: true,
        show: showPaymentRefund,
      },
      record_payout: {
        says: 'Writes down that somebody has paid a refund out by hand: one that is by_hand, or one that has failed.',
        calls: endpoint('POST /admin/orders/:public_id/payment_refunds/:refund_id/payout'),
        path: { public_id: 'order_id', refund_id: 'refund_id' },
        confirm:
          'Counts this money as given back, moves none, and cannot be undone; the provider is not asked for it any more.',
        previews: true,
        show: showPaymentRefund,
      },
      cancel: {
        says: 'Cancels an order that is not paid.',
        calls: endpoint('POST /admin/orders/:public_id/cancellation'),
        path: { public_id: 'order_id' },
        confirm: 'Frees what the order held, gives back whatever was paid of it, and tells the buyer by mail.',
        previews: true,
        show: showMoney,
      },
      resend: {
        says: 'Mails the tickets of a paid order once more, to the address of the order.',
        calls: endpoint('POST /admin/orders/:public_id/delivery'),
        path: { public_id: 'order_id' },
        confirm: 'Mails the tickets to the buyer again.',
        show: showMoney,
      },
    },
  })
}
