import { setImmediate as turn } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { CallerScope, Rows } from '../access/scopes.ts'
import { type Columns, type Packed, packed, selected, unpack } from '../database/packed.ts'
import { prepare, runPrepared } from '../database/prepared.ts'
import type { EventAtTheDoor, TicketAtTheDoor } from './wire.ts'

const ENDED_EVENTS_MAX = 50

const eventColumns = sql`
  e.id, e.slug, e.title, e.starts_at as "startsAt", e.ends_at as "endsAt", e.updated_at as "updatedAt",
  v.name as "venueName", v.city as "venueCity",
  -- A picture of the house's own is shown by its shop, and only while that is open.
  case when e.image not like 'file:%' or exists (
    select from accounts c where c.id = e.account_id and c.shop_published_at is not null
  ) then e.image end as image`

/** Which events of the account a caller may see: all of them, or those that a co-organizer is assigned to now. */
export const withinReach = (scope: CallerScope, eventId: RawBuilder<unknown>) =>
  scope.reach === 'account'
    ? sql`true`
    : isAssigned(sql`${scope.account.id}`, sql`${scope.actor.membershipId}`, eventId)

const isAssigned = (accountId: RawBuilder<unknown>, membershipId: RawBuilder<unknown>, eventId: RawBuilder<unknown>) =>
  sql`exists (
    select from assignments s
    where s.account_id = ${accountId} and s.membership_id = ${membershipId} and s.event_id = ${eventId}
  )`

/** The same for statements that are put together once: the account is their $1, and whose assignments set limits their $2. */
const withinGivenReach = (eventId: RawBuilder<unknown>) =>
  sql`($2::bigint is null or ${isAssigned(sql`$1`, sql`$2`, eventId)})`

/** What can be scanned: what is on or to come by its start, then what is over, newest first. */
export const findScannableEvents = async (scope: CallerScope): Promise<EventAtTheDoor[]> => {
  const { accountId, db } = scope.rows
  const scannable = (when: RawBuilder<unknown>) => sql`
    select ${eventColumns}
    from events e
    left join venues v on v.account_id = e.account_id and v.id = e.venue_id
    where e.account_id = ${accountId} and e.archived_at is null and e.cancelled_at is null
      and (e.published_at is not null
        or exists (select from admissions a where a.account_id = e.account_id and a.event_id = e.id))
      and ${withinReach(scope, sql`e.id`)} and ${when}`

  const { rows } = await sql<EventAtTheDoor>`
    (${scannable(sql`e.ends_at > foyer_now()`)} order by e.starts_at, e.id)
    union all
    (${scannable(sql`e.ends_at <= foyer_now()`)} order by e.starts_at desc, e.id desc limit ${ENDED_EVENTS_MAX})
  `.execute(db)
  return rows
}

const eventBySlug = prepare(
  'event-at-the-door',
  sql<EventAtTheDoor>`
    select ${eventColumns}
    from events e
    left join venues v on v.account_id = e.account_id and v.id = e.venue_id
    where e.account_id = $1 and e.slug = $3 and ${withinGivenReach(sql`e.id`)}`,
)

export const findEventBySlug = async (scope: CallerScope, slug: string): Promise<EventAtTheDoor | undefined> => {
  const { accountId, db } = scope.express
  const [event] = await eventBySlug(db, [accountId, scope.boundMembershipId, slug])
  return event
}

const TICKET: Columns<TicketAtTheDoor> = {
  values: {
    publicId: sql`a.public_id`,
    checkInCode: sql`a.check_in_code`,
    eventSlug: sql`e.slug`,
    eventTitle: sql`e.title`,
    ticketTitle: sql`a.ticket_title`,
    ticketColor: sql`t.color`,
    isLead: sql`a.is_lead`,
    attendeeName: sql`a.attendee_name`,
    status: sql`a.status`,
    redeemedAt: sql`a.redeemed_at`,
    placeLabel: sql`a.place_label`,
    placeSnapshot: sql`a.place_snapshot`,
    updatedAt: sql`a.updated_at`,
    origin: sql`o.origin`,
    orderStatus: sql`o.status`,
    archivedAt: sql`o.archived_at`,
    customerName: sql`o.customer_name`,
    staffNote: sql`o.staff_note`,
  },
  moments: ['redeemedAt', 'updatedAt', 'archivedAt'],
}

export const ticketColumns = selected(TICKET)
/** The same, of a statement that has selected them. */
export const ticketNames = sql.join(Object.keys(TICKET.values).map((name) => sql.ref(name)))
const ticketOf = unpack(TICKET)

/** Orders are joined within their event: the way through all orders of the account would be a long one. */
const orderAndType = sql`
  join orders o on o.account_id = a.account_id and o.event_id = a.event_id and o.id = a.order_id
  left join tickets t on t.account_id = a.account_id and t.event_id = a.event_id and t.id = a.ticket_id`

export const ticketTables = sql`
  admissions a
  join events e on e.account_id = a.account_id and e.id = a.event_id
  ${orderAndType}`

/** Whoever is in stays valid: the door must be able to say so. */
const isValid = sql`o.status = 'paid' and o.archived_at is null and a.status = 'active'`

/** What a ticket is called by; a code only where the text could be one. */
export interface Identifier {
  publicId: string
  code: string | null
}

const ticketNamed = (publicId: RawBuilder<unknown>, code: RawBuilder<unknown>, isMeant: RawBuilder<unknown>) => sql`
  select ${ticketColumns}
  from (
    select account_id, id, true as is_exact from admissions where account_id = $1 and public_id = ${publicId}
    union all
    select account_id, id, false from admissions where account_id = $1 and check_in_code = ${code}
  ) named
  join (${ticketTables}) on a.account_id = named.account_id and a.id = named.id
  where ${isMeant}
  order by named.is_exact desc
  limit 1`

const ticketByName = prepare(
  'ticket-at-the-door',
  sql<TicketAtTheDoor>`${ticketNamed(
    sql`$3`,
    sql`$4`,
    sql`${withinGivenReach(sql`a.event_id`)} and (${isValid} or not $5::boolean)`,
  )}`,
)

/** The ticket of exactly this public ID, else of this code, whatever state it is in. */
export const findTicket = async (
  scope: CallerScope,
  { publicId, code }: Identifier,
  { onlyValid = false } = {},
): Promise<TicketAtTheDoor | undefined> => {
  const { accountId, db } = scope.express
  const [ticket] = await ticketByName(db, [accountId, scope.boundMembershipId, publicId, code, onlyValid])
  return ticket
}

/** Tickets of one event, with the event as it was at the same moment; none where the caller sees no such event. */
export interface TicketsWithEvent {
  event: EventAtTheDoor
  tickets: TicketAtTheDoor[]
}

type EventWithTickets = EventAtTheDoor & { tickets: Packed<TicketAtTheDoor> & { count: number } }

/** Selected tickets as one value of a statement that selects something else, too. */
const gathered = (tickets: RawBuilder<unknown>, order: RawBuilder<unknown>) => sql`
  (select row_to_json(gathered) from (
    select count(*)::int as count, ${packed(TICKET, { order })} from (${tickets}) tickets
  ) gathered)`

const readGathered = (tickets: EventWithTickets['tickets']) =>
  Array.from({ length: tickets.count }, (_, index) => ticketOf(tickets, index))

const readEventWithTickets = (row: EventWithTickets | undefined): TicketsWithEvent | undefined => {
  if (!row) return undefined
  const { tickets, ...event } = row
  return { event, tickets: readGathered(tickets) }
}

const ticketOfEventByName = prepare(
  'ticket-of-event-at-the-door',
  sql<EventWithTickets>`
    select ${eventColumns}, ${gathered(
      ticketNamed(sql`$4`, sql`$5`, sql`e.slug = $3 and (${isValid} or not $6::boolean)`),
      sql`"publicId"`,
    )} as tickets
    from events e
    left join venues v on v.account_id = e.account_id and v.id = e.venue_id
    where e.account_id = $1 and e.slug = $3 and ${withinGivenReach(sql`e.id`)}`,
)

/** The same for one event, which is told of as well. */
export const findTicketOfEvent = async (
  scope: CallerScope,
  slug: string,
  { publicId, code }: Identifier,
  { onlyValid = false } = {},
): Promise<TicketsWithEvent | undefined> => {
  const { accountId, db } = scope.express
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
  const { accountId, db } = kinds.every(({ indexed }) => indexed.length > 0) ? scope.express : scope.rows
  const statement = sql<EventWithTickets>`
    select ${eventColumns}, ${gathered(searched(sql`(select e.account_id, e.id, e.slug, e.title)`, kinds, options), FOUND_ORDER)} as tickets
    from events e
    left join venues v on v.account_id = e.account_id and v.id = e.venue_id
    where e.account_id = ${accountId} and e.slug = ${slug}
      and (${scope.boundMembershipId}::bigint is null
        or ${isAssigned(sql`e.account_id`, sql`${scope.boundMembershipId}::bigint`, sql`e.id`)})`
  const words = kinds.map(({ indexed, others }) => `${indexed.length}-and-${others.length}`).join('-or-')
  const [row] = await runPrepared(db, `event-with-tickets-by-${words}-words`, statement)
  return readEventWithTickets(row)
}

/** The same among all events that the caller may see; of the many that may be found, those of the latest events. */
export const searchTickets = async (scope: CallerScope, options: SearchOptions): Promise<TicketAtTheDoor[]> => {
  const { accountId, db } = scope.rows
  const events = sql`
    (select * from events e where e.account_id = ${accountId} and ${withinReach(scope, sql`e.id`)} order by e.starts_at desc)`
  const { rows } = await sql<{ tickets: EventWithTickets['tickets'] }>`
    select ${gathered(searched(events, searchesOf(options), options), FOUND_ORDER)} as tickets`.execute(db)
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
  const named = searchOf(words, isValid)
  return hostWords === null ? [named] : [named, searchOf(hostWords, sql`${isUnnamedGuest} and ${isValid}`)]
}

const FOUND_ORDER = sql`search, "customerName", "publicId"`

/** What each search finds among these events; whoever several of them find is found by the first. */
const searched = (events: RawBuilder<unknown>, searches: readonly Search[], { most }: SearchOptions) => {
  const found = searches.map(
    ({ indexed, others, isMeant }, n) => sql`
      select ${sql.lit(n)} as search, * from (
        select ${ticketColumns}
        from ${events} e
        cross join lateral (${namedTickets(indexed, others)}) a
        ${orderAndType}
        where ${isMeant}
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

/** A moment, and what the tickets of an event looked like then. */
export interface Stand {
  event: EventAtTheDoor
  /** Whatever is committed later carries this time or a later one. */
  generatedAt: Date
  /** Changes whenever a ticket or the event does. */
  fingerprint: string
}

/**
 * A transaction stamps rows with the time it began and may commit them much later. So the moment is not later than the
 * beginning of any transaction under way. It is asked for before the tickets are read.
 */
export const findStand = async (rows: Rows, eventId: number): Promise<Stand | undefined> => {
  const { accountId, db } = rows
  const result = await sql<EventAtTheDoor & { generatedAt: Date; fingerprint: string }>`
    select ${eventColumns},
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

export interface TicketsOfEvent {
  eventId: number
  onlyValid?: boolean
  changedSince?: Date | null
}

/** A message is received a moment before its transaction shows; that much is read twice. */
const OVERLAP = sql`interval '2 seconds'`

const BATCH = 1_000
/** The reader waits for the first one. */
const FIRST_BATCH = 250

/**
 * The tickets of an event in the order they were issued, some at a time and never none. Each batch is a statement of its own: a
 * device on a bad line would otherwise keep a connection, and the past of a busy table, for as long as it reads.
 */
export async function* readTickets(rows: Rows, tickets: TicketsOfEvent): AsyncGenerator<TicketAtTheDoor[]> {
  let size = FIRST_BATCH
  let asked = readBatch(rows, tickets, { after: 0, size })
  for (;;) {
    const batch = await asked
    const isLast = batch.count < size
    if (!isLast) {
      // The database works on the next batch while this one is written; so let it be asked before that begins.
      size = BATCH
      asked = readBatch(rows, tickets, { after: batch.last, size })
      asked.catch(() => {})
      await turn()
    }
    for (let first = 0; first < batch.count; first += PIECE) yield piece(batch, first)
    if (isLast) return
  }
}

/** So many are written in one turn of the event loop; between two of them others are served. */
const PIECE = 125

const piece = (batch: Batch, first: number) =>
  Array.from({ length: Math.min(PIECE, batch.count - first) }, (_, index) => ticketOf(batch, first + index))

type Batch = Packed<TicketAtTheDoor> & { count: number; last: number }

const readBatch = async (
  { accountId, db }: Rows,
  { eventId, onlyValid = false, changedSince = null }: TicketsOfEvent,
  { after, size }: { after: number; size: number },
): Promise<Batch> => {
  const kind = [onlyValid && 'valid', changedSince && 'changed'].filter(Boolean).join('-') || 'all'
  const [batch] = await runPrepared(
    db,
    `batch-of-tickets-${kind}`,
    sql<Batch>`
      select count(*)::int as count, max(id) as last, ${packed(TICKET, { order: sql`id` })} from (
        select a.id, ${ticketColumns} from ${ticketTables}
        where a.account_id = ${accountId} and a.event_id = ${eventId} and a.id > ${after}
          ${onlyValid ? sql`and ${isValid}` : sql``}
          ${changedSince ? sql`and a.updated_at >= ${changedSince}::timestamptz - ${OVERLAP}` : sql``}
        order by a.id
        limit ${size}
      ) batch`,
  )
  return batch!
}
