import { type RawBuilder, sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'
import { runPrepared } from '../../database/prepared.ts'
import { requireFound } from '../../kernel/refusals.ts'
import type { NumberedPlace, Question, OrderableTicket } from '../rules.ts'

export interface OrderPreconditions {
  ticket: OrderableTicket | null
  /** Of the places that were asked for, those of the ticket. */
  places: NumberedPlace[]
  questions: Question[]
}

const questionsOf = ({ accountId }: Rows, eventId: number) => sql`
  coalesce((
    select json_agg(json_build_object('id', q.id, 'label', q.label, 'type', q.type, 'scope', q.scope,
      'required', q.required, 'completeLater', q.complete_later, 'options', q.options, 'helpText', q.help_text)
      order by q.position, q.id)
    from questions q where q.account_id = ${accountId} and q.event_id = ${eventId} and q.archived_at is null
  ), '[]')`

/** A ticket as TicketTerms, for statements that learn its ID on the way. */
export const selectOrderableTicket = (
  { accountId }: Rows,
  eventId: RawBuilder<unknown>,
  ticketId: RawBuilder<unknown>,
) => sql`
  (
    select json_build_object('id', t.id, 'title', t.title, 'kind', t.kind, 'inventoryKind', t.inventory_kind,
      'isArchived', t.archived_at is not null,
      'standingAreas', coalesce((
        select json_agg(json_build_object('id', a.id, 'name', a.name) order by a.position, a.id)
        from standing_area_tickets o
        join standing_areas a on a.account_id = o.account_id and a.id = o.standing_area_id
        where o.account_id = ${accountId} and o.event_id = ${eventId} and o.ticket_id = t.id and a.closed_at is null
      ), '[]'))
    from tickets t
    where t.account_id = ${accountId} and t.event_id = ${eventId} and t.id = ${ticketId}
  )`

/** All that an order is judged by, in one statement. */
export const findOrderPreconditions = async (
  rows: Rows,
  eventId: number,
  asked: { ticketId: number | null; placeIds: readonly number[] },
): Promise<OrderPreconditions> => {
  const { accountId } = rows
  const statement = sql<OrderPreconditions>`
    select
      ${selectOrderableTicket(rows, sql`${eventId}`, sql`${asked.ticketId}::bigint`)} as ticket,
      coalesce((
        select json_agg(json_build_object('id', p.id, 'key', p.key, 'label', p.label, 'section', p.section, 'row', p.row,
          'seat', p.seat, 'accessibility', p.accessibility, 'pairPlaceId', p.pair_place_id))
        from places p
        where p.account_id = ${accountId} and p.event_id = ${eventId} and p.ticket_id = ${asked.ticketId}::bigint
          and p.id = any (${asked.placeIds}::bigint[])
      ), '[]') as places,
      ${questionsOf(rows, eventId)} as questions`
  const [terms] = await runPrepared(rows.db, 'terms-of-an-order', statement)
  return requireFound(terms)
}

export const findQuestions = async (rows: Rows, eventId: number): Promise<Question[]> => {
  const result = await sql<{ questions: Question[] }>`select ${questionsOf(rows, eventId)} as questions`.execute(
    rows.db,
  )
  return requireFound(result.rows[0]).questions
}
