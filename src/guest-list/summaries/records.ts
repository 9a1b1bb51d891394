import { sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'
import {
  type ColumnSet,
  type ColumnarRows,
  aggregateColumns,
  rowReader,
  selectColumns,
} from '../../database/columnar-rows.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { liveParties } from '../records.ts'

/** What a list shows of a party and is searched by. */
export interface PartySummary {
  publicId: string
  orderCode: string
  customerName: string
  deliveryEmail: string | null
  customerCompany: string | null
  staffNote: string | null
  ticketId: number | null
  ticketTitle: string | null
  size: number
  arrived: number
  /** Only names that were given. */
  companionNames: string[]
  placeLabels: string[]
}

const SUMMARY: ColumnSet<PartySummary> = {
  values: {
    publicId: sql`o.public_id`,
    orderCode: sql`o.order_code`,
    customerName: sql`o.customer_name`,
    deliveryEmail: sql`o.delivery_email`,
    customerCompany: sql`o.customer_company`,
    staffNote: sql`o.staff_note`,
    ticketId: sql`p.ticket_id`,
    ticketTitle: sql`p.ticket_title`,
    size: sql`coalesce(p.size, 0)`,
    arrived: sql`coalesce(p.arrived, 0)`,
    companionNames: sql`coalesce(p.names, '{}')`,
    placeLabels: sql`coalesce(p.labels, '{}')`,
  },
  moments: [],
}
const summaryOf = rowReader(SUMMARY)

/** In the order of the door: by lead name, then as they were added. */
export const findPartySummaries = async (rows: Rows, eventId: number): Promise<PartySummary[]> => {
  const result = await sql<ColumnarRows<PartySummary>>`
    with people as materialized (
      select a.order_id,
        (array_agg(a.ticket_id order by a.position) filter (where a.status = 'active'))[1] as ticket_id,
        (array_agg(a.ticket_title order by a.position) filter (where a.status = 'active'))[1] as ticket_title,
        count(*) filter (where a.status = 'active')::int as size,
        count(a.redeemed_at) filter (where a.status = 'active')::int as arrived,
        array_agg(a.attendee_name order by a.position)
          filter (where a.status = 'active' and not a.is_lead and a.attendee_name is not null) as names,
        array_agg(a.place_label order by a.position)
          filter (where a.status = 'active' and a.place_label is not null) as labels
      from orders o join admissions a
        on a.account_id = o.account_id and a.event_id = o.event_id and a.order_id = o.id
      where ${liveParties(rows, eventId)}
      group by a.order_id
    )
    select ${aggregateColumns(SUMMARY)} from (
      select ${selectColumns(SUMMARY)} from orders o left join people p on p.order_id = o.id
      where ${liveParties(rows, eventId)}
      order by searchable(o.customer_name), o.created_at, o.id
    ) ordered`.execute(rows.db)
  const columns = requireFound(result.rows[0])
  return columns.publicId.map((_, n) => summaryOf(columns, n))
}
