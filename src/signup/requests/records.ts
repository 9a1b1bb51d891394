import { type RawBuilder, sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'
import { requireFound } from '../../kernel/refusals.ts'
import type { Addition, RequestStatus, SignupRequest } from './rules.ts'

export const REQUEST_COLUMNS = sql`
  r.id, r.public_id as "publicId", r.name, r.email, r.company, r.phone, r.companions,
  r.companion_names as "companionNames", r.answers, r.language, r.created_at as "createdAt", r.reviewed_at as "reviewedAt",
  r.order_id as "orderId"`

const publicIdOf = (order: RawBuilder<unknown>) => sql`
  (select o.public_id from orders o where o.account_id = r.account_id and o.id = ${order})`

export const selectAdditions = (source: RawBuilder<unknown>, orderPublicId: RawBuilder<unknown>) => sql`
  coalesce((
    select json_agg(json_build_object('id', a.id, 'companions', a.companions, 'companionNames', a.companion_names,
      'createdAt', a.created_at, 'decidedAt', a.decided_at, 'orderId', a.order_id, 'orderPublicId', ${orderPublicId})
      order by a.created_at, a.id)
    from ${source} where a.account_id = r.account_id and a.event_id = r.event_id and a.request_id = r.id
  ), '[]')`

type AdditionInJson = Omit<Addition, 'createdAt' | 'decidedAt'> & { createdAt: string; decidedAt: string | null }
export type RequestRow = Omit<SignupRequest, 'additions'> & { additions: AdditionInJson[] }

export const requestOfRow = ({ additions, ...request }: RequestRow): SignupRequest => ({
  ...request,
  additions: additions.map((each) => ({
    ...each,
    createdAt: new Date(each.createdAt),
    decidedAt: each.decidedAt === null ? null : new Date(each.decidedAt),
  })),
})

const selectRequests = (rows: Rows, eventId: number, condition: RawBuilder<unknown>, ending: RawBuilder<unknown>) =>
  sql<RequestRow>`
    select ${REQUEST_COLUMNS}, l.public_id as "linkPublicId", ${publicIdOf(sql`r.order_id`)} as "orderPublicId",
      ${selectAdditions(sql`signup_additions a`, publicIdOf(sql`a.order_id`))} as additions
    from signup_requests r
    join signup_links l on l.account_id = r.account_id and l.event_id = r.event_id and l.id = r.link_id
    where r.account_id = ${rows.accountId} and r.event_id = ${eventId} and ${condition} ${ending}`.execute(rows.db)

export const findRequest = async (rows: Rows, eventId: number, publicId: string): Promise<SignupRequest | null> => {
  const result = await selectRequests(rows, eventId, sql`r.public_id = ${publicId}`, sql``)
  return result.rows[0] ? requestOfRow(result.rows[0]) : null
}

const HAS_WAITING_ADDITION = sql`exists (
  select from signup_additions a
  where a.account_id = r.account_id and a.request_id = r.id and a.decided_at is null)`

/** Waiting are new requests, and approved ones with companions that nobody has decided on. */
const IS_WAITING = sql`(r.reviewed_at is null or ${HAS_WAITING_ADDITION})`

const WITH_STATUS: Record<RequestStatus, RawBuilder<unknown>> = {
  pending: IS_WAITING,
  approved: sql`r.order_id is not null`,
  rejected: sql`(r.reviewed_at is not null and r.order_id is null)`,
}

const ofLink = (linkId: number | null) => (linkId === null ? sql`true` : sql`r.link_id = ${linkId}`)

/** Newest first; a request does not move when companions are added to it. */
export const findRequests = async (
  rows: Rows,
  eventId: number,
  asked: { linkId: number | null; status: RequestStatus; limit: number; offset: number },
): Promise<SignupRequest[]> => {
  const result = await selectRequests(
    rows,
    eventId,
    sql`${ofLink(asked.linkId)} and ${WITH_STATUS[asked.status]}`,
    sql`order by r.created_at desc, r.id desc limit ${asked.limit} offset ${asked.offset}`,
  )
  return result.rows.map(requestOfRow)
}

export const countWaitingRequests = async (rows: Rows, eventId: number, linkId: number | null): Promise<number> => {
  const result = await sql<{ count: number }>`
    select (
      select count(*) from signup_requests r
      where r.account_id = ${rows.accountId} and r.event_id = ${eventId} and ${ofLink(linkId)} and r.reviewed_at is null
    )::int + (
      select count(*) from signup_additions a
      join signup_requests r on r.account_id = a.account_id and r.event_id = a.event_id and r.id = a.request_id
      where a.account_id = ${rows.accountId} and a.event_id = ${eventId} and a.decided_at is null and ${ofLink(linkId)}
    )::int as count`.execute(rows.db)
  return requireFound(result.rows[0]).count
}
