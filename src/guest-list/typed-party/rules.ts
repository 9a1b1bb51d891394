/** What a typed line may name: tickets, and the areas that some of them have. */
export interface TicketToName {
  id: number
  title: string
  standing_areas: readonly { id: number; name: string }[]
}

export interface TypedParty {
  name: string
  companions: number
  ticketId: number | null
  areaId: number | null
  /** What was said behind the number and names nothing. */
  note: string
}

const COUNTED = /^(?<name>.*?)\s*(?<!\S)\+\s*(?<count>\d{1,3})(?!\S)\s*(?<rest>.*)$/su

/** How names are compared: without case, accents and punctuation. */
export const normalizeForComparison = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()

/**
 * A party as somebody types it: “Zoë Lindqvist +3 press”. Behind the number a ticket or an area may be named, if only by
 * its beginning; anything else there is a note.
 */
export const parseTypedParty = (line: string, tickets: readonly TicketToName[]): TypedParty => {
  const text = line.trim().replaceAll(/\s+/gu, ' ')
  const counted = COUNTED.exec(text)?.groups
  if (!counted) return { ...whole(text), ...endingOf(text, tickets) }
  const rest = counted['rest']!
  const named = findNamed(rest, tickets)
  return {
    name: counted['name']!.trim(),
    companions: Number(counted['count']),
    ticketId: named?.ticketId ?? null,
    areaId: named?.areaId ?? null,
    note: named ? '' : rest,
  }
}

const whole = (name: string): TypedParty => ({ name, companions: 0, ticketId: null, areaId: null, note: '' })

/** Without a number a ticket at the end is only taken for one where it is named in full, behind first and last name. */
const endingOf = (text: string, tickets: readonly TicketToName[]): Partial<TypedParty> => {
  const words = text.split(' ')
  for (let at = 2; at < words.length; at++) {
    const named = findNamed(words.slice(at).join(' '), tickets, true)
    if (named) return { name: words.slice(0, at).join(' '), ...named }
  }
  return {}
}

const findNamed = (text: string, tickets: readonly TicketToName[], inFull = false) => {
  const wanted = normalizeForComparison(text)
  if (wanted === '') return null
  const names = tickets.flatMap(({ id, title, standing_areas }) => [
    { name: normalizeForComparison(title), ticketId: id, areaId: null },
    ...standing_areas.map((area) => ({ name: normalizeForComparison(area.name), ticketId: id, areaId: area.id })),
  ])
  const found =
    names.find(({ name }) => name === wanted) ??
    (inFull ? undefined : names.find(({ name }) => name.startsWith(wanted) || name.includes(` ${wanted}`)))
  return found ? { ticketId: found.ticketId, areaId: found.areaId } : null
}
