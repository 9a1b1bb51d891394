import { setImmediate as turn } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'
import {
  type ColumnSet,
  type ColumnarRows,
  aggregateColumns,
  rowReader,
  selectColumns,
} from '../../database/columnar-rows.ts'
import { runPrepared } from '../../database/prepared.ts'
import {
  eventColumns,
  TICKET_COLUMN_SET,
  ticketColumns,
  readTicketRow,
  ticketTables,
  isTicketValid,
} from '../records.ts'
import type { TicketWithParty, ScannableEvent, ScannableTicket } from '../wire.ts'

/** A moment, and what the tickets of an event looked like then. */
export interface SnapshotVersion {
  event: ScannableEvent
  /** Whatever is committed later carries this time or a later one. */
  generatedAt: Date
  /** Changes whenever a ticket or the event does. */
  fingerprint: string
}

/**
 * A transaction stamps rows with the time it began and may commit them much later. So the moment is not later than the
 * beginning of any transaction under way. It is asked for before the tickets are read.
 */
export const findSnapshotVersion = async (rows: Rows, eventId: number): Promise<SnapshotVersion | undefined> => {
  const { accountId, db } = rows
  const result = await sql<ScannableEvent & { generatedAt: Date; fingerprint: string }>`
    select ${eventColumns},
      -- taken as not null: generatedAt (whoever asks is a client with a transaction, and so one of those counted)
      foyer_now() - (
        select max(xact_start) filter (where pid = pg_backend_pid()) - min(xact_start)
        from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
      ) as "generatedAt",
      (
        select concat_ws('-', count(*), extract(epoch from sum(a.updated_at - timestamptz '2020-01-01 00:00Z')))
        from admissions a where a.account_id = e.account_id and a.event_id = e.id
      ) as fingerprint
    from events e
    left join venues v on v.account_id = e.account_id and v.id = e.venue_id
    where e.account_id = ${accountId} and e.id = ${eventId}
  `.execute(db)
  const found = result.rows[0]
  return found && { event: found, generatedAt: found.generatedAt, fingerprint: found.fingerprint }
}

export interface SnapshotSelection {
  eventId: number
  onlyValid?: boolean
  changedSince?: Date | null
}

/** A message is received a moment before its transaction shows; that much is read twice. */
const OVERLAP = sql`interval '2 seconds'`

/** By itself, or by the color of its kind, which is no part of its row. */
const changedAfter = (moment: RawBuilder<unknown>) =>
  sql`(a.updated_at >= ${moment} or t.color_changed_at >= ${moment})`

const BATCH = 1_000

/** The reader waits for the first one. */
const FIRST_BATCH = 250

type PartyFacts = Pick<TicketWithParty, 'orderPublicId' | 'pairPlaceId'>

const PARTY: ColumnSet<PartyFacts> = {
  values: {
    orderPublicId: sql`o.public_id`,
    pairPlaceId: sql`case when p.pair_place_id is not null then least(p.id, p.pair_place_id) end`,
  },
  moments: [],
}

const partyColumns = selectColumns(PARTY)
const partyOf = rowReader(PARTY)

/** What is read of each ticket. */
export interface TicketReader<Ticket> {
  readBatch: (rows: Rows, tickets: SnapshotSelection, slice: Slice) => Promise<Batch<Ticket>>
  read: (batch: Batch<Ticket>, index: number) => Ticket
}

interface Slice {
  after: number
  size: number
}

/**
 * The tickets of an event in the order they were issued, some at a time and never none. Each batch is a statement of its own: a
 * device on a bad line would otherwise keep a connection, and the past of a busy table, for as long as it reads.
 */
export async function* readTickets<Ticket extends ScannableTicket>(
  rows: Rows,
  tickets: SnapshotSelection,
  shape: TicketReader<Ticket>,
): AsyncGenerator<Ticket[]> {
  let size = FIRST_BATCH
  let asked = shape.readBatch(rows, tickets, { after: 0, size })
  for (;;) {
    const batch = await asked
    const last = batch.count < size ? null : batch.last
    if (last !== null) {
      // The database works on the next batch while this one is written; so let it be asked before that begins.
      size = BATCH
      asked = shape.readBatch(rows, tickets, { after: last, size })
      asked.catch(() => {})
      await turn()
    }
    for (let first = 0; first < batch.count; first += PIECE) yield piece(batch, shape, first)
    if (last === null) return
  }
}

/** So many are written in one turn of the event loop; between two of them others are served. */
const PIECE = 125

const piece = <Ticket>(batch: Batch<Ticket>, { read }: TicketReader<Ticket>, first: number) =>
  Array.from({ length: Math.min(PIECE, batch.count - first) }, (_, index) => read(batch, first + index))

type Batch<Ticket> = ColumnarRows<Ticket> & { count: number; last: number | null }

const nameOf = ({ onlyValid, changedSince }: SnapshotSelection) =>
  [onlyValid && 'valid', changedSince && 'changed'].filter(Boolean).join('-') || 'all'

const readBatch = async (
  { accountId, db }: Rows,
  tickets: SnapshotSelection,
  { after, size }: Slice,
): Promise<Batch<ScannableTicket>> => {
  const { eventId, onlyValid = false, changedSince = null } = tickets
  const [batch] = await runPrepared(
    db,
    `batch-of-tickets-${nameOf(tickets)}`,
    sql<Batch<ScannableTicket>>`
      select count(*)::int as count, max(id) as last, ${aggregateColumns(TICKET_COLUMN_SET, { order: sql`id` })} from (
        select a.id, ${ticketColumns} from ${ticketTables}
        where a.account_id = ${accountId} and a.event_id = ${eventId} and a.id > ${after}
          ${onlyValid ? sql`and ${isTicketValid}` : sql``}
          ${changedSince ? sql`and ${changedAfter(sql`${changedSince}::timestamptz - ${OVERLAP}`)}` : sql``}
        order by a.id
        limit ${size}
      ) batch`,
  )
  return batch!
}

const readPartyBatch = async (
  { accountId, db }: Rows,
  tickets: SnapshotSelection,
  { after, size }: Slice,
): Promise<Batch<TicketWithParty>> => {
  const { eventId, changedSince = null } = tickets
  const [batch] = await runPrepared(
    db,
    `batch-of-party-members-${nameOf(tickets)}`,
    sql<Batch<TicketWithParty>>`
      select count(*)::int as count, max(id) as last, ${aggregateColumns(TICKET_COLUMN_SET, { order: sql`id` })},
        ${aggregateColumns(PARTY, { order: sql`id` })}
      from (
        select a.id, ${ticketColumns}, ${partyColumns} from ${ticketTables}
        left join places p on p.account_id = a.account_id and p.event_id = a.event_id and p.id = a.place_id
        where a.account_id = ${accountId} and a.event_id = ${eventId} and a.id > ${after}
          ${changedSince ? sql`and a.updated_at >= ${changedSince}::timestamptz - ${OVERLAP}` : sql``}
        order by a.id
        limit ${size}
      ) batch`,
  )
  return batch!
}

export const PLAIN_TICKET_READER: TicketReader<ScannableTicket> = { readBatch, read: readTicketRow }

export const TICKET_WITH_PARTY_READER: TicketReader<TicketWithParty> = {
  readBatch: readPartyBatch,
  read: (batch, index) => Object.assign(readTicketRow(batch, index), partyOf(batch, index)),
}
