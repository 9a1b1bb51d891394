import { sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'
import type { BatchAfterId } from '../../loading/batches.ts'
import type { AdmissionStatus, Answers, OrderStatus } from '../rules.ts'

export interface ExportedAdmission {
  publicId: string
  checkInCode: string
  ticketId: number | null
  isLead: boolean
  attendeeName: string | null
  answers: Answers
  status: AdmissionStatus
  redeemedAt: string | null
  leftAt: string | null
  placeId: number | null
  standingAreaId: number | null
  priceCents: number
  taxRate: number
  groupNumber: number | null
}

export interface ExportedOrder {
  id: number
  publicId: string
  orderCode: string
  status: OrderStatus
  isArchived: boolean
  customerName: string
  deliveryEmail: string | null
  deliversToCreator: boolean
  staffNote: string | null
  customerPhone: string | null
  customerCompany: string | null
  billingStreet: string | null
  billingPostalCode: string | null
  billingCity: string | null
  billingCountry: string | null
  billingVatId: string | null
  answers: Answers
  totalCents: number
  voucherCents: number
  refundedCents: number
  refundedVoucherCents: number
  language: string | null
  paidAt: Date | null
  cancelledAt: Date | null
  /** The creator's address, where they are a member. */
  creator: string | null
  creatorName: string | null
  createdAt: Date
  admissions: ExportedAdmission[]
}

/** The orders of an event in the order they were made, each with its admissions. */
export const findOrdersToExport = async (
  { accountId, db }: Rows,
  eventId: number,
  origin: 'shop' | 'guest_list',
  { afterId, limit }: BatchAfterId,
): Promise<ExportedOrder[]> => {
  const { rows } = await sql<ExportedOrder>`
    select o.id, o.public_id as "publicId", o.order_code as "orderCode", o.status,
      o.archived_at is not null as "isArchived", o.customer_name as "customerName",
      o.delivery_email as "deliveryEmail", o.delivers_to_creator as "deliversToCreator", o.staff_note as "staffNote",
      o.customer_phone as "customerPhone", o.customer_company as "customerCompany",
      o.billing_street as "billingStreet", o.billing_postal_code as "billingPostalCode",
      o.billing_city as "billingCity", o.billing_country as "billingCountry", o.billing_vat_id as "billingVatId",
      o.answers, o.total_cents as "totalCents", o.voucher_cents as "voucherCents",
      o.refunded_cents as "refundedCents", o.refunded_voucher_cents as "refundedVoucherCents", o.language,
      o.paid_at as "paidAt", o.cancelled_at as "cancelledAt", p.email as creator, o.creator_name as "creatorName", o.created_at as "createdAt",
      (
        select coalesce(json_agg(json_build_object('publicId', a.public_id, 'checkInCode', a.check_in_code,
          'ticketId', a.ticket_id, 'isLead', a.is_lead, 'attendeeName', a.attendee_name, 'answers', a.answers,
          'status', a.status, 'redeemedAt', a.redeemed_at, 'leftAt', a.left_at, 'placeId', a.place_id,
          'standingAreaId', a.standing_area_id, 'priceCents', a.price_cents, 'taxRate', a.tax_rate,
          'groupNumber', a.group_number) order by a.position), '[]')
        from admissions a where a.account_id = o.account_id and a.event_id = o.event_id and a.order_id = o.id
      ) as admissions
    from orders o
    left join memberships m on m.account_id = o.account_id and m.person_id = o.creator_id
    left join people p on p.id = m.person_id
    where o.account_id = ${accountId} and o.event_id = ${eventId} and o.origin = ${sql.lit(origin)} and o.id > ${afterId}
    order by o.id limit ${limit}`.execute(db)
  return rows
}
