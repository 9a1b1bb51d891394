import { type RawBuilder, sql } from 'kysely'
import type { Rows, Tx } from '../../access/scopes.ts'
import { requireFound } from '../../kernel/refusals.ts'
import type { NewSignupToken } from '../tokens.ts'
import type { Link, LinkSettings } from './rules.ts'

export const LINK_COLUMNS = sql`
  l.id, l.public_id as "publicId", l.sealed_token as "sealedToken", l.name, l.disabled_at is null as enabled,
  l.approval_mode as "approvalMode", l.ticket_id as "ticketId", l.standing_area_id as "standingAreaId",
  l.max_companions as "maxCompanions", l.capacity, l.admission_count as "admissionCount",
  l.company_field as "companyField", l.phone_field as "phoneField", l.companion_names_field as "companionNamesField",
  l.asks_questions as "asksQuestions"`

const linksOf = ({ accountId }: Rows, eventId: number) => sql`l.account_id = ${accountId} and l.event_id = ${eventId}`

export const findLinks = async (rows: Rows, eventId: number): Promise<Link[]> => {
  const result = await sql<Link>`
    select ${LINK_COLUMNS} from signup_links l where ${linksOf(rows, eventId)} order by l.created_at, l.id`.execute(
    rows.db,
  )
  return result.rows
}

const selectLink = async (
  rows: Rows,
  eventId: number,
  publicId: string,
  lock: RawBuilder<unknown>,
): Promise<Link | undefined> => {
  const result = await sql<Link>`
    select ${LINK_COLUMNS} from signup_links l
    where ${linksOf(rows, eventId)} and l.public_id = ${publicId} ${lock}`.execute(rows.db)
  return result.rows[0]
}

export const findLink = (rows: Rows, eventId: number, publicId: string) => selectLink(rows, eventId, publicId, sql``)

export const lockLink = (tx: Tx, eventId: number, publicId: string) =>
  selectLink(tx, eventId, publicId, sql`for no key update`)

/**
 * Whoever makes or changes a link waits here for whoever changes the tickets and areas that it may be for, and for whoever
 * is about to make the first one.
 */
export const lockEvent = async (tx: Tx, eventId: number): Promise<void> => {
  await sql`
    select from events where account_id = ${tx.accountId} and id = ${eventId} for no key update`.execute(tx.db)
}

/** The tickets that a link could be for, in the order of the shop; two tell that there is a choice. */
export const findTicketIdsForLinks = async (rows: Rows, eventId: number): Promise<number[]> => {
  const result = await sql<{ id: number }>`
    select id from tickets
    where account_id = ${rows.accountId} and event_id = ${eventId} and kind = 'StandardTicket'
      and inventory_kind <> 'places' and archived_at is null
    order by position, id limit 2`.execute(rows.db)
  return result.rows.map(({ id }) => id)
}

export const insertLink = async (
  tx: Tx,
  eventId: number,
  publicId: string,
  token: NewSignupToken,
  settings: LinkSettings,
): Promise<Link> => {
  const result = await sql<Link>`
    insert into signup_links as l (account_id, event_id, public_id, token_digest, sealed_token, name, disabled_at,
      approval_mode, ticket_id, standing_area_id, max_companions, capacity, company_field, phone_field,
      companion_names_field, asks_questions)
    values (${tx.accountId}, ${eventId}, ${publicId}, ${token.digest}, ${token.sealed}, ${settings.name},
      case when ${settings.enabled}::boolean then null else foyer_now() end, ${settings.approvalMode},
      ${settings.ticketId}, ${settings.standingAreaId}, ${settings.maxCompanions}, ${settings.capacity},
      ${settings.companyField}, ${settings.phoneField}, ${settings.companionNamesField}, ${settings.asksQuestions})
    returning ${LINK_COLUMNS}`.execute(tx.db)
  return requireFound(result.rows[0])
}

export const updateLinkSettings = async (tx: Tx, id: number, settings: LinkSettings): Promise<Link> => {
  const result = await sql<Link>`
    update signup_links l set name = ${settings.name},
      disabled_at = case when ${settings.enabled}::boolean then null else coalesce(l.disabled_at, foyer_now()) end,
      approval_mode = ${settings.approvalMode}, ticket_id = ${settings.ticketId},
      standing_area_id = ${settings.standingAreaId}, max_companions = ${settings.maxCompanions},
      capacity = ${settings.capacity}, company_field = ${settings.companyField}, phone_field = ${settings.phoneField},
      companion_names_field = ${settings.companionNamesField}, asks_questions = ${settings.asksQuestions}
    where l.account_id = ${tx.accountId} and l.id = ${id}
    returning ${LINK_COLUMNS}`.execute(tx.db)
  return requireFound(result.rows[0])
}

/** From here on the former address leads nowhere, also for a guest who is just sending the form. */
export const recordRotation = async (
  tx: Tx,
  eventId: number,
  publicId: string,
  token: NewSignupToken,
): Promise<Link | undefined> => {
  const result = await sql<Link>`
    update signup_links l set token_digest = ${token.digest}, sealed_token = ${token.sealed}
    where ${linksOf(tx, eventId)} and l.public_id = ${publicId}
    returning ${LINK_COLUMNS}`.execute(tx.db)
  return result.rows[0]
}
