import { sql } from 'kysely'
import type { Rows, Tx } from '../../../access/scopes.ts'
import type { OrderableTicket } from '../../../admissions/rules.ts'
import { selectOrderableTicket } from '../../../admissions/terms/records.ts'
import { runPrepared } from '../../../database/prepared.ts'
import type { Language } from '../../../languages/rules.ts'
import { requireFound } from '../../../kernel/refusals.ts'
import { hasWebhooksCondition } from '../../../webhooks/webhook-endpoints/records.ts'
import { IS_GUEST_LIST_OPEN, LINK_AT_DECISION_JSON, type LinkAtDecision } from '../../requests/reviews/records.ts'
import type { Addition, AnswerWithQuestion, SignupRequest } from '../../requests/rules.ts'
import type { NewSignupToken } from '../../tokens.ts'
import type { CompanionGroup, ValidatedSignup } from '../rules.ts'

/** All that a new signup meets, with event and link locked. */
export interface SignupContext {
  eventId: number
  eventSlug: string
  eventTitle: string
  isOpen: boolean
  link: LinkAtDecision
  ticket: OrderableTicket | null
  /** The account owner, in whose name Foyer lets guests in by itself. */
  owner: { personId: number; name: string }
  hasWebhooks: boolean
  /** The signup this address has already. */
  requestId: number | null
  /** Live parties that staff added for this address. */
  partyIds: number[]
}

const ownerOf = ({ accountId }: Rows) => sql`
  -- taken as not null: owner (a trigger keeps an owner in every account)
  (
    select json_build_object('personId', p.id, 'name', p.name)
    from memberships m join people p on p.id = m.person_id
    where m.account_id = ${accountId} and m.role = 'owner' and m.deactivated_at is null
    order by m.id limit 1
  )`

export const findAccountOwner = async (rows: Rows): Promise<SignupContext['owner']> => {
  const result = await sql<{ owner: SignupContext['owner'] }>`select ${ownerOf(rows)} as owner`.execute(rows.db)
  return requireFound(result.rows[0]).owner
}

/** Nothing when the token was rotated away meanwhile. The address is locked before. */
export const lockSignupContext = async (tx: Tx, digest: Buffer, email: string): Promise<SignupContext | null> => {
  const account = sql`${tx.accountId}::bigint`
  const statement = sql<SignupContext>`
    with asked as materialized (
      select l.event_id, l.id from signup_links l where l.account_id = ${account} and l.token_digest = ${digest}
    ),
    e as materialized (
      select e.* from events e
      where e.account_id = ${account} and e.id = (select event_id from asked)
      for no key update
    ),
    l as materialized (
      select l.* from signup_links l
      where l.account_id = ${account} and l.id = (select asked.id from asked, e) and l.token_digest = ${digest}
      for no key update
    )
    select e.id as "eventId", e.slug as "eventSlug", e.title as "eventTitle", ${IS_GUEST_LIST_OPEN} as "isOpen",
      ${LINK_AT_DECISION_JSON} as link, ${selectOrderableTicket(tx, sql`e.id`, sql`l.ticket_id`)} as ticket,
      ${ownerOf(tx)} as owner, ${hasWebhooksCondition(account)} as "hasWebhooks",
      (
        select r.id from signup_requests r
        where r.account_id = ${account} and r.event_id = e.id and r.email = ${email}
      ) as "requestId",
      array(
        select o.id from orders o
        where o.account_id = ${account} and o.event_id = e.id and o.origin = 'guest_list' and o.status = 'paid'
          and o.delivery_email = ${email} and not o.delivers_to_creator
        order by o.id
      ) as "partyIds"
    from e, l`
  const [threshold] = await runPrepared(tx.db, 'threshold-of-a-signup', statement)
  return threshold ?? null
}

export interface NewRequest extends ValidatedSignup {
  eventId: number
  link: { id: number; publicId: string }
  publicId: string
  token: NewSignupToken
  answers: AnswerWithQuestion[]
  language: Language | null
}

export const insertRequest = async (
  tx: Tx,
  given: NewRequest,
  createdAt: Date | null = null,
): Promise<SignupRequest> => {
  const { rows } = await sql<{ id: number; createdAt: Date }>`
    insert into signup_requests (account_id, event_id, public_id, link_id, page_digest, sealed_page_token, name, email,
      company, phone, companions, companion_names, answers, language, created_at)
    values (${tx.accountId}, ${given.eventId}, ${given.publicId}, ${given.link.id}, ${given.token.digest},
      ${given.token.sealed}, ${given.name}, ${given.email}, ${given.company}, ${given.phone}, ${given.companions},
      ${given.companionNames}::text[], ${JSON.stringify(given.answers)}::jsonb, ${given.language},
      coalesce(${createdAt?.toISOString() ?? null}::timestamptz, foyer_now()))
    returning id, created_at as "createdAt"`.execute(tx.db)
  const { id, createdAt: madeAt } = requireFound(rows[0])
  const { name, email, company, phone, companions, companionNames, answers, language, publicId, link } = given
  return {
    id,
    publicId,
    linkPublicId: link.publicId,
    name,
    email,
    company,
    phone,
    companions,
    companionNames,
    answers,
    language,
    createdAt: madeAt,
    reviewedAt: null,
    orderId: null,
    orderPublicId: null,
    additions: [],
  }
}

const REMINDER_EVERY = sql`interval '5 minutes'`
const RESEND_EVERY = sql`interval '1 minute'`

/** Whether this address may be written to again about what it has signed up for already. */
export const tryClaimReminder = async (
  tx: Tx,
  { eventId, email, isThrottled }: { eventId: number; email: string; isThrottled: boolean },
): Promise<boolean> => {
  const { rows } = await sql`
    insert into signup_reminders as s (account_id, event_id, email, mailed_at)
    values (${tx.accountId}, ${eventId}, ${email}, foyer_now())
    on conflict (account_id, event_id, email) do update set mailed_at = excluded.mailed_at
      where not ${isThrottled}::boolean or s.mailed_at <= foyer_now() - ${REMINDER_EVERY}
    returning s.email`.execute(tx.db)
  return rows.length > 0
}

/** Whether the tickets may be sent again, and then which orders still have any. */
export const tryClaimResend = async (tx: Tx, requestId: number, isThrottled: boolean): Promise<boolean> => {
  const { rows } = await sql`
    update signup_requests r set tickets_resent_at = foyer_now()
    where r.account_id = ${tx.accountId} and r.id = ${requestId}
      and (not ${isThrottled}::boolean or r.tickets_resent_at is null
        or r.tickets_resent_at <= foyer_now() - ${RESEND_EVERY})
    returning r.id`.execute(tx.db)
  return rows.length > 0
}

/** Of these orders, those with a live admission; or of them those alone that can be mailed. */
export const filterLiveOrders = async (
  rows: Rows,
  eventId: number,
  orderIds: readonly number[],
  { haveAddress = false }: { haveAddress?: boolean } = {},
): Promise<number[]> => {
  const result = await sql<{ id: number }>`
    select o.id from orders o
    where o.account_id = ${rows.accountId} and o.event_id = ${eventId} and o.id = any (${orderIds}::bigint[])
      and o.status = 'paid' and (o.delivery_email is not null or not ${haveAddress}::boolean) and exists (
        select from admissions a
        where a.account_id = o.account_id and a.event_id = o.event_id and a.order_id = o.id and a.status = 'active')
    order by o.id`.execute(rows.db)
  return result.rows.map(({ id }) => id)
}

export const updateRequestCompanions = async (tx: Tx, requestId: number, group: CompanionGroup): Promise<void> => {
  await sql`
    update signup_requests set companions = ${group.companions}, companion_names = ${group.companionNames}::text[]
    where account_id = ${tx.accountId} and id = ${requestId} and reviewed_at is null`.execute(tx.db)
}

export const insertAddition = async (
  tx: Tx,
  { eventId, requestId }: { eventId: number; requestId: number },
  group: CompanionGroup,
  createdAt: Date | null = null,
): Promise<Addition> => {
  const { rows } = await sql<{ id: number; createdAt: Date }>`
    insert into signup_additions (account_id, event_id, request_id, companions, companion_names, created_at)
    values (${tx.accountId}, ${eventId}, ${requestId}, ${group.companions}, ${group.companionNames}::text[],
      coalesce(${createdAt}::timestamptz, foyer_now()))
    returning id, created_at as "createdAt"`.execute(tx.db)
  return { ...requireFound(rows[0]), ...group, decidedAt: null, orderId: null, orderPublicId: null }
}

export const updateAdditionCompanions = async (tx: Tx, additionId: number, group: CompanionGroup): Promise<void> => {
  await sql`
    update signup_additions set companions = ${group.companions}, companion_names = ${group.companionNames}::text[]
    where account_id = ${tx.accountId} and id = ${additionId} and decided_at is null`.execute(tx.db)
}
