import type { CallerScope } from '../access/scopes.ts'
import { isCode, normalizeCode } from '../kernel/public-ids.ts'
import { found } from '../kernel/refusals.ts'
import { type Identifier, findTicket, searchTickets } from './records.ts'
import type { TicketAtTheDoor } from './wire.ts'

/** Generous enough for a bad camera; too few to guess a code of forty bits. */
const UNKNOWN_IDENTIFIERS_PER_MINUTE = 300
const SEARCH_RESULTS_MAX = 50
const WORDS_MAX = 8

/** What was scanned or typed. A code may be typed in any case, with or without its hyphen; a public ID is exact. */
export const identify = (identifier: string): Identifier => {
  const code = normalizeCode(identifier)
  return { publicId: identifier, code: isCode(code) ? code : null }
}

/** No row can hold a zero byte, so such a text names nothing. */
export const isNameable = (identifier: string) => identifier.length <= 255 && !identifier.includes('\0')

/**
 * Looks up what was named, unless the credential has named too much that does not exist; what does not exist is counted
 * against it.
 */
export const guessIdentifier = <T>(scope: CallerScope, lookUp: () => Promise<T | undefined>): Promise<T | undefined> =>
  scope.house.budgets
    .shared('unknown identifiers of a credential', UNKNOWN_IDENTIFIERS_PER_MINUTE)
    .guess(scope.credential.id, 1, async () => {
      const known = await lookUp()
      return { found: known, misses: known === undefined ? 1 : 0 }
    })

export const readTicket = async (scope: CallerScope, identifier: string): Promise<TicketAtTheDoor> =>
  found(
    await guessIdentifier(scope, async () =>
      isNameable(identifier) ? findTicket(scope, identify(identifier)) : undefined,
    ),
  )

interface EventNamed {
  id: number
  slug: string
}

export interface TicketSearch {
  text: string
  /** Which event, or null for all of them. It may still be looked up: a ticket is found by its code meanwhile. */
  event: EventNamed | null | Promise<EventNamed | null>
  /** Whether a code or a public ID is answered even when its ticket is blocked. */
  showsBlocked: boolean
}

/** By code or public ID, or else by parts of names and addresses. */
export const findTickets = async (scope: CallerScope, search: TicketSearch): Promise<TicketAtTheDoor[]> => {
  const { text } = search
  const identifier = identify(text)
  if (identifier.code !== null || isPublicId(text)) {
    const named = await guessIdentifier(scope, async () => {
      const [ticket, event] = await Promise.all([
        findTicket(scope, identifier, { onlyValid: !search.showsBlocked }),
        search.event,
      ])
      return ticket && (!event || ticket.eventSlug === event.slug) ? ticket : undefined
    })
    if (named) return [named]
  }

  const eventId = (await search.event)?.id ?? null
  if (text === '') return []
  const words = wordsOf(text)
  const named = await searchTickets(scope, { eventId, words, most: SEARCH_RESULTS_MAX })
  const hosts = hostsOf(text)
  if (hosts === null) return named

  const most = SEARCH_RESULTS_MAX - named.length
  const guests = await searchTickets(scope, { eventId, words: wordsOf(hosts), onlyUnnamedGuests: true, most })
  const known = new Set(named.map((ticket) => ticket.publicId))
  return [...named, ...guests.filter((ticket) => !known.has(ticket.publicId))]
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
