import { isCode, normalizeCode } from '../../../src/kernel/rules.ts'
import { chosenEvents } from '../base/state.ts'
import { type PackedTicket, PACKED_INDEX, type Ticket, unpackTicket } from '../base/ticket.ts'
import { withUnsentScans, cachedPackedTickets, ticketsRevision } from '../base/tickets.ts'
import { fold } from '../../ui/fold.ts'

export const SEARCH_LETTERS_MIN = 2
const SHOWN_MAX = 50

interface Index {
  version: number
  slugs: string
  tickets: PackedTicket[]
  texts: string[]
}

let index: Index = { version: -1, slugs: '', tickets: [], texts: [] }

/** Only ASCII is folded by far the quickest, and most names have nothing else. */
const foldQuickly = (text: string) => (/^[\0-\x7f]*$/.test(text) ? text.toLowerCase() : fold(text))

const openIndex = (): Index => {
  const slugs = chosenEvents.value.map(({ slug }) => slug)
  if (index.version === ticketsRevision.value && index.slugs === slugs.join(' ')) return index
  const before = new Map(index.tickets.map((ticket, n) => [ticket, index.texts[n]!]))
  const tickets = slugs.flatMap((slug) => Array.from(cachedPackedTickets(slug)))
  const texts = tickets.map((ticket) => before.get(ticket) ?? textOf(ticket))
  index = { version: ticketsRevision.value, slugs: slugs.join(' '), tickets, texts }
  return index
}

const textOf = (ticket: PackedTicket) => {
  const [attendee, buyer] = [ticket[PACKED_INDEX.attendeeName] as string, ticket[PACKED_INDEX.buyerName] as string]
  return ` ${foldQuickly(attendee.includes(buyer) ? attendee : `${attendee} ${buyer}`)} ${ticket[PACKED_INDEX.code] as string}`
}

/** Makes the index while nobody waits for it. */
export const prepareSearchIndex = (): void => void openIndex()

/** Tickets whose words begin with the typed ones, in any order, else those that hold them; two letters at least. */
export const findByName = (typed: string): Ticket[] => {
  const code = normalizeCode(typed)
  const parts = fold(typed)
    .split(/[\s,]+/)
    .filter(Boolean)
  if (parts.join('').length < SEARCH_LETTERS_MIN) return []
  const byBeginnings = findIn(
    parts.map((part) => ` ${part}`),
    code,
  )
  const found = byBeginnings.length > 0 ? byBeginnings : findIn(parts, code)
  return found.map((ticket) => withUnsentScans(unpackTicket(ticket)))
}

const findIn = (parts: readonly string[], code: string): PackedTicket[] => {
  const { tickets, texts } = openIndex()
  const found: PackedTicket[] = []
  // The longest first: it says no to most.
  const [first, ...rest] = parts.toSorted((one, other) => other.length - one.length)
  for (let n = 0; n < texts.length && found.length < SHOWN_MAX; n++) {
    const text = texts[n]!
    const isFound = text.includes(first!) && rest.every((part) => text.includes(part))
    if (isFound || (isCode(code) && text.endsWith(` ${code}`))) found.push(tickets[n]!)
  }
  return found
}
