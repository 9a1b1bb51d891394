import { z } from 'zod'
import type { ShopScope } from '../access/access.ts'
import { attendeeNameOf } from '../admissions/rules.ts'
import { DEMO_EVENT } from '../http/example-setup.ts'
import { Timestamp, exampleOf, named, showTimestamp } from '../http/wire.ts'
import { showAmount } from '../kernel/money.ts'
import { displayCode } from '../kernel/public-ids.ts'
import { showTaxRate } from '../kernel/tax-rates.ts'
import { PAYMENT_METHOD_NAMES } from '../payments/rules.ts'
import {
  CHECKOUT_STATUSES,
  type Checkout,
  type CheckoutItem,
  type CheckoutVoucherItem,
  effectiveStatusOf,
  paymentStatusOf,
  subtotalOf,
  totalOf,
  taxLinesOfCheckout,
  totalOfItem,
  voucherTotalOf,
} from './rules.ts'
import type { BuyersOrderDetails } from './order-facts/records.ts'
import { orderUrl, receiptUrl } from '../orders/tokens.ts'

const Answers = z.record(z.string(), z.union([z.string(), z.boolean(), z.array(z.string())]))

const Item = z.object({
  ticket_id: z.int(),
  title: z.string(),
  quantity: z.int(),
  unit_price: z.string(),
  total: z.string(),
  standing_area: z.object({ id: z.int(), name: z.string() }).nullable(),
  places: z.array(z.object({ key: z.string(), label: z.string() })),
})

const VoucherItem = z.object({
  voucher_product_id: z.string(),
  title: z.string(),
  amount: z.string(),
  quantity: z.int(),
  unit_price: z.string(),
  total: z.string(),
  recipient_name: z.string().nullable(),
  recipient_email: z.string().nullable(),
  message: z.string().nullable(),
  deliver_on: z.string().nullable(),
  delivery_time_zone: z.string().nullable(),
})

const CustomerAnswer = z.object({
  customer_name: z.string().nullable(),
  customer_email: z.string().nullable(),
  customer_phone: z.string().nullable(),
  customer_company: z.string().nullable(),
  billing_street: z.string().nullable(),
  billing_postal_code: z.string().nullable(),
  billing_city: z.string().nullable(),
  billing_country: z.string().nullable(),
  billing_vat_id: z.string().nullable(),
  custom_field_answers: Answers,
  attendees: z.array(z.object({ name: z.string().nullable(), custom_field_answers: Answers })),
})

const OrderOfCheckout = z.object({
  public_id: z.string(),
  order_code: z.string(),
  display_number: z.string(),
  status: z.enum(['paid', 'unpaid', 'refunded', 'cancelled', 'disputed']),
  url: z.string(),
  receipt: z.object({ number: z.string(), url: z.string() }).nullable(),
  admissions: z.array(
    z.object({
      public_id: z.string(),
      check_in_code: z.string(),
      ticket_title: z.string(),
      attendee_name: z.string(),
      place_label: z.string().nullable(),
    }),
  ),
})

export const CheckoutAnswer = named(
  'Checkout',
  z.object({
    token: z.string(),
    status: z.enum(CHECKOUT_STATUSES),
    expires_at: Timestamp,
    event: z
      .object({ slug: z.string(), title: z.string(), starts_at: Timestamp, time_zone: z.string(), url: z.string() })
      .nullable(),
    currency: z.string(),
    items: z.array(Item),
    voucher_items: z.array(VoucherItem),
    vouchers: z.array(z.object({ id: z.string(), code: z.string(), amount: z.string() })),
    subtotal: z.string(),
    voucher_total: z.string(),
    total: z.string(),
    tax_lines: z.array(z.object({ rate: z.string(), net: z.string(), tax: z.string(), gross: z.string() })),
    questions: z.array(
      z.object({
        id: z.int(),
        label: z.string(),
        type: z.string(),
        scope: z.enum(['order', 'attendee']),
        required: z.boolean(),
        options: z.array(z.string()),
        help_text: z.string().nullable(),
      }),
    ),
    payment_methods: z.array(z.enum(PAYMENT_METHOD_NAMES)),
    customer: CustomerAnswer,
    payment: z.object({
      payment_method: z.enum(PAYMENT_METHOD_NAMES).nullable(),
      status: z.enum(['none', 'pending', 'paid', 'declined']),
      redirect_url: z.string().nullable(),
      instructions: z.string().nullable(),
    }),
    order: OrderOfCheckout.nullable(),
  }),
  {
    token: '7sW2vqXz3nTdK9mPfBhRcG',
    status: 'open',
    expires_at: '2026-11-20T10:15:00.000Z',
    event: {
      slug: DEMO_EVENT,
      title: 'Winter Gala',
      starts_at: '2026-12-19T19:00:00.000Z',
      time_zone: 'Europe/Berlin',
      url: 'https://kaispeicher.foyer.example/events/winter-gala',
    },
    currency: 'EUR',
    items: [
      {
        ticket_id: 6,
        title: 'General admission',
        quantity: 2,
        unit_price: '25.00',
        total: '50.00',
        standing_area: null,
        places: [],
      },
    ],
    voucher_items: [],
    vouchers: [{ id: 'Qm4Zr8uVtYp2LkNs6HdWcE', code: '····7K2M', amount: '20.00' }],
    subtotal: '50.00',
    voucher_total: '20.00',
    total: '30.00',
    tax_lines: [{ rate: '19.00', net: '42.02', tax: '7.98', gross: '50.00' }],
    questions: [],
    payment_methods: ['stripe', 'bank_transfer'],
    customer: {
      customer_name: 'Berit Buyer',
      customer_email: 'berit@guest.example',
      customer_phone: null,
      customer_company: null,
      billing_street: null,
      billing_postal_code: null,
      billing_city: null,
      billing_country: null,
      billing_vat_id: null,
      custom_field_answers: {},
      attendees: [],
    },
    payment: { payment_method: null, status: 'none', redirect_url: null, instructions: null },
    order: null,
  },
)

type Shop = Pick<ShopScope, 'app' | 'account' | 'address'>

const showItem = (item: CheckoutItem, money: (cents: number) => string): z.output<typeof Item> => ({
  ticket_id: item.ticketId,
  title: item.title,
  quantity: item.quantity,
  unit_price: money(item.unitPriceCents),
  total: money(totalOfItem(item)),
  standing_area: item.standingArea,
  places: item.places.map(({ key, label }) => ({ key, label })),
})

const showVoucherItem = (
  item: CheckoutVoucherItem,
  money: (cents: number) => string,
): z.output<typeof VoucherItem> => ({
  voucher_product_id: item.productPublicId,
  title: item.title,
  amount: money(item.amountCents),
  quantity: item.quantity,
  unit_price: money(item.unitPriceCents),
  total: money(totalOfItem(item)),
  recipient_name: item.recipientName,
  recipient_email: item.recipientEmail,
  message: item.message,
  deliver_on: item.deliverOn,
  delivery_time_zone: item.deliveryTimeZone,
})

export const maskedVoucherCode = (suffix: string) => `····${suffix}`

export const showCheckout = (
  { app, account, address }: Shop,
  checkout: Checkout,
  { token, paymentMethods }: { token: string; paymentMethods: z.output<typeof CheckoutAnswer>['payment_methods'] },
): z.output<typeof CheckoutAnswer> => {
  const { currency } = account
  const money = (cents: number) => showAmount(cents, currency)
  const { event } = checkout
  return {
    token,
    status: effectiveStatusOf(checkout),
    expires_at: showTimestamp(checkout.expiresAt),
    event: event && {
      slug: event.slug,
      title: event.title,
      starts_at: showTimestamp(event.startsAt),
      time_zone: event.timeZone,
      url: `${address.origin}/events/${event.slug}`,
    },
    currency,
    items: checkout.items.map((item) => showItem(item, money)),
    voucher_items: checkout.voucherItems.map((item) => showVoucherItem(item, money)),
    vouchers: checkout.vouchers.map(({ publicId, codeSuffix, amountCents }) => ({
      id: publicId,
      code: maskedVoucherCode(codeSuffix),
      amount: money(amountCents),
    })),
    subtotal: money(subtotalOf(checkout)),
    voucher_total: money(voucherTotalOf(checkout)),
    total: money(totalOf(checkout)),
    tax_lines: taxLinesOfCheckout(checkout).map(({ rate, net_cents, tax_cents, gross_cents }) => ({
      rate: showTaxRate(rate),
      net: money(net_cents),
      tax: money(tax_cents),
      gross: money(gross_cents),
    })),
    questions: checkout.questions.map(({ id, label, type, scope, required, options, helpText }) => ({
      id,
      label,
      type,
      scope,
      required,
      options,
      help_text: helpText,
    })),
    payment_methods: paymentMethods,
    customer: showCustomer(checkout),
    payment: showPayment(checkout),
    order: showOrder({ app, account }, checkout, token),
  }
}

const showCustomer = ({ customer: { billing, ...customer } }: Checkout): z.output<typeof CustomerAnswer> => ({
  customer_name: customer.name,
  customer_email: customer.email,
  customer_phone: customer.phone,
  customer_company: customer.company,
  billing_street: billing.street,
  billing_postal_code: billing.postalCode,
  billing_city: billing.city,
  billing_country: billing.country,
  billing_vat_id: billing.vatId,
  custom_field_answers: customer.answers,
  attendees: customer.attendees.map(({ name, answers }) => ({ name, custom_field_answers: answers })),
})

/** A payment that was given up is none: another one may take its place. */
const showPayment = (checkout: Checkout): z.output<typeof CheckoutAnswer>['payment'] => {
  const { payment } = checkout
  const status = paymentStatusOf(checkout)
  if (!payment || status === 'cancelled' || status === 'none') {
    return { payment_method: null, status: 'none', redirect_url: null, instructions: null }
  }
  const { method, redirectUrl, instructions } = payment
  return {
    payment_method: method,
    status,
    redirect_url: status === 'pending' ? redirectUrl : null,
    instructions: status === 'pending' ? instructions : null,
  }
}

const showOrder = (
  shop: Pick<Shop, 'app' | 'account'>,
  { order, customer, receiptNumber, purchaseCode, publicId }: Checkout,
  token: string,
): z.output<typeof OrderOfCheckout> | null => {
  const url = orderUrl(shop.app, shop.account, token)
  const receipt =
    receiptNumber === null
      ? null
      : { number: String(receiptNumber), url: receiptUrl(shop.app, shop.account, token, receiptNumber) }
  if (purchaseCode !== null) {
    const code = { order_code: purchaseCode, display_number: displayCode(purchaseCode) }
    return { public_id: publicId, ...code, status: 'paid', url, receipt, admissions: [] }
  }
  if (!order) return null
  return {
    public_id: order.publicId,
    order_code: order.orderCode,
    display_number: displayCode(order.orderCode),
    status: order.status,
    url,
    receipt,
    admissions: order.admissions.map((admission) => ({
      public_id: admission.publicId,
      check_in_code: admission.checkInCode,
      ticket_title: admission.ticketTitle,
      attendee_name: attendeeNameOf({ customerName: customer.name ?? '' }, admission),
      place_label: admission.placeLabel,
    })),
  }
}

const example = exampleOf(CheckoutAnswer)!

export const BuyersOrder = named(
  'BuyersOrder',
  z.object({
    order: OrderOfCheckout,
    event: CheckoutAnswer.shape.event,
    items: CheckoutAnswer.shape.items,
    voucher_items: CheckoutAnswer.shape.voucher_items,
    currency: z.string(),
    subtotal: z.string(),
    voucher_total: z.string(),
    total: z.string(),
    refunded: z.string(),
    payment: CheckoutAnswer.shape.payment,
    tickets_url: z.string().nullable(),
    receipts: z.array(z.object({ number: z.string(), kind: z.enum(['sale', 'refund']), url: z.string() })),
  }),
  {
    order: {
      public_id: 'Hd9Kx4pTz6VmW2rQn8BsLc',
      order_code: 'M3VW8RTA',
      display_number: 'M3VW-8RTA',
      status: 'paid',
      url: 'https://kaispeicher.foyer.example/orders/7sW2vqXz3nTdK9mPfBhRcG',
      receipt: {
        number: '17',
        url: 'https://kaispeicher.foyer.example/orders/7sW2vqXz3nTdK9mPfBhRcG/receipts/17.pdf',
      },
      admissions: [
        {
          public_id: '3fT8mPqZw6nXcR2kVbHsLd',
          check_in_code: 'K7PDX2QM',
          ticket_title: 'General admission',
          attendee_name: 'Berit Buyer',
          place_label: null,
        },
      ],
    },
    event: example.event,
    items: example.items,
    voucher_items: [],
    currency: 'EUR',
    subtotal: '50.00',
    voucher_total: '20.00',
    total: '30.00',
    refunded: '0.00',
    payment: { payment_method: 'stripe', status: 'paid', redirect_url: null, instructions: null },
    tickets_url: 'https://kaispeicher.foyer.example/orders/7sW2vqXz3nTdK9mPfBhRcG/tickets.pdf',
    receipts: [
      {
        number: '17',
        kind: 'sale',
        url: 'https://kaispeicher.foyer.example/orders/7sW2vqXz3nTdK9mPfBhRcG/receipts/17.pdf',
      },
    ],
  },
)

export const showBuyersOrder = (
  { app, account }: Pick<Shop, 'app' | 'account'>,
  shown: z.output<typeof CheckoutAnswer>,
  { receipts, refundedCents, admissions, token }: Omit<BuyersOrderDetails, 'dueAt' | 'paidCents'> & { token: string },
): z.output<typeof BuyersOrder> => ({
  order: shown.order!,
  event: shown.event,
  items: shown.items,
  voucher_items: shown.voucher_items,
  currency: shown.currency,
  subtotal: shown.subtotal,
  voucher_total: shown.voucher_total,
  total: shown.total,
  refunded: showAmount(refundedCents, account.currency),
  payment: shown.payment,
  tickets_url:
    shown.order!.status === 'paid' && admissions.some(({ status }) => status === 'active')
      ? `${orderUrl(app, account, token)}/tickets.pdf`
      : null,
  receipts: receipts.map(({ number, kind }) => ({
    number: String(number),
    kind,
    url: receiptUrl(app, account, token, number),
  })),
})
