import { z } from 'zod'
import { organizer, organizerOfEvent, setupManagement, shopVisitor } from '../access/access.ts'
import type { CallerScope } from '../access/scopes.ts'
import { digestOf } from '../access/tokens.ts'
import { RawAnswer, created, ok } from '../http/answers.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { queryPageNumber, queryText, strictQueryChoice } from '../http/fields.ts'
import { named } from '../http/wire.ts'
import { showAmount } from '../kernel/money.ts'
import { requireFound } from '../kernel/refusals.ts'
import type { Payments } from '../payments/payments.ts'
import { accountingEndpoints } from './accounting/endpoints.ts'
import { cancelOrder } from './cancel-order.ts'
import { deliverOrderTickets } from './deliver-tickets.ts'
import { OrderPaymentBody, OrderRefundBody, requireCents, requireOwnCurrency } from './inputs.ts'
import { recordRefundOfOrderByHand, retryRefundOfOrder } from './pay-out-refund.ts'
import { findReceiptByNumber } from './receipts/records.ts'
import { recordOrderPayment } from './record-payment.ts'
import { refundOrder } from './refund-order.ts'
import { EXAMPLE_SETUPS } from './example-setups.ts'
import { spendDocument } from './spend-document.ts'
import { exportEventOrders } from './view/export-orders.ts'
import { listOrders } from './view/list-orders.ts'
import { SHOP_ORDER_STATUSES } from './view/rules.ts'
import { viewOrder } from './view/view-order.ts'
import { OrderAnswer, OrderList, showListedOrder, showOrder } from './view/wire.ts'

const show = async (account: CallerScope, publicId: string) =>
  showOrder(await viewOrder(account, publicId), account.account.currency)

const orders = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/orders',
  operationId: 'listOrders',
  says: 'The shop orders of an event, newest first, 25 a page; `query` looks for names, addresses and codes.',
  access: organizerOfEvent('read'),
  query: z.object({
    query: queryText(),
    status: strictQueryChoice('all', ['all', ...SHOP_ORDER_STATUSES]),
    page: queryPageNumber(),
  }),
  answers: { 200: OrderList },
  handle: async ({ event, query: { query, status, page } }) => {
    const listed = await listOrders(event, { query, status: status === 'all' ? null : status, page })
    return ok({
      orders: listed.orders.map((order) => showListedOrder(order, event.account.currency)),
      next_page: listed.nextPage,
    })
  },
})

const orderExport = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/orders.csv',
  operationId: 'exportOrders',
  says: 'All shop orders of an event as CSV.',
  access: organizerOfEvent('read'),
  answers: {},
  media: ['text/csv'],
  handle: async ({ event }) =>
    new RawAnswer(
      200,
      {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="orders.csv"',
      },
      await exportEventOrders(event),
    ),
})

const order = endpoint({
  method: 'GET',
  path: '/admin/orders/:public_id',
  operationId: 'getOrder',
  says: 'One shop order with its customer, items, admissions, vouchers, payments, refunds and receipts.',
  access: organizer('read'),
  exampleSetup: EXAMPLE_SETUPS.order,
  answers: { 200: OrderAnswer },
  handle: async ({ account, params }) => ok(await show(account, params.public_id)),
})

const orderPayment = endpoint({
  method: 'POST',
  path: '/admin/orders/:public_id/payments',
  operationId: 'recordOrderPayment',
  says: 'Money that somebody has counted, all of it or a part; once it is complete the order is paid and its tickets leave.',
  access: setupManagement('write'),
  body: OrderPaymentBody,
  example: { amount: '50.00', reference: 'Bank statement 47' },
  exampleSetup: EXAMPLE_SETUPS.unpaid,
  answers: { 201: OrderAnswer },
  creates: true,
  exists: ({ account, params }) => viewOrder(account, params.public_id),
  handle: async ({ account, params, body }) => {
    requireOwnCurrency(body.currency, account.account)
    const amountCents = requireCents(body.amount, account.account)
    await recordOrderPayment(account, params.public_id, { amountCents, reference: body.reference })
    return created(await show(account, params.public_id), `/admin/orders/${params.public_id}`)
  },
})

const OrderRefundAnswer = named(
  'ShopOrderRefund',
  z.object({ public_id: z.string(), amount: z.string(), voucher_amount: z.string(), payment_amount: z.string() }),
  { public_id: 'Rf6Xk3vNz9TmQ2wYs7HbLc', amount: '25.00', voucher_amount: '20.00', payment_amount: '5.00' },
)

const orderRefund = (payments: Payments) =>
  endpoint({
    method: 'POST',
    path: '/admin/orders/:public_id/refunds',
    operationId: 'refundOrder',
    says: 'Gives money back, to vouchers first: the price of some admissions, an amount with the tickets staying valid, or, with neither, everything.',
    access: setupManagement('write'),
    body: OrderRefundBody,
    example: { amount: '10.00', reason: 'The choir was out of tune' },
    exampleSetup: EXAMPLE_SETUPS.paid,
    answers: { 201: OrderRefundAnswer },
    creates: true,
    exists: ({ account, params }) => viewOrder(account, params.public_id),
    handle: async ({ account, params, body }) => {
      const { currency } = account.account
      requireOwnCurrency(body.currency, account.account)
      const given = await refundOrder(payments, account, params.public_id, {
        admissionPublicIds: body.admission_public_ids,
        amountCents: body.amount === null ? null : requireCents(body.amount, account.account),
        reason: body.reason,
      })
      const answer = {
        public_id: given.publicId,
        amount: showAmount(given.amountCents, currency),
        voucher_amount: showAmount(given.voucherCents, currency),
        payment_amount: showAmount(given.amountCents - given.voucherCents, currency),
      }
      return created(answer, `/admin/orders/${params.public_id}`)
    },
  })

const paymentRefundAttempt = endpoint({
  method: 'POST',
  path: '/admin/orders/:public_id/payment_refunds/:refund_id/attempt',
  operationId: 'retryPaymentRefund',
  says: 'Asks the payment provider once more for a refund that has failed; `refund_id` is the `id` of one of `payments[].refunds`.',
  access: setupManagement('write'),
  exampleSetup: EXAMPLE_SETUPS.noRefund,
  answers: { 200: OrderAnswer },
  handle: async ({ account, params: { public_id: orderPublicId, refund_id: refundPublicId } }) => {
    await retryRefundOfOrder(account, { orderPublicId, refundPublicId })
    return ok(await show(account, orderPublicId))
  },
})

const paymentRefundPayout = (payments: Payments) =>
  endpoint({
    method: 'POST',
    path: '/admin/orders/:public_id/payment_refunds/:refund_id/payout',
    operationId: 'recordPaymentRefundPayout',
    says: 'Notes that somebody has paid a refund out by hand: one that is `by_hand`, or one that the provider has failed. Saying it again changes nothing.',
    access: setupManagement('write'),
    exampleSetup: EXAMPLE_SETUPS.noRefund,
    answers: { 200: OrderAnswer },
    handle: async ({ account, params: { public_id: orderPublicId, refund_id: refundPublicId } }) => {
      await recordRefundOfOrderByHand(payments, account, { orderPublicId, refundPublicId })
      return ok(await show(account, orderPublicId))
    },
  })

const orderCancellation = (payments: Payments) =>
  endpoint({
    method: 'POST',
    path: '/admin/orders/:public_id/cancellation',
    operationId: 'cancelOrder',
    says: 'Cancels an order that is not paid: what it held is free, and whatever was paid of it goes back.',
    access: setupManagement('write'),
    exampleSetup: EXAMPLE_SETUPS.unpaid,
    answers: { 200: OrderAnswer },
    handle: async ({ account, params }) => {
      await cancelOrder(payments, account, params.public_id)
      return ok(await show(account, params.public_id))
    },
  })

const orderDelivery = endpoint({
  method: 'POST',
  path: '/admin/orders/:public_id/delivery',
  operationId: 'deliverOrder',
  says: 'Mails the tickets of a paid order once more.',
  access: organizer('write'),
  exampleSetup: EXAMPLE_SETUPS.order,
  answers: { 200: OrderAnswer },
  handle: async ({ account, params }) => {
    await deliverOrderTickets(account, params.public_id)
    return ok(await show(account, params.public_id))
  },
})

const RECEIPT_NUMBER = /^[1-9]\d{0,14}$/

const receipt = endpoint({
  method: 'GET',
  path: '/orders/:token/receipts/:number.pdf',
  operationId: 'getReceipt',
  says: 'A receipt of a purchase as PDF, for whoever has the address of its page.',
  access: shopVisitor(),
  exampleSetup: EXAMPLE_SETUPS.receipt,
  answers: {},
  media: ['application/pdf'],
  handle: async ({ shop, ip, params: { token, number } }) => {
    const key = RECEIPT_NUMBER.test(number) ? { tokenDigest: digestOf(token), number: Number(number) } : null
    const wanted = requireFound(key && (await findReceiptByNumber(shop.rows, key)))
    spendDocument(shop, ip, token)
    const { receiptPdf } = await import('./receipts/receipt-pdf.ts')
    return new RawAnswer(
      200,
      {
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename="receipt-${wanted.number}.pdf"`,
        'cache-control': 'private, no-store',
        'referrer-policy': 'no-referrer',
      },
      await receiptPdf(wanted),
    )
  },
})

export const orderEndpoints = (payments: Payments): Endpoint[] => [
  orders,
  orderExport,
  order,
  orderPayment,
  orderRefund(payments),
  paymentRefundAttempt,
  paymentRefundPayout(payments),
  orderCancellation(payments),
  orderDelivery,
  ...accountingEndpoints,
]

/** At the shop's own address. */
export const receiptEndpoints: Endpoint[] = [receipt]
