import { sql } from 'kysely'
import { type ColumnSet, selectColumns } from '../../database/columnar-rows.ts'
import type { Admission, Order } from '../rules.ts'

export type FlatOrder = Omit<Order, 'billing' | 'admissions'> & {
  billingStreet: string | null
  billingPostalCode: string | null
  billingCity: string | null
  billingCountry: string | null
  billingVatId: string | null
}

export const ORDER_COLUMN_SET: ColumnSet<FlatOrder> = {
  values: {
    id: sql`o.id`,
    publicId: sql`o.public_id`,
    orderCode: sql`o.order_code`,
    origin: sql`o.origin`,
    status: sql`o.status`,
    customerName: sql`o.customer_name`,
    deliveryEmail: sql`o.delivery_email`,
    deliversToCreator: sql`o.delivers_to_creator`,
    staffNote: sql`o.staff_note`,
    customerPhone: sql`o.customer_phone`,
    customerCompany: sql`o.customer_company`,
    billingStreet: sql`o.billing_street`,
    billingPostalCode: sql`o.billing_postal_code`,
    billingCity: sql`o.billing_city`,
    billingCountry: sql`o.billing_country`,
    billingVatId: sql`o.billing_vat_id`,
    answers: sql`o.answers`,
    paidAt: sql`o.paid_at`,
    creatorName: sql`o.creator_name`,
    createdAt: sql`o.created_at`,
  },
  moments: ['paidAt', 'createdAt'],
}

export const ORDER_SELECT_LIST = selectColumns(ORDER_COLUMN_SET)

export const ADMISSION_COLUMN_SET: ColumnSet<Admission> = {
  values: {
    id: sql`a.id`,
    publicId: sql`a.public_id`,
    checkInCode: sql`a.check_in_code`,
    ticketId: sql`a.ticket_id`,
    ticketTitle: sql`a.ticket_title`,
    isLead: sql`a.is_lead`,
    attendeeName: sql`a.attendee_name`,
    answers: sql`a.answers`,
    status: sql`a.status`,
    redeemedAt: sql`a.redeemed_at`,
    placeId: sql`a.place_id`,
    placeLabel: sql`a.place_label`,
    isPaired: sql`(a.place_id is not null and exists (
      select from places p where p.account_id = a.account_id and p.id = a.place_id and p.pair_place_id is not null
    ))`,
  },
  moments: ['redeemedAt'],
}

export const ADMISSION_SELECT_LIST = selectColumns(ADMISSION_COLUMN_SET)

export const assembleOrder = (
  { billingStreet, billingPostalCode, billingCity, billingCountry, billingVatId, ...order }: FlatOrder,
  admissions: Admission[],
): Order => ({
  ...order,
  billing: {
    street: billingStreet,
    postalCode: billingPostalCode,
    city: billingCity,
    country: billingCountry,
    vatId: billingVatId,
  },
  admissions,
})
