import { normalizeForComparison } from '../../../src/guest-list/typed-party/rules.ts'
import type { Schemas } from '../../api/client.ts'
import { fold } from '../../ui/fold.ts'

export type Party = Schemas['GuestParty']
export type PartySummary = Schemas['GuestPartySummary']
export type Admission = Schemas['Admission']
export type TicketOption = Schemas['TicketOption']

export const ARRIVAL_FILTERS = ['all', 'expected', 'arrived'] as const
export type ArrivalFilter = (typeof ARRIVAL_FILTERS)[number]

/** Parties with what they are searched by, which is put together when somebody first searches. */
export interface ListedParties {
  parties: readonly PartySummary[]
  texts: () => readonly string[]
  /** The names in each, word by word. */
  names: () => readonly ReadonlySet<string>[][]
}

const known = new WeakMap<readonly PartySummary[], ListedParties>()

export const makeSearchable = (parties: readonly PartySummary[]): ListedParties => {
  const before = known.get(parties)
  if (before) return before
  const listed = {
    parties,
    texts: once(() => parties.map(textOf)),
    names: once(() =>
      parties.map(({ customer_name, companion_names }) => [customer_name, ...companion_names].map(wordsOfName)),
    ),
  }
  known.set(parties, listed)
  return listed
}

const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | null = null
  return () => (made ??= { value: make() }).value
}

/** Between the texts of a party, where nothing that was typed can match. */
const BETWEEN = '\u001F'

const textOf = (party: PartySummary): string =>
  fold(
    [
      party.customer_name,
      party.delivery_email ?? '',
      party.customer_company ?? '',
      party.staff_note ?? '',
      party.display_number,
      ...party.companion_names,
      ...party.place_labels,
    ].join(BETWEEN),
  )

export interface PartyFilter {
  show: ArrivalFilter
  text: string
  ticketId: number | null
}

/** Those that have every word that was typed. */
export const filterParties = (
  listed: ListedParties,
  { show, text, ticketId }: PartyFilter,
): readonly PartySummary[] => {
  const words = fold(text).split(/\s+/).filter(Boolean)
  const { parties } = listed
  if (words.length === 0 && show === 'all' && ticketId === null) return parties
  const texts = words.length > 0 ? listed.texts() : null
  return parties.filter(
    (party, at) =>
      (show === 'all' || (show === 'arrived') === (party.arrival_state === 'arrived')) &&
      (ticketId === null || party.ticket_id === ticketId) &&
      (texts === null || words.every((word) => texts[at]!.includes(word))),
  )
}

/** The words of a name, as names are held against each other. */
const wordsOfName = (name: string): ReadonlySet<string> =>
  new Set(normalizeForComparison(name).split(' ').filter(Boolean))

/** Whether two names are likely those of one person: all words of one, at least two of them, are words of the other. */
const isLikelySame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => {
  const [some, more] = one.size <= other.size ? [one, other] : [other, one]
  return some.size > 0 && (some.size > 1 || more.size === 1) && some.isSubsetOf(more)
}

/** Parties with somebody of nearly this name. */
export const findPartiesOfSimilarName = (listed: ListedParties, name: string, most: number): PartySummary[] => {
  const words = wordsOfName(name)
  const found: PartySummary[] = []
  for (const [at, names] of listed.names().entries()) {
    if (names.some((each) => isLikelySame(each, words))) found.push(listed.parties[at]!)
    if (found.length === most) break
  }
  return found
}

export const liveAdmissions = ({ admissions }: Party) =>
  admissions.filter(({ admission_status }) => admission_status === 'active')

/** A companion without a name of their own goes by the lead's. */
export const isUnnamed = (party: Party, { attendee_name }: Admission) =>
  attendee_name === `Guest of ${party.customer_name}`

/** Where the party sits or stands, as far as it does. */
export const placeLabelsOf = (party: Party): string => {
  const labels = liveAdmissions(party).flatMap(({ place_label }) => place_label ?? [])
  return [...new Set(labels)].join(', ')
}
