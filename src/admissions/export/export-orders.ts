import { showAmount } from '../../kernel/money.ts'
import { showTaxRate } from '../../kernel/tax-rates.ts'
import { inBatches } from '../../loading/batches.ts'
import type { ExportContext, ExportedEvent } from '../../loading/section.ts'
import type { Answers } from '../rules.ts'
import { type ExportedAdmission, type ExportedOrder, findOrdersToExport } from './records.ts'

/** The orders of the shop with the codes that stand on their tickets. An order is called by its code. */
export async function* exportOrders({ rows, account }: ExportContext, event: ExportedEvent) {
  const money = (cents: number) => showAmount(cents, account.currency)
  for await (const order of inBatches((request) => findOrdersToExport(rows, event.id, 'shop', request))) {
    yield omitNulls({
      key: order.orderCode,
      public_id: order.publicId,
      order_code: order.orderCode,
      customer_name: order.customerName,
      customer_email: order.deliveryEmail,
      ...exportedContactFields(order),
      custom_field_answers: answersByKey(event, order.answers),
      status: order.status,
      archived: order.isArchived,
      created_at: order.createdAt,
      paid_at: order.paidAt,
      cancelled_at: order.cancelledAt,
      language: order.language,
      total: money(order.totalCents),
      voucher_total: order.voucherCents === 0 ? null : money(order.voucherCents),
      refunded: order.refundedCents === 0 ? null : money(order.refundedCents),
      refunded_to_vouchers: order.refundedVoucherCents === 0 ? null : money(order.refundedVoucherCents),
      items: order.admissions.map((admission) => ({
        ...itemOf(event, admission),
        price: money(admission.priceCents),
      })),
    })
  }
}

const itemOf = (event: ExportedEvent, admission: ExportedAdmission) => {
  const { ticketId, standingAreaId, attendeeName, isLead, taxRate, groupNumber } = admission
  return omitNulls({
    ticket: keyOfId(event.tickets, ticketId),
    ...exportedAdmissionFields(event, admission),
    standing_area: keyOfId(event.standingAreas, standingAreaId),
    attendee_name: attendeeName,
    tax_rate: taxRate === 0 ? null : showTaxRate(taxRate),
    group_number: groupNumber,
    is_lead: isLead === (attendeeName === null) ? null : isLead,
    custom_field_answers: answersByKey(event, admission.answers),
  })
}

/** What an admission is known by, where it is for, and what became of it. */
export const exportedAdmissionFields = (event: ExportedEvent, admission: ExportedAdmission) => ({
  public_id: admission.publicId,
  check_in_code: admission.checkInCode,
  place: keyOfId(event.places, admission.placeId),
  admission_status: admission.status,
  redeemed_at: admission.redeemedAt === null ? null : new Date(admission.redeemedAt),
  left_at: admission.leftAt === null ? null : new Date(admission.leftAt),
})

export const exportedContactFields = (order: ExportedOrder) => ({
  customer_phone: order.customerPhone,
  customer_company: order.customerCompany,
  billing_street: order.billingStreet,
  billing_postal_code: order.billingPostalCode,
  billing_city: order.billingCity,
  billing_country: order.billingCountry,
  billing_vat_id: order.billingVatId,
  staff_note: order.staffNote,
})

/** Null where nothing was answered. */
export const answersByKey = (event: ExportedEvent, answers: Answers): Answers | null => {
  const given = Array.from(event.questions).filter(([id]) => Object.hasOwn(answers, id))
  return given.length === 0 ? null : Object.fromEntries(given.map(([id, key]) => [key, answers[id]!]))
}

export const keyOfId = (keys: ReadonlyMap<number, string>, id: number | null): string | null =>
  id === null ? null : (keys.get(id) ?? null)

/** Of what there are tens of thousands, only what there is to say. */
export const omitNulls = (thing: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(thing).filter(([, value]) => value !== null))
