import { type RawBuilder, sql } from 'kysely'
import type { Rows, Tx } from '../access/scopes.ts'
import {
  ADMISSION_COLUMN_SET,
  ADMISSION_SELECT_LIST,
  type FlatOrder,
  ORDER_COLUMN_SET,
  ORDER_SELECT_LIST,
  assembleOrder,
} from '../admissions/columns/records.ts'
import type { Admission, Answers } from '../admissions/rules.ts'
import {
  type ColumnSet,
  type ColumnarRows,
  aggregateColumns,
  selectColumns,
  rowReader,
} from '../database/columnar-rows.ts'
import { selectRemaining } from '../inventory/remaining/records.ts'
import type { TicketRemaining } from '../inventory/rules.ts'
import { requireFound } from '../kernel/refusals.ts'
import type { ArrivalCounts, Party } from './rules.ts'

const partiesOf = ({ accountId }: Rows, eventId: number) => sql`
  o.account_id = ${accountId} and o.event_id = ${eventId} and o.origin = 'guest_list'`

/** A cancelled guest on a door list is a hazard, so only live parties are listed. */
export const liveParties = (rows: Rows, eventId: number) => sql`${partiesOf(rows, eventId)} and o.status = 'paid'`

/** Between the texts of a party, where nothing that was typed can match. */
const BETWEEN = '\u001f'

/** What may be typed for a party is put together first and read once, whichever way the database finds its guests. */
const listed = (rows: Rows, eventId: number, query: string) => {
  const live = liveParties(rows, eventId)
  if (query === '') return live
  return sql`${live} and o.id in (
    with texts as materialized (
      select o.id, concat_ws(${BETWEEN}::text, o.customer_name, o.delivery_email, string_agg(a.attendee_name, ${BETWEEN}::text)) as text
      from orders o left join admissions a
        on a.account_id = o.account_id and a.event_id = o.event_id and a.order_id = o.id and a.status = 'active'
      where ${live}
      group by o.account_id, o.id
    )
    select id from texts where position(searchable(${query}) in searchable(text)) > 0)`
}

export interface GuestListRows {
  parties: Party[]
  /** Of the whole event, whatever is searched for: counters of a door screen do not jump while somebody types. */
  counts: ArrivalCounts | null
  tickets: TicketRemaining[]
}

type ListedAdmission = Admission & { orderId: number }

/** Both lists of columns side by side; those of the admissions are called after them. */
type ListRow = ColumnarRows<FlatOrder> & {
  [Name in keyof ListedAdmission as `admission ${Name}`]: readonly unknown[]
} & {
  counts: ArrivalCounts | null
  tickets: TicketRemaining[]
}

const LISTED: ColumnSet<ListedAdmission> = {
  values: { orderId: sql`a.order_id`, ...ADMISSION_COLUMN_SET.values },
  moments: ADMISSION_COLUMN_SET.moments,
}
const orderOf = rowReader(ORDER_COLUMN_SET)
const admissionOf = rowReader(LISTED)

/** In the order of the door: by lead name, then as they were added. Parties, counts and tickets are one statement. */
export const findGuestList = async (rows: Rows, eventId: number, query: string): Promise<GuestListRows> => {
  const orders = sql`
    select ${selectColumns(ORDER_COLUMN_SET)} from listed o order by searchable(o.customer_name), o.created_at, o.id`
  const admissions = sql`
    select ${selectColumns(LISTED)}
    from listed o join admissions a on a.account_id = o.account_id and a.event_id = o.event_id and a.order_id = o.id
    order by a.order_id, a.position`
  const result = await sql<ListRow>`
    with listed as materialized (select o.* from orders o where ${listed(rows, eventId, query)})
    select o.*, a.*,
      ${query === '' ? sql`null::json` : countsOf(rows, eventId)} as counts,
      (select coalesce(json_agg(rooms), '[]') from (${selectRemaining(rows, eventId, true)}) rooms) as tickets
    from (select ${aggregateColumns(ORDER_COLUMN_SET)} from (${orders}) ordered) o,
      (select ${aggregateColumns(LISTED, { prefix: 'admission ' })} from (${admissions}) ordered) a`.execute(rows.db)
  const row = requireFound(result.rows[0])
  return { parties: gatherParties(row), counts: row.counts, tickets: row.tickets }
}

const gatherParties = (row: ListRow): Party[] => {
  const names = Object.keys(LISTED.values) as (keyof ListedAdmission)[]
  const admissions = Object.fromEntries(
    names.map((name) => [name, row[`admission ${name}`]]),
  ) as ColumnarRows<ListedAdmission>
  const byOrder = new Map<number, Admission[]>()
  for (let n = 0; n < admissions.id.length; n++) {
    const admission = admissionOf(admissions, n)
    const siblings = byOrder.get(admission.orderId)
    if (siblings) siblings.push(admission)
    else byOrder.set(admission.orderId, [admission])
  }
  return Array.from({ length: row.id.length }, (_, n) => {
    const order = orderOf(row, n)
    return assembleOrder(order, byOrder.get(order.id) ?? [])
  })
}

const countsOf = (rows: Rows, eventId: number) => sql`
  (
    select json_build_object('expected', count(*) filter (where a.redeemed_at is null),
      'arrived', count(*) filter (where a.redeemed_at is not null))
    from orders o join admissions a on a.account_id = o.account_id and a.event_id = o.event_id and a.order_id = o.id
    where ${liveParties(rows, eventId)} and a.status = 'active'
  )`

export const findParty = async (rows: Rows, eventId: number, publicId: string): Promise<Party | null> => {
  const orders = await sql<FlatOrder>`
    select ${ORDER_SELECT_LIST} from orders o
    where ${partiesOf(rows, eventId)} and o.public_id = ${publicId}`.execute(rows.db)
  return orders.rows[0] ? withAdmissions(rows, eventId, orders.rows[0], sql``) : null
}

/** For changes of what a party says: its order first, then its admissions. */
export const lockParty = async (tx: Tx, eventId: number, publicId: string): Promise<Party | null> => {
  const orders = await sql<FlatOrder>`
    select ${ORDER_SELECT_LIST} from orders o
    where ${partiesOf(tx, eventId)} and o.public_id = ${publicId} for no key update`.execute(tx.db)
  return orders.rows[0] ? withAdmissions(tx, eventId, orders.rows[0], sql`for no key update of a`) : null
}

/** Whoever changes its counters locks the event before anything else. */
export const lockEvent = async (tx: Tx, eventId: number): Promise<void> => {
  await sql`
    select from events where account_id = ${tx.accountId} and id = ${eventId} for no key update`.execute(tx.db)
}

export const findNow = async (rows: Rows): Promise<Date> => {
  const { rows: times } = await sql<{ now: Date }>`select foyer_now() as now`.execute(rows.db)
  return requireFound(times[0]).now
}

/** For what gives inventory back: the event first, as everybody who changes its counters. */
export const lockPartyWithEvent = async (tx: Tx, eventId: number, publicId: string): Promise<Party | null> => {
  await lockEvent(tx, eventId)
  return lockParty(tx, eventId, publicId)
}

const withAdmissions = async (rows: Rows, eventId: number, order: FlatOrder, lock: RawBuilder<unknown>) => {
  const { rows: admissions } = await sql<Admission>`
    select ${ADMISSION_SELECT_LIST} from admissions a
    where a.account_id = ${rows.accountId} and a.event_id = ${eventId} and a.order_id = ${order.id}
    order by a.position ${lock}`.execute(rows.db)
  return assembleOrder(order, admissions)
}

export const updatePartyOrder = async (tx: Tx, party: Party): Promise<void> => {
  const { billing } = party
  await sql`
    update orders set customer_name = ${party.customerName}, delivery_email = ${party.deliveryEmail},
      delivers_to_creator = ${party.deliversToCreator}, staff_note = ${party.staffNote},
      customer_phone = ${party.customerPhone}, customer_company = ${party.customerCompany},
      billing_street = ${billing.street}, billing_postal_code = ${billing.postalCode}, billing_city = ${billing.city},
      billing_country = ${billing.country}, billing_vat_id = ${billing.vatId}, answers = ${JSON.stringify(party.answers)}::jsonb
    where account_id = ${tx.accountId} and id = ${party.id}`.execute(tx.db)
}

export const updateAttendees = async (
  tx: Tx,
  attendees: { id: number; attendeeName: string | null; answers: Answers }[],
): Promise<void> => {
  if (attendees.length === 0) return
  await sql`
    update admissions a set attendee_name = given."attendeeName", answers = given.answers
    from json_to_recordset(${JSON.stringify(attendees)}::json) as given (id bigint, "attendeeName" text, answers jsonb)
    where a.account_id = ${tx.accountId} and a.id = given.id and a.status = 'active'`.execute(tx.db)
}

export const recordPartyCancellation = (tx: Tx, party: Party) => recordPartyCancellations(tx, [party.id])

export const recordPartyCancellations = async (tx: Tx, orderIds: readonly number[]): Promise<void> => {
  await sql`
    update orders set status = 'booking_cancelled'
    where account_id = ${tx.accountId} and id = any (${orderIds}::bigint[]) and status = 'paid'`.execute(tx.db)
}

const partiesWith = async (rows: Rows, eventId: number, orders: FlatOrder[], lock: RawBuilder<unknown>) => {
  const ids = orders.map(({ id }) => id)
  const { rows: admissions } = await sql<ListedAdmission>`
    select a.order_id as "orderId", ${ADMISSION_SELECT_LIST} from admissions a
    where a.account_id = ${rows.accountId} and a.event_id = ${eventId} and a.order_id = any (${ids}::bigint[])
    order by a.order_id, a.position ${lock}`.execute(rows.db)
  const byOrder = Map.groupBy(admissions, ({ orderId }) => orderId)
  return orders.map((order) => assembleOrder(order, byOrder.get(order.id) ?? []))
}

/** The parties of these orders, for whoever is told of them. */
export const findPartiesOfOrders = async (
  rows: Rows,
  eventId: number,
  orderIds: readonly number[],
): Promise<Party[]> => {
  const { rows: orders } = await sql<FlatOrder>`
    select ${ORDER_SELECT_LIST} from orders o
    where ${partiesOf(rows, eventId)} and o.id = any (${orderIds}::bigint[]) order by o.id`.execute(rows.db)
  return partiesWith(rows, eventId, orders, sql``)
}

/** Several parties for what takes or gives back inventory: the event first, then they in one order. */
export const lockPartiesWithEvent = async (tx: Tx, eventId: number, publicIds: readonly string[]): Promise<Party[]> => {
  await lockEvent(tx, eventId)
  const { rows: orders } = await sql<FlatOrder>`
    select ${ORDER_SELECT_LIST} from orders o
    where ${partiesOf(tx, eventId)} and o.public_id = any (${publicIds}::text[]) order by o.id for no key update`.execute(
    tx.db,
  )
  return partiesWith(tx, eventId, orders, sql`for no key update of a`)
}
