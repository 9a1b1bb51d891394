import { type RawBuilder, sql } from 'kysely'
import type { CallerScope } from '../../access/scopes.ts'
import { type ColumnarRows, aggregateColumns } from '../../database/columnar-rows.ts'
import { prepareStatement, runPrepared } from '../../database/prepared.ts'
import {
  type TicketIdentifier,
  TICKET_COLUMN_SET,
  eventColumns,
  eventOfSlug,
  isEventAssigned,
  isTicketValid,
  joinOrderAndTicketType,
  ticketColumns,
  selectTicketByIdentifier,
  readTicketRow,
  eventWithinReachOfParameters,
  eventWithinReach,
} from '../records.ts'
import type { ScannableEvent, ScannableTicket } from '../wire.ts'

/** Tickets of one event, with the event as it was at the same moment; none where the caller sees no such event. */
export interface TicketsWithEvent {
  event: ScannableEvent
  tickets: ScannableTicket[]
}

type EventWithTickets = ScannableEvent & { tickets: ColumnarRows<ScannableTicket> & { count: number } }

/** Selected tickets as one value of a statement that selects something else, too. */
const gathered = (tickets: RawBuilder<unknown>, order: RawBuilder<unknown>) => sql`
  (select row_to_json(gathered) from (
    select count(*)::int as count, ${aggregateColumns(TICKET_COLUMN_SET, { order })} from (${tickets}) tickets
  ) gathered)`

const readGathered = (tickets: EventWithTickets['tickets']) =>
  Array.from({ length: tickets.count }, (_, index) => readTicketRow(tickets, index))

const readEventWithTickets = (row: EventWithTickets | undefined): TicketsWithEvent | undefined => {
  if (!row) return undefined
  const { tickets, ...event } = row
  return { event, tickets: readGathered(tickets) }
}

const ticketOfEventByName = prepareStatement(
  'ticket-of-event-at-the-door',
  sql<EventWithTickets>`
    select ${eventColumns}, ${gathered(
      selectTicketByIdentifier(
        sql`$4`,
        sql`$5`,
        sql`a.event_id = k.event_id and (${isTicketValid} or not $6::boolean)`,
      ),
      sql`"publicId"`,
    )} as tickets
    from ${eventOfSlug(sql`$1`, sql`$3`)}
    left join venues v on v.account_id = e.account_id and v.id = e.venue_id
    where ${eventWithinReachOfParameters(sql`e.id`)}`,
)

/** The same for one event, which is told of as well. */
export const findTicketOfEvent = async (
  scope: CallerScope,
  slug: string,
  { publicId, code }: TicketIdentifier,
  { onlyValid = false } = {},
): Promise<TicketsWithEvent | undefined> => {
  const { accountId, db } = scope.keyLookups
  const values = [accountId, scope.boundMembershipId, slug, publicId, code, onlyValid]
  return readEventWithTickets((await ticketOfEventByName(db, values))[0])
}

export interface SearchOptions {
  words: readonly string[]
  /** Companions who go by the name of their host are found by these words, too, and come last. */
  hostWords: readonly string[] | null
  most: number
}

/** More than are shown, so that they can be sorted, yet few enough for one letter to be answered at once. */
const CANDIDATES_MAX = 75

/** The index knows names by two and by three letters in a row. */
const INDEXED_LETTERS = 2

/**
 * How many plain letters door_words() makes of a word, at least: accents are dropped, and a letter of a script without
 * capitals is written as six. Where that is one too many, the index knows nothing to look for and every ticket is read.
 */
const lettersOf = (word: string) =>
  word
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\p{Lo}/gu, 'u00000').length

/** Brought into the index's form once, and not anew for each ticket that is held against it. */
const typed = (word: string) => sql`(select door_words(${word}))`

/** Valid tickets of an event whose names or address contain every word, and the event. */
export const searchTicketsOfEvent = async (
  scope: CallerScope,
  slug: string,
  options: SearchOptions,
): Promise<TicketsWithEvent | undefined> => {
  const kinds = searchesOf(options)
  // Reading all of an event's tickets is nothing that somebody at the door shall wait for.
  const { accountId, db } = kinds.every(({ indexed }) => indexed.length > 0) ? scope.keyLookups : scope.rows
  const statement = sql<EventWithTickets>`
    select ${eventColumns}, ${gathered(searched(sql`(select e.account_id, e.id, e.slug, e.title)`, kinds, options), FOUND_ORDER)} as tickets
    from ${eventOfSlug(sql`${accountId}`, sql`${slug}`)}
    left join venues v on v.account_id = e.account_id and v.id = e.venue_id
    where (${scope.boundMembershipId}::bigint is null
        or ${isEventAssigned(sql`e.account_id`, sql`${scope.boundMembershipId}::bigint`, sql`e.id`)})`
  const words = kinds.map(({ indexed, others }) => `${indexed.length}-and-${others.length}`).join('-or-')
  const [row] = await runPrepared(db, `event-with-tickets-by-${words}-words`, statement)
  return readEventWithTickets(row)
}

/** The same among all events that the caller may see; of the many that may be found, those of the latest events. */
export const searchTickets = async (scope: CallerScope, options: SearchOptions): Promise<ScannableTicket[]> => {
  const { accountId, db } = scope.rows
  const events = sql`
    (select * from events e where e.account_id = ${accountId} and ${eventWithinReach(scope, sql`e.id`)} order by e.starts_at desc)`
  const { rows } = await sql<{ tickets: EventWithTickets['tickets'] }>`
    select ${gathered(searched(events, searchesOf(options), options, sql`order by e.starts_at desc`), FOUND_ORDER)} as tickets`.execute(
    db,
  )
  return readGathered(rows[0]!.tickets)
}

interface Search {
  indexed: readonly string[]
  others: readonly string[]
  isMeant: RawBuilder<unknown>
}

const isUnnamedGuest = sql`o.origin = 'guest_list' and not a.is_lead and a.attendee_name is null`

const searchesOf = ({ words, hostWords }: SearchOptions): Search[] => {
  const searchOf = (wanted: readonly string[], isMeant: RawBuilder<unknown>): Search => {
    const indexed = wanted.filter((word) => lettersOf(word) >= INDEXED_LETTERS)
    return { indexed, others: wanted.filter((word) => !indexed.includes(word)), isMeant }
  }
  const named = searchOf(words, isTicketValid)
  return hostWords === null ? [named] : [named, searchOf(hostWords, sql`${isUnnamedGuest} and ${isTicketValid}`)]
}

const FOUND_ORDER = sql`search, "customerName", "publicId"`

/** What each search finds among these events; whoever several of them find is found by the first. */
const searched = (
  events: RawBuilder<unknown>,
  searches: readonly Search[],
  { most }: SearchOptions,
  firstOrder: RawBuilder<unknown> = sql``,
) => {
  const found = searches.map(
    ({ indexed, others, isMeant }, n) => sql`
      select ${sql.lit(n)} as search, * from (
        select ${ticketColumns}
        from ${events} e
        cross join lateral (${namedTickets(indexed, others)}) a
        ${joinOrderAndTicketType}
        where ${isMeant}
        ${firstOrder}
        limit ${CANDIDATES_MAX}
      ) candidates`,
  )
  const all = sql.join(
    found.map((each) => sql`(${each})`),
    sql` union all `,
  )
  if (searches.length === 1) return sql`select * from (${all}) one order by ${FOUND_ORDER} limit ${most}`
  return sql`
    select * from (select distinct on ("publicId") * from (${all}) several order by "publicId", search) each
    order by ${FOUND_ORDER} limit ${most}`
}

/**
 * The tickets of the event e that bear these words. Where the index knows something of them it alone is told which event:
 * the planner guesses badly how many bear a name, and is left no other way.
 */
const namedTickets = (indexed: readonly string[], others: readonly string[]) => {
  const contained = [...indexed, ...others].map((word) => sql`strpos(a.search_words, ${typed(word)}) > 0`)
  const keys = indexed.map((word) => sql`door_keys_of_word(e.id, ${typed(word)})`)
  const conditions =
    keys.length > 0
      ? [
          sql`door_keys(a.event_id, a.search_words) @> (${sql.join(keys, sql` || `)})`,
          sql`a.account_id is not distinct from e.account_id and a.event_id is not distinct from e.id`,
        ]
      : [sql`a.account_id = e.account_id and a.event_id = e.id`]
  return sql`select * from admissions a where ${sql.join([...conditions, ...contained], sql` and `)} offset 0`
}
