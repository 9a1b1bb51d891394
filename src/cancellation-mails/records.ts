import { sql } from 'kysely'
import type { Rows, Tx } from '../access/scopes.ts'
import type { Language } from '../languages/rules.ts'

/** One cancellation of an event, by its time to the millisecond: made again after it was taken back it is another. */
export interface Cancellation {
  eventId: number
  cancelledAt: Date
}

/** Whether it was not taken back since. */
export const isStillCancelled = async (
  { db, accountId }: Rows,
  { eventId, cancelledAt }: Cancellation,
): Promise<boolean> => {
  const { rows } = await sql<{ standing: boolean }>`
    select exists (
      select from events where account_id = ${accountId} and id = ${eventId}
        and date_trunc('milliseconds', cancelled_at) = ${cancelledAt}
    ) as standing`.execute(db)
  return rows[0]!.standing
}

/** The next addresses of people with tickets, in their order. */
export const findNextAddresses = async (
  { db, accountId }: Rows,
  eventId: number,
  { after, most }: { after: string; most: number },
): Promise<string[]> => {
  const { rows } = await sql<{ address: string }>`
    select o.delivery_email as address from orders o
    where o.account_id = ${accountId} and o.event_id = ${eventId} and o.status = 'paid'
      and o.delivery_email is not null and o.delivery_email > ${after}
      and exists (
        select from admissions m
        where m.account_id = o.account_id and m.event_id = o.event_id and m.order_id = o.id and m.status = 'active')
    group by o.delivery_email order by o.delivery_email limit ${most}`.execute(db)
  return rows.map(({ address }) => address)
}

/** Writes down who is to be told, but for those who were written down before; answers with the new ones. */
export const insertMissingMails = async (
  tx: Tx,
  { eventId, cancelledAt }: Cancellation,
  addresses: readonly string[],
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    insert into cancellation_mails (account_id, event_id, cancelled_at, address)
    select ${tx.accountId}, ${eventId}, ${cancelledAt}, address from unnest(${addresses}::text[]) as address
    on conflict on constraint an_address_is_told_of_a_cancellation_once do nothing
    returning id`.execute(tx.db)
  return rows.map(({ id }) => id)
}

export interface CancellationMail {
  id: number
  address: string
  organizer: string
  /** That of all orders there, else the account's. */
  language: Language
  eventTitle: string
  startsAt: Date
  timeZone: string
  venueName: string | null
  venueCity: string | null
  orders: { code: string; name: string; isStaffs: boolean }[]
}

/** Null when there is nothing to send: sent before, the cancellation was taken back, or no ticket is left there. */
export const findUnsentMail = async ({ db, accountId }: Rows, id: number): Promise<CancellationMail | null> => {
  const { rows } = await sql<CancellationMail>`
    select c.id, c.address, a.name as organizer,
      coalesce(held.language, a.language) as language, e.title as "eventTitle", e.starts_at as "startsAt",
      coalesce(v.time_zone, a.time_zone) as "timeZone", v.name as "venueName", v.city as "venueCity", held.orders
    from cancellation_mails c
    join accounts a on a.id = c.account_id
    join events e on e.account_id = c.account_id and e.id = c.event_id
      and date_trunc('milliseconds', e.cancelled_at) = c.cancelled_at
    left join venues v on v.account_id = e.account_id and v.id = e.venue_id
    join lateral (
      select json_agg(json_build_object('code', o.order_code, 'name', o.customer_name,
        'isStaffs', o.delivers_to_creator) order by o.id) as orders,
        case when count(distinct coalesce(o.language, '')) = 1 then min(o.language) end as language
      from orders o
      where o.account_id = c.account_id and o.event_id = c.event_id and o.delivery_email = c.address
        and o.status = 'paid' and exists (
          select from admissions m
          where m.account_id = o.account_id and m.event_id = o.event_id and m.order_id = o.id and m.status = 'active')
    ) held on held.orders is not null
    where c.account_id = ${accountId} and c.id = ${id} and c.sent_at is null`.execute(db)
  return rows[0] ?? null
}

export const recordSent = async (tx: Tx, id: number): Promise<void> => {
  await sql`
    update cancellation_mails set sent_at = foyer_now()
    where account_id = ${tx.accountId} and id = ${id} and sent_at is null`.execute(tx.db)
}
