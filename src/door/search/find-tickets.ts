import type { CallerScope } from '../../access/scopes.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { parseIdentifier, isStorableIdentifier, lookUpWithinGuessBudget } from '../identifiers.ts'
import { type TicketIdentifier, findEventBySlug, findTicket } from '../records.ts'
import type { ScannableEvent, ScannableTicket } from '../wire.ts'
import { findTicketOfEvent, searchTickets, searchTicketsOfEvent } from './records.ts'

const SEARCH_RESULTS_MAX = 50
const WORDS_MAX = 8

export const requireTicketByIdentifier = async (scope: CallerScope, identifier: string): Promise<ScannableTicket> =>
  requireFound(
    await lookUpWithinGuessBudget(scope, async () =>
      isStorableIdentifier(identifier) ? findTicket(scope, parseIdentifier(identifier)) : undefined,
    ),
  )

export interface TicketSearch {
  text: string
  /** Which event; empty for all of them. */
  slug: string
  /** Whether a code or a public ID is answered even when its ticket is blocked. */
  showsBlocked: boolean
}

export interface FoundTickets {
  /** Null where no event was named. */
  event: ScannableEvent | null
  tickets: ScannableTicket[]
}

/** By code or public ID, or else by parts of names and addresses. What is found is of one moment, event and tickets. */
export const findTickets = async (scope: CallerScope, search: TicketSearch): Promise<FoundTickets> => {
  const { text, slug } = search
  const identifier = parseIdentifier(text)
  if (identifier.code !== null || isPublicId(text)) {
    const named = await lookUpWithinGuessBudget(scope, async () => {
      const answer = await findNamed(scope, search, identifier)
      return answer.tickets.length > 0 ? answer : undefined
    })
    if (named) return named
  }

  if (text === '') return { event: slug === '' ? null : requireFound(await findEventBySlug(scope, slug)), tickets: [] }
  const hosts = hostsOf(text)
  const options = {
    words: wordsOf(text),
    hostWords: hosts === null ? null : wordsOf(hosts),
    most: SEARCH_RESULTS_MAX,
  }
  if (slug === '') return { event: null, tickets: await searchTickets(scope, options) }
  return requireFound(await searchTicketsOfEvent(scope, slug, options))
}

const findNamed = async (
  scope: CallerScope,
  { slug, showsBlocked }: TicketSearch,
  identifier: TicketIdentifier,
): Promise<FoundTickets> => {
  const onlyValid = !showsBlocked
  if (slug !== '') return requireFound(await findTicketOfEvent(scope, slug, identifier, { onlyValid }))
  const ticket = await findTicket(scope, identifier, { onlyValid })
  return { event: null, tickets: ticket ? [ticket] : [] }
}

const isPublicId = (text: string) => /^[1-9A-Za-z]{12,64}$/.test(text)

const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean).slice(0, WORDS_MAX)

const GUEST_OF = 'guest of '
const LETTERS_LEAST = 3

/** Companions without a name are shown as whose guest they are: what remains of the text when it begins like that. */
const hostsOf = (text: string): string | null => {
  const spaced = text.replace(/\s+/g, ' ')
  const typed = spaced.toLowerCase()
  if (typed.startsWith(GUEST_OF)) return spaced.slice(GUEST_OF.length)
  return typed.length >= LETTERS_LEAST && GUEST_OF.startsWith(typed) ? '' : null
}
