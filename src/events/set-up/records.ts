import { type Selectable, sql } from 'kysely'
import type { Rows, Tx } from '../../access/scopes.ts'
import type { Events } from '../../database/table-types.ts'
import { type StoredValues, fromRow } from '../../definitions/define.ts'
import { eventDefinition, faqItemDefinition, performerDefinition } from '../definitions.ts'
import { findEvent } from '../records.ts'
import type { EventDetails } from '../wire.ts'

/** An event's own row, and what it says by the definition. */
export interface StoredEvent {
  id: number
  lockVersion: number
  thing: StoredValues<typeof eventDefinition>
  row: Selectable<Events>
}

/** The same with what is shown around it. */
export interface EventWithLists extends StoredEvent {
  details: EventDetails
  performers: StoredValues<typeof performerDefinition>[]
  faqItems: StoredValues<typeof faqItemDefinition>[]
}

const storedEvent = (row: Selectable<Events>): StoredEvent => ({
  id: row.id,
  lockVersion: row.lock_version,
  thing: fromRow(eventDefinition, { ...row }),
  row,
})

const eventById = ({ db, accountId }: Rows, id: number) =>
  db.selectFrom('events').selectAll().where('account_id', '=', accountId).where('id', '=', id)

/** Takes several statements: of one moment within a transaction or a consistent read. */
export const findEventWithLists = async (rows: Rows, id: number): Promise<EventWithLists | null> => {
  const details = await findEvent(rows, id)
  const row = await eventById(rows, id).executeTakeFirst()
  if (!details || !row) return null
  return { ...storedEvent(row), details, ...(await findPerformersAndFaqItems(rows, id)) }
}

/** What has no address of its own and comes with the event. */
export const findPerformersAndFaqItems = async (
  { db, accountId }: Rows,
  eventId: number,
): Promise<Pick<EventWithLists, 'performers' | 'faqItems'>> => {
  const of = (table: 'performers' | 'faq_items') =>
    db
      .selectFrom(table)
      .selectAll()
      .where('account_id', '=', accountId)
      .where('event_id', '=', eventId)
      .orderBy('position')
  const performers = await of('performers').execute()
  const faqItems = await of('faq_items').execute()
  return {
    performers: performers.map((row) => fromRow(performerDefinition, { ...row })),
    faqItems: faqItems.map((row) => fromRow(faqItemDefinition, { ...row })),
  }
}

export const findStoredEvent = async (rows: Rows, id: number): Promise<StoredEvent | null> => {
  const row = await eventById(rows, id).executeTakeFirst()
  return row ? storedEvent(row) : null
}

/** Claims lock the event first of all, so whoever changes it waits for them and they for it. */
export const lockEvent = async (tx: Tx, id: number): Promise<StoredEvent | null> => {
  const row = await eventById(tx, id).forNoKeyUpdate().executeTakeFirst()
  return row ? storedEvent(row) : null
}

/** Whoever gives an event a new slug comes one after the other. */
export const lockSlugs = (tx: Tx) =>
  sql`select from accounts where id = ${tx.accountId} for no key update`.execute(tx.db)

/** The slugs that begin so, of events now and before. */
export const findSlugsStartingWith = async ({ db, accountId }: Rows, start: string): Promise<Map<string, number>> => {
  const { rows } = await sql<{ slug: string; eventId: number }>`
    select slug, event_id as "eventId" from event_slugs
    where account_id = ${accountId} and starts_with(slug, ${start})`.execute(db)
  return new Map(rows.map(({ slug, eventId }) => [slug, eventId]))
}

export const deleteListItems = async (tx: Tx, table: 'performers' | 'faq_items', eventId: number): Promise<void> => {
  await tx.db.deleteFrom(table).where('account_id', '=', tx.accountId).where('event_id', '=', eventId).execute()
}
