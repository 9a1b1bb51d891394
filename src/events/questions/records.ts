import { type Selectable, sql } from 'kysely'
import type { Rows, Tx } from '../../access/scopes.ts'
import type { Questions } from '../../database/table-types.ts'
import { questionDefinition } from '../definitions.ts'
import { type StoredEventPart, storedPartOf } from '../parts/part.ts'

export type EventQuestion = StoredEventPart<typeof questionDefinition, Selectable<Questions>>

const questionOf = (row: Selectable<Questions>): EventQuestion => storedPartOf(questionDefinition, row)

const questions = ({ db, accountId }: Rows, eventId: number) =>
  db
    .selectFrom('questions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('event_id', '=', eventId)
    .where('archived_at', 'is', null)

export const findEventQuestions = async (rows: Rows, eventId: number): Promise<EventQuestion[]> =>
  (await questions(rows, eventId).orderBy('position').orderBy('id').execute()).map(questionOf)

export const findEventQuestion = async (rows: Rows, eventId: number, id: number): Promise<EventQuestion | null> => {
  const row = await questions(rows, eventId).where('id', '=', id).executeTakeFirst()
  return row ? questionOf(row) : null
}

/** Whether somebody has answered a question, and which of its options were chosen. */
export interface QuestionUses {
  isAnswered: boolean
  chosen: string[]
}

/** In orders, of attendees, and in the requests that wait or were decided. */
export const findQuestionUses = async (tx: Tx, eventId: number, questionId: number): Promise<QuestionUses> => {
  const { rows } = await sql<QuestionUses>`
    with given as materialized (
      select o.answers -> ${String(questionId)}::text as value from orders o
      where o.account_id = ${tx.accountId} and o.event_id = ${eventId} and o.answers ? ${String(questionId)}::text
      union all
      select a.answers -> ${String(questionId)}::text from admissions a
      where a.account_id = ${tx.accountId} and a.event_id = ${eventId} and a.answers ? ${String(questionId)}::text
      union all
      select answer -> 'value' from signup_requests r, jsonb_array_elements(r.answers) as answer
      where r.account_id = ${tx.accountId} and r.event_id = ${eventId} and answer ->> 'id' = ${String(questionId)}::text
    )
    select
      exists (select from given) as "isAnswered",
      array(
        select distinct choice from given,
          jsonb_array_elements_text(case jsonb_typeof(value) when 'array' then value when 'string' then jsonb_build_array(value)
            else '[]' end) as choice
        order by choice
      ) as chosen`.execute(tx.db)
  return rows[0]!
}
