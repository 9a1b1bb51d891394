import { z } from 'zod'
import { DEMO_EVENT } from '../../http/example-setup.ts'
import { attendeeNameOf } from '../../admissions/rules.ts'
import { Timestamp, named, showTimestamp, showTimestampOrNull } from '../../http/wire.ts'
import { showAmount } from '../../kernel/money.ts'
import { displayCode } from '../../kernel/public-ids.ts'
import { showTaxRate } from '../../kernel/tax-rates.ts'
import { PAYMENT_METHOD_NAMES, PAYMENT_STATUSES } from '../../payments/rules.ts'
import { type ListedOrder, SHOP_ORDER_STATUSES, dueCents } from './rules.ts'
import type { OrderView } from './view-order.ts'

const Answers = z.record(z.string(), z.union([z.string(), z.boolean(), z.array(z.string())]))

const sums = {
  total: z.string(),
  voucher_total: z.string(),
  paid: z.string(),
  due: z.string(),
  refunded: z.string(),
  currency: z.string(),
}

const ListedOrderAnswer = z.object({
  public_id: z.string(),
  order_code: z.string(),
  display_number: z.string(),
  status: z.enum(SHOP_ORDER_STATUSES),
  customer_name: z.string(),
  customer_email: z.string().nullable(),
  admissions_count: z.int(),
  ...sums,
  payment_due_at: Timestamp.nullable(),
  paid_at: Timestamp.nullable(),
  created_at: Timestamp,
})

const listedExample: z.output<typeof ListedOrderAnswer> = {
  public_id: 'Hd9Kx4pTz6VmW2rQn8BsLc',
  order_code: 'M3VW8RTA',
  display_number: 'M3VW-8RTA',
  status: 'paid',
  customer_name: 'Berit Buyer',
  customer_email: 'berit@guest.example',
  admissions_count: 2,
  total: '50.00',
  voucher_total: '20.00',
  paid: '30.00',
  due: '0.00',
  refunded: '0.00',
  currency: 'EUR',
  payment_due_at: null,
  paid_at: '2026-11-20T10:04:00.000Z',
  created_at: '2026-11-20T10:04:00.000Z',
}

export const OrderList = named(
  'ShopOrders',
  z.object({ orders: z.array(ListedOrderAnswer), next_page: z.int().nullable() }),
  { orders: [listedExample], next_page: null },
)

const Refund = z.object({
  public_id: z.string(),
  amount: z.string(),
  voucher_amount: z.string(),
  payment_amount: z.string(),
  reason: z.string().nullable(),
  actor: z.string().nullable(),
  admission_public_ids: z.array(z.string()),
  receipt_number: z.string().nullable(),
  created_at: Timestamp,
})

export const OrderAnswer = named(
  'ShopOrder',
  z.object({
    public_id: z.string(),
    order_code: z.string(),
    display_number: z.string(),
    status: z.enum(SHOP_ORDER_STATUSES),
    event: z.object({ slug: z.string(), title: z.string() }).nullable(),
    customer: z.object({
      customer_name: z.string(),
      customer_email: z.string().nullable(),
      customer_phone: z.string().nullable(),
      customer_company: z.string().nullable(),
      billing_street: z.string().nullable(),
      billing_postal_code: z.string().nullable(),
      billing_city: z.string().nullable(),
      billing_country: z.string().nullable(),
      billing_vat_id: z.string().nullable(),
      custom_field_answers: Answers,
    }),
    ...sums,
    items: z.array(
      z.object({
        ticket_id: z.int().nullable(),
        voucher_product_id: z.string().nullable(),
        title: z.string(),
        quantity: z.int(),
        unit_price: z.string(),
        total: z.string(),
        tax_rate: z.string(),
      }),
    ),
    admissions: z.array(
      z.object({
        public_id: z.string(),
        check_in_code: z.string(),
        ticket_title: z.string(),
        attendee_name: z.string(),
        place_label: z.string().nullable(),
        status: z.enum(['active', 'cancelled', 'refunded', 'refund_pending']),
        redeemed_at: Timestamp.nullable(),
        price: z.string(),
        group_number: z.int().nullable(),
        custom_field_answers: Answers,
      }),
    ),
    vouchers: z.array(z.object({ id: z.string(), code: z.string(), amount: z.string(), refunded: z.string() })),
    payments: z.array(
      z.object({
        id: z.string(),
        payment_method: z.enum(PAYMENT_METHOD_NAMES),
        status: z.enum(PAYMENT_STATUSES),
        amount: z.string(),
        refunded: z.string(),
        by_hand: z.boolean(),
        reference: z.string().nullable(),
        paid_at: Timestamp.nullable(),
        refunds: z.array(
          z.object({
            id: z.string(),
            amount: z.string(),
            status: z.enum(['pending', 'by_hand', 'paid', 'failed']),
            failure_message: z.string().nullable(),
            paid_at: Timestamp.nullable(),
          }),
        ),
      }),
    ),
    refunds: z.array(Refund),
    receipts: z.array(z.object({ number: z.string(), kind: z.enum(['sale', 'refund']), issued_at: Timestamp })),
    payment_due_at: Timestamp.nullable(),
    paid_at: Timestamp.nullable(),
    cancelled_at: Timestamp.nullable(),
    created_at: Timestamp,
  }),
  {
    public_id: listedExample.public_id,
    order_code: listedExample.order_code,
    display_number: listedExample.display_number,
    status: 'paid',
    event: { slug: DEMO_EVENT, title: 'Winter Gala' },
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
    },
    total: '50.00',
    voucher_total: '20.00',
    paid: '30.00',
    due: '0.00',
    refunded: '0.00',
    currency: 'EUR',
    items: [
      {
        ticket_id: 6,
        voucher_product_id: null,
        title: 'General admission',
        quantity: 2,
        unit_price: '25.00',
        total: '50.00',
        tax_rate: '19.00',
      },
    ],
    admissions: [
      {
        public_id: 'Ax8Qz2mKw5TrV7nYc4HpLd',
        check_in_code: 'K7PDX2QM',
        ticket_title: 'General admission',
        attendee_name: 'Berit Buyer',
        place_label: null,
        status: 'active',
        redeemed_at: null,
        price: '25.00',
        group_number: null,
        custom_field_answers: {},
      },
    ],
    vouchers: [{ id: 'Vb7Tq2mXw9LrK4sYc8HnPd', code: '····NPQR', amount: '20.00', refunded: '0.00' }],
    payments: [
      {
        id: 'Py3Nr6sXk9WvT2mQz8LcHd',
        payment_method: 'stripe',
        status: 'paid',
        amount: '30.00',
        refunded: '0.00',
        by_hand: false,
        reference: null,
        paid_at: '2026-11-20T10:04:00.000Z',
        refunds: [],
      },
    ],
    refunds: [],
    receipts: [{ number: '17', kind: 'sale', issued_at: '2026-11-20T10:04:00.000Z' }],
    payment_due_at: null,
    paid_at: '2026-11-20T10:04:00.000Z',
    cancelled_at: null,
    created_at: '2026-11-20T10:04:00.000Z',
  },
)

const showSums = (order: OrderView['order'] | ListedOrder, currency: string) => ({
  total: showAmount(order.totalCents, currency),
  voucher_total: showAmount(order.voucherCents, currency),
  paid: showAmount(order.paidCents, currency),
  due: showAmount(dueCents(order), currency),
  refunded: showAmount(order.refundedCents, currency),
  currency,
})

export const showListedOrder = (order: ListedOrder, currency: string): z.output<typeof ListedOrderAnswer> => ({
  public_id: order.publicId,
  order_code: order.orderCode,
  display_number: displayCode(order.orderCode),
  status: order.status,
  customer_name: order.customerName,
  customer_email: order.customerEmail,
  admissions_count: order.admissionsCount,
  ...showSums(order, currency),
  payment_due_at: showTimestampOrNull(order.paymentDueAt),
  paid_at: showTimestampOrNull(order.paidAt),
  created_at: showTimestamp(order.createdAt),
})

export const showOrder = (
  { order, items, admissions, vouchers, payments, refunds, receipts }: OrderView,
  currency: string,
): z.output<typeof OrderAnswer> => {
  const money = (cents: number) => showAmount(cents, currency)
  const { billing } = order
  return {
    public_id: order.publicId,
    order_code: order.orderCode,
    display_number: displayCode(order.orderCode),
    status: order.status,
    event: order.eventSlug === null ? null : { slug: order.eventSlug, title: order.eventTitle ?? '' },
    customer: {
      customer_name: order.customerName,
      customer_email: order.customerEmail,
      customer_phone: order.customerPhone,
      customer_company: order.customerCompany,
      billing_street: billing.street,
      billing_postal_code: billing.postalCode,
      billing_city: billing.city,
      billing_country: billing.country,
      billing_vat_id: billing.vatId,
      custom_field_answers: order.answers,
    },
    ...showSums(order, currency),
    items: items.map((item) => ({
      ticket_id: item.ticketId,
      voucher_product_id: item.productPublicId,
      title: item.title,
      quantity: item.quantity,
      unit_price: money(item.unitPriceCents),
      total: money(item.quantity * item.unitPriceCents),
      tax_rate: showTaxRate(item.taxRate),
    })),
    admissions: admissions.map((admission) => ({
      public_id: admission.publicId,
      check_in_code: admission.checkInCode,
      ticket_title: admission.ticketTitle,
      attendee_name: attendeeNameOf(order, admission),
      place_label: admission.placeLabel,
      status: admission.status,
      redeemed_at: showTimestampOrNull(admission.redeemedAt),
      price: money(admission.priceCents),
      group_number: admission.groupNumber,
      custom_field_answers: admission.answers,
    })),
    vouchers: vouchers.map((voucher) => ({
      id: voucher.publicId,
      code: `····${voucher.codeSuffix}`,
      amount: money(voucher.amountCents),
      refunded: money(voucher.refundedCents),
    })),
    payments: payments.map((payment) => ({
      id: payment.publicId,
      payment_method: payment.method,
      status: payment.status,
      amount: money(payment.amountCents),
      refunded: money(payment.refundedCents),
      by_hand: payment.isByHand,
      reference: payment.isByHand ? payment.description : null,
      paid_at: showTimestampOrNull(payment.paidAt),
      refunds: payment.refunds.map(({ publicId, amountCents, status, failureMessage, paidAt }) => ({
        id: publicId,
        amount: money(amountCents),
        status,
        failure_message: failureMessage,
        paid_at: showTimestampOrNull(paidAt),
      })),
    })),
    refunds: refunds.map((refund) => ({
      public_id: refund.publicId,
      amount: money(refund.amountCents),
      voucher_amount: money(refund.voucherCents),
      payment_amount: money(refund.paymentCents),
      reason: refund.reason,
      actor: refund.actor,
      admission_public_ids: refund.admissionPublicIds,
      receipt_number: refund.receiptNumber === null ? null : String(refund.receiptNumber),
      created_at: showTimestamp(refund.createdAt),
    })),
    receipts: receipts.map(({ number, kind, issuedAt }) => ({
      number: String(number),
      kind,
      issued_at: showTimestamp(issuedAt),
    })),
    payment_due_at: showTimestampOrNull(order.paymentDueAt),
    paid_at: showTimestampOrNull(order.paidAt),
    cancelled_at: showTimestampOrNull(order.cancelledAt),
    created_at: showTimestamp(order.createdAt),
  }
}
