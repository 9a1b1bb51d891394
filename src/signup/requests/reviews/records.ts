import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../access/scopes.ts'
import type { OrderableTicket } from '../../../admissions/rules.ts'
import { selectOrderableTicket } from '../../../admissions/terms/records.ts'
import { runPrepared } from '../../../database/prepared.ts'
import { isCalledOff } from '../../../events/records.ts'
import { requireFound } from '../../../kernel/refusals.ts'
import type { Link } from '../../links/rules.ts'
import { REQUEST_COLUMNS, selectAdditions, type RequestRow, requestOfRow, findRequest } from '../records.ts'
import type { SignupRequest } from '../rules.ts'

/** The link's settings at the moment of a decision. */
export type LinkAtDecision = Omit<Link, 'sealedToken'>

export const LINK_AT_DECISION_JSON = sql`
  json_build_object('id', l.id, 'publicId', l.public_id, 'name', l.name, 'enabled', l.disabled_at is null,
    'approvalMode', l.approval_mode, 'ticketId', l.ticket_id, 'standingAreaId', l.standing_area_id,
    'maxCompanions', l.max_companions, 'capacity', l.capacity, 'admissionCount', l.admission_count,
    'companyField', l.company_field, 'phoneField', l.phone_field, 'companionNamesField', l.companion_names_field,
    'asksQuestions', l.asks_questions)`

/** The list is open while the event is still to come and can be seen; whether the link is enabled is another matter. */
export const IS_GUEST_LIST_OPEN = sql`
  (e.published_at is not null and not ${isCalledOff} and e.ends_at > foyer_now()
    and exists (select from accounts a where a.id = e.account_id and a.shop_published_at is not null))`

/** A request with all that decides about it, locked. */
export interface LockedSignupRequest {
  eventId: number
  eventSlug: string
  eventTitle: string
  isOpen: boolean
  link: LinkAtDecision
  ticket: OrderableTicket | null
  request: SignupRequest
}

/**
 * Locks event, links, requests and additions, in this order, and reads them as they stand once they are locked. Orders
 * are known by their IDs only: one that was issued while the statement waited is none that it could look up. Rows are
 * named one by one, so that the plan is the same whether the tables are new or large.
 */
const lockReviewsOf = async (tx: Tx, name: string, condition: RawBuilder<unknown>): Promise<LockedSignupRequest[]> => {
  const account = sql`${tx.accountId}::bigint`
  const statement = sql<RequestRow & Omit<LockedSignupRequest, 'request'>>`
    with asked as materialized (
      select r.event_id, r.link_id, r.id from signup_requests r where r.account_id = ${account} and ${condition}
    ),
    e as materialized (
      select e.* from events e
      where e.account_id = ${account} and e.id = (select min(event_id) from asked)
      for no key update
    ),
    l as materialized (
      select l.* from signup_links l
      where l.account_id = ${account} and l.id = any (array(select asked.link_id from asked, e))
      order by l.id
      for no key update
    ),
    r as materialized (
      select r.* from signup_requests r
      where r.account_id = ${account} and r.id = any (array(select asked.id from asked join l on l.id = asked.link_id))
      order by r.id
      for no key update
    ),
    a as materialized (
      select a.* from signup_additions a
      where a.account_id = ${account} and a.event_id = (select min(event_id) from r)
        and a.request_id = any (array(select id from r))
      order by a.id
      for no key update
    )
    select e.id as "eventId", e.slug as "eventSlug", e.title as "eventTitle", ${IS_GUEST_LIST_OPEN} as "isOpen",
      ${LINK_AT_DECISION_JSON} as link, ${selectOrderableTicket(tx, sql`e.id`, sql`l.ticket_id`)} as ticket,
      ${REQUEST_COLUMNS}, l.public_id as "linkPublicId", null as "orderPublicId",
      ${selectAdditions(sql`a`, sql`null::text`)} as additions
    from e join r on r.event_id = e.id join l on l.id = r.link_id`
  const rows = await runPrepared(tx.db, name, statement)
  return rows.map(({ eventId, eventSlug, eventTitle, isOpen, link, ticket, ...request }) => ({
    eventId,
    eventSlug,
    eventTitle,
    isOpen,
    link,
    ticket,
    request: requestOfRow(request),
  }))
}

/** Of one event; what is not among its requests is left out. */
export const lockSignupRequests = async (
  tx: Tx,
  eventId: number,
  publicIds: readonly string[],
): Promise<LockedSignupRequest[]> =>
  // Found by their own IDs alone, whatever the planner thinks of events: only afterwards it matters whose they are.
  (await lockReviewsOf(tx, 'reviews-of-requests', sql`r.public_id = any (${publicIds}::text[])`)).filter(
    (review) => review.eventId === eventId,
  )

/**
 * For the guest, whose page is all that is known. The event is waited for by a statement of its own: one that waits sees
 * rows as they have become, but none that are new, and what counts here is whom this guest added a moment ago.
 */
export const lockSignupRequestByPage = async (tx: Tx, pageDigest: Buffer): Promise<LockedSignupRequest | null> => {
  const isOfPage = sql`r.page_digest = ${pageDigest}`
  await sql`
    select from events e
    where e.account_id = ${tx.accountId} and e.id = (
      select r.event_id from signup_requests r where r.account_id = ${tx.accountId} and ${isOfPage}
    )
    for no key update`.execute(tx.db)
  return (await lockReviewsOf(tx, 'review-of-an-own-page', isOfPage))[0] ?? null
}

export interface ApprovalRecord {
  requestId: number
  linkId: number
  orderId: number
  admissions: number
}

/** The requests have their parties, and the quotas of their links know of it. */
export const recordApprovals = async (tx: Tx, approvals: readonly ApprovalRecord[]): Promise<Date> => {
  const statement = sql<{ reviewedAt: Date }>`
    with given as materialized (
      select * from unnest(
        ${approvals.map(({ requestId }) => requestId)}::bigint[], ${approvals.map(({ linkId }) => linkId)}::bigint[],
        ${approvals.map(({ orderId }) => orderId)}::bigint[], ${approvals.map(({ admissions }) => admissions)}::int[]
      ) as given (request_id, link_id, order_id, admissions)
    ),
    counted as (
      update signup_links l set admission_count = l.admission_count + part.admissions
      from (select link_id, sum(admissions)::int as admissions from given group by link_id) part
      where l.account_id = ${tx.accountId} and l.id = part.link_id
    )
    update signup_requests r set reviewed_at = foyer_now(), order_id = given.order_id
    from given
    -- Said in a way that no index of those who wait is read whole for it.
    where r.account_id = ${tx.accountId} and r.id = given.request_id and coalesce(r.reviewed_at, 'infinity') = 'infinity'
    returning r.reviewed_at as "reviewedAt"`
  const rows = await runPrepared(tx.db, 'approvals-of-requests', statement)
  if (rows.length !== approvals.length) throw new Error('A request was decided by somebody else')
  return rows[0]!.reviewedAt
}

export const recordRejection = async (tx: Tx, requestId: number): Promise<Date> => {
  const result = await sql<{ reviewedAt: Date }>`
    update signup_requests r set reviewed_at = foyer_now()
    where r.account_id = ${tx.accountId} and r.id = ${requestId} and r.reviewed_at is null
    returning r.reviewed_at as "reviewedAt"`.execute(tx.db)
  return requireFound(result.rows[0]).reviewedAt
}

export const recordAdditionApproval = async (
  tx: Tx,
  given: { additionId: number; linkId: number; orderId: number; admissions: number },
): Promise<void> => {
  const result = await sql`
    with counted as (
      update signup_links l set admission_count = l.admission_count + ${given.admissions}
      where l.account_id = ${tx.accountId} and l.id = ${given.linkId}
    )
    update signup_additions a set decided_at = foyer_now(), order_id = ${given.orderId}
    where a.account_id = ${tx.accountId} and a.id = ${given.additionId} and a.decided_at is null
    returning a.id`.execute(tx.db)
  requireFound(result.rows[0])
}

export const recordAdditionRejection = async (tx: Tx, additionId: number): Promise<void> => {
  const result = await sql`
    update signup_additions a set decided_at = foyer_now()
    where a.account_id = ${tx.accountId} and a.id = ${additionId} and a.decided_at is null
    returning a.id`.execute(tx.db)
  requireFound(result.rows[0])
}

/** Locked rows are as new as can be, but what they lead to may be newer than the statement that locked them. */
export const rereadRequest = async (tx: Tx, { eventId, request }: LockedSignupRequest): Promise<SignupRequest> =>
  requireFound(await findRequest(tx, eventId, request.publicId))
