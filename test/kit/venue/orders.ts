import { newCode, newPublicId } from '../../../src/kernel/public-ids.ts'
import type { Venue } from './venue.ts'

export interface AddedAdmission {
  publicId: string
  code: string
}

export interface OrderToAdd {
  origin?: 'guest_list' | 'shop'
  status?: string
  archived?: boolean
  customerName?: string
  email?: string | null
  phone?: string
  staffNote?: string
  billingCity?: string
  answers?: object
  admissions?: AdmissionToAdd[]
}

export interface AdmissionToAdd {
  ticket?: string
  isLead?: boolean
  attendeeName?: string | null
  status?: string
  redeemedAt?: Date
  placeLabel?: string
  placeSnapshot?: object
  answers?: object
}

/** An order written straight into the database, in any state at all: what came from a shop or long ago. */
export const addOrder = async (venue: Venue, slug: string, order: OrderToAdd = {}): Promise<AddedAdmission[]> => {
  const { pool } = venue.app.database
  const accountId = venue.report.account.id
  const event = venue.report.events[slug]!
  const { rows } = await pool.query<{ id: number }>(
    `insert into orders (account_id, event_id, public_id, order_code, origin, status, archived_at, customer_name,
       delivery_email, customer_phone, staff_note, billing_city, answers)
     values ($1, $2, $3, $4, $5, $6, case when $7::boolean then foyer_now() end, $8, $9, $10, $11, $12, $13) returning id`,
    [
      accountId,
      event.id,
      newPublicId(),
      newCode(),
      order.origin ?? 'shop',
      order.status ?? 'paid',
      order.archived ?? false,
      order.customerName ?? 'Zoë Lindqvist',
      order.email === undefined ? 'zoe@lindqvist.example' : order.email,
      order.phone ?? null,
      order.staffNote ?? null,
      order.billingCity ?? null,
      order.answers ?? {},
    ],
  )

  const added: AddedAdmission[] = []
  for (const [position, admission] of (order.admissions ?? [{}]).entries()) {
    const made = { publicId: newPublicId(), code: newCode() }
    await pool.query(
      `insert into admissions (account_id, event_id, order_id, public_id, check_in_code, ticket_id, ticket_title, position,
         is_lead, attendee_name, status, redeemed_at, place_label, place_snapshot, answers, place_id)
       select $1, $2, $3, $4, $5, t.id, t.title, $6, $7, $8, $9, $10, $11, $12::jsonb, $13,
         (select p.id from places p where p.account_id = $1 and p.event_id = $2 and p.key = $12::jsonb ->> 'key')
       from tickets t where t.account_id = $1 and t.id = $14`,
      [
        accountId,
        event.id,
        rows[0]!.id,
        made.publicId,
        made.code,
        position,
        admission.isLead ?? (order.origin === 'guest_list' && position === 0),
        admission.attendeeName ?? null,
        admission.status ?? 'active',
        admission.redeemedAt ?? null,
        admission.placeLabel ?? null,
        admission.placeSnapshot ?? null,
        admission.answers ?? {},
        event.tickets[admission.ticket ?? 'ga'],
      ],
    )
    added.push(made)
  }
  return added
}

/** One ticket of an order of its own. */
export const addTicket = async (venue: Venue, slug: string, order: OrderToAdd = {}): Promise<AddedAdmission> =>
  (await addOrder(venue, slug, order))[0]!
