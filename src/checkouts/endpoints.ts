import { z } from 'zod'
import { type ShopScope, shopVisitor } from '../access/access.ts'
import { noContent, ok } from '../http/answers.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { queryText } from '../http/fields.ts'
import { firstHeaderValue } from '../http/request-facts.ts'
import { languageOfRequest } from '../http/request-language.ts'
import { countAccessCodes } from '../feed/find-shown.ts'
import { readAccessCodes } from '../feed/rules.ts'
import { DEMO_EVENT } from '../http/example-setup.ts'
import { NotFound } from '../kernel/refusals.ts'
import type { Payments } from '../payments/payments.ts'
import { QueueAnswer, showQueue } from '../waiting-room/wire.ts'
import { changeCheckout } from './change-checkout.ts'
import { createCheckout } from './create-checkout.ts'
import { cancelCheckout } from './end-checkout.ts'
import { CheckoutChangeBody, NewCheckoutBody, PaymentBody, VoucherCodeBody } from './inputs.ts'
import { findBuyersOrderDetails } from './order-facts/records.ts'
import { checkoutPageEndpoints, answerCheckoutVisit, answerNewCheckoutForm } from './pages/endpoints.ts'
import { answerOrderVisit } from './pages/order-endpoints.ts'
import { payCheckout } from './pay-checkout.ts'
import { paymentMethodsFor } from './payment-choice.ts'
import type { Checkout } from './rules.ts'
import { requireCheckout, requireCheckoutId } from './require-checkout.ts'
import { reserveVoucherForCheckout, removeVoucherFromCheckout } from './set-voucher-aside.ts'
import { spendAskForCheckout, spendVoucherCode } from './spend-budgets.ts'
import { EXAMPLE_SETUPS } from './example-setups.ts'
import { BuyersOrder, CheckoutAnswer, showBuyersOrder, showCheckout } from './wire.ts'

const show = (shop: ShopScope, checkout: Checkout, token: string) =>
  showCheckout(shop, checkout, { token, paymentMethods: paymentMethodsFor(shop, checkout) })

const checkoutCreation = endpoint({
  method: 'POST',
  path: '/checkouts',
  operationId: 'createCheckout',
  says: 'Begins a purchase at a shop: takes tickets, seats and shared capacity at once, for 15 minutes, or nothing. In a rush 202 gives a place in line; the same with `queue_token` asks again, after `retry_after` seconds.',
  access: shopVisitor(),
  anyOrigin: true,
  body: NewCheckoutBody,
  example: { checkout: { event_slug: DEMO_EVENT, items: [{ ticket_id: 6, quantity: 2 }] } },
  exampleSetup: EXAMPLE_SETUPS.creation,
  answers: { 201: CheckoutAnswer, 202: QueueAnswer },
  form: answerNewCheckoutForm,
  handle: async ({ shop, body, ip, headers }) => {
    spendAskForCheckout(shop, ip, body.queue_token)
    await countAccessCodes(shop, body.event_slug, { codes: readAccessCodes(body.code), ip })
    const userAgent = firstHeaderValue(headers['user-agent']) ?? null
    const outcome = await createCheckout(shop, body, {
      ip,
      userAgent,
      language: languageOfRequest(shop.account, headers),
    })
    if (outcome.kind === 'waiting') {
      const { retryAfterSeconds } = outcome.queue
      return {
        status: 202 as const,
        body: showQueue(outcome.queue),
        headers: { 'retry-after': String(retryAfterSeconds) },
      }
    }
    return { status: 201 as const, body: show(shop, outcome.checkout, outcome.token) }
  },
})

const checkoutView = endpoint({
  method: 'GET',
  path: '/checkouts/:token',
  operationId: 'getCheckout',
  says: 'A purchase under way or done: what it holds and until when, what is left to pay, and its order once there is one.',
  access: shopVisitor(),
  anyOrigin: true,
  query: z.object({ go: queryText() }),
  exampleSetup: EXAMPLE_SETUPS.checkout,
  answers: { 200: CheckoutAnswer },
  page: answerCheckoutVisit,
  handle: async (asked) => ok(show(asked.shop, await requireCheckout(asked, asked.params.token), asked.params.token)),
})

const checkoutChange = endpoint({
  method: 'PATCH',
  path: '/checkouts/:token',
  operationId: 'updateCheckout',
  says: 'Says who buys and what they answer; `items` replaces the list and takes or gives back the difference.',
  access: shopVisitor(),
  anyOrigin: true,
  body: CheckoutChangeBody,
  example: { checkout: { customer_name: 'Berit Buyer', customer_email: 'berit@guest.example' } },
  exampleSetup: EXAMPLE_SETUPS.checkout,
  answers: { 200: CheckoutAnswer },
  exists: (asked) => requireCheckoutId(asked, asked.params.token),
  handle: async (asked) => {
    const id = await requireCheckoutId(asked, asked.params.token)
    return ok(show(asked.shop, await changeCheckout(asked.shop, id, asked.body), asked.params.token))
  },
})

const voucherSetAside = endpoint({
  method: 'POST',
  path: '/checkouts/:token/vouchers',
  operationId: 'addCheckoutVoucher',
  says: 'Sets money of a gift voucher aside for a purchase, as much as is needed or there.',
  access: shopVisitor(),
  anyOrigin: true,
  body: VoucherCodeBody,
  example: { code: 'K7PD-X2QM-9RTA-W3VN' },
  exampleSetup: EXAMPLE_SETUPS.voucher,
  answers: { 200: CheckoutAnswer },
  exists: (asked) => requireCheckoutId(asked, asked.params.token),
  handle: async (asked) => {
    const { shop, params, ip, body } = asked
    const id = await requireCheckoutId(asked, asked.params.token)
    await spendVoucherCode(shop, ip)
    return ok(show(shop, await reserveVoucherForCheckout(shop, id, body.code), params.token))
  },
})

const voucherTakenBack = endpoint({
  method: 'DELETE',
  path: '/checkouts/:token/vouchers/:id',
  operationId: 'removeCheckoutVoucher',
  says: 'Gives back what a purchase had set aside of a gift voucher.',
  access: shopVisitor(),
  anyOrigin: true,
  exampleSetup: EXAMPLE_SETUPS.noVoucher,
  answers: { 200: CheckoutAnswer },
  handle: async (asked) => {
    const id = await requireCheckoutId(asked, asked.params.token)
    return ok(show(asked.shop, await removeVoucherFromCheckout(asked.shop, id, asked.params.id), asked.params.token))
  },
})

const checkoutPayment = (payments: Payments) =>
  endpoint({
    method: 'POST',
    path: '/checkouts/:token/payment',
    operationId: 'payCheckout',
    says: 'Pays: at once where nothing is left to pay, else as the method says; `payment.redirect_url` is where to go.',
    access: shopVisitor(),
    anyOrigin: true,
    body: PaymentBody,
    example: { payment_method: 'stripe' },
    exampleSetup: EXAMPLE_SETUPS.payment,
    answers: { 200: CheckoutAnswer },
    exists: (asked) => requireCheckoutId(asked, asked.params.token),
    handle: async (asked) => {
      const { shop, params } = asked
      const id = await requireCheckoutId(asked, asked.params.token)
      const paid = await payCheckout(payments, shop, { id, token: params.token }, asked.body.payment_method)
      return ok(show(shop, paid, params.token))
    },
  })

const orderView = endpoint({
  method: 'GET',
  path: '/orders/:token',
  operationId: 'getBuyersOrder',
  says: 'The buyer’s own view of an order: its state, tickets, receipts and what was refunded. Its address is mailed.',
  access: shopVisitor(),
  anyOrigin: true,
  exampleSetup: EXAMPLE_SETUPS.noOrder,
  answers: { 200: BuyersOrder },
  page: answerOrderVisit,
  handle: async (asked) => {
    const { shop, params } = asked
    const { checkout, facts } = await shop.consistentRead(async (rows) => {
      const checkout = await requireCheckout(asked, params.token, rows)
      return { checkout, facts: await findBuyersOrderDetails(rows, checkout.id) }
    })
    const shown = show(shop, checkout, params.token)
    if (!shown.order) throw new NotFound()
    return ok(showBuyersOrder(shop, shown, { ...facts, token: params.token }))
  },
})

const checkoutCancellation = (payments: Payments) =>
  endpoint({
    method: 'DELETE',
    path: '/checkouts/:token',
    operationId: 'cancelCheckout',
    says: 'Gives a purchase up that is not paid, and everything back that it held.',
    access: shopVisitor(),
    anyOrigin: true,
    exampleSetup: EXAMPLE_SETUPS.checkout,
    answers: { 204: null },
    handle: async (asked) => {
      const id = await requireCheckoutId(asked, asked.params.token)
      await cancelCheckout(payments, asked.shop, id)
      return noContent()
    },
  })

export const checkoutEndpoints = (payments: Payments): Endpoint[] => [
  ...checkoutPageEndpoints(payments),
  checkoutCreation,
  checkoutView,
  checkoutChange,
  voucherSetAside,
  voucherTakenBack,
  checkoutPayment(payments),
  orderView,
  checkoutCancellation(payments),
]
