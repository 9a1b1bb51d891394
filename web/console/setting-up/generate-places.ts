/** What is said of the seats that are to be made. */
export interface SeatPattern {
  section: string
  /** "A–M", "1–20", "A, B, D". */
  rows: string
  seats: string
  first: string
  direction: 'right' | 'left'
  pairs: string
  /** The name of the row in which the wheelchair pairs are; empty: the last one. */
  pairRow: string
  label: string
}

export interface GeneratedPlace {
  key: string
  label: string
  section: string | null
  row: string
  seat: string
  accessibility: 'wheelchair' | 'companion' | null
  pair: string | null
}

export type PatternFault =
  | { field: 'rows' | 'seats' | 'first' | 'pairs' | 'pairRow'; label?: undefined }
  | { field: 'tooMany'; label?: undefined }
  | { field: 'taken' | 'twice'; label: string }

export type GenerationResult =
  | { places: readonly GeneratedPlace[]; fault: null }
  | { places: null; fault: PatternFault }

export const PLACES_MAX = 5_000
const SEATS_MAX = 500
const ROWS_MAX = 500

/** A, B … Z, AA, AB …: rows count on as columns of a table do. */
const letterNumber = (letters: string) =>
  Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)

const lettersOf = (number: number): string =>
  number <= 0 ? '' : lettersOf(Math.floor((number - 1) / 26)) + String.fromCharCode(65 + ((number - 1) % 26))

const expand = (part: string): string[] | null => {
  const [, from, to] = /^(\S+?)\s*(?:-|–|—|…|\.\.+)\s*(\S+)$/.exec(part) ?? []
  if (from === undefined || to === undefined) return /^\S.{0,19}$/.test(part) ? [part] : null
  const areNumbers = /^\d{1,4}$/.test(from) && /^\d{1,4}$/.test(to)
  const areLetters = /^[A-Z]{1,2}$/i.test(from) && /^[A-Z]{1,2}$/i.test(to)
  if (!areNumbers && !areLetters) return null
  const read = areNumbers ? Number : (text: string) => letterNumber(text.toUpperCase())
  const write = areNumbers ? String : lettersOf
  const [low, high] = [read(from), read(to)]
  if (high < low || high - low >= ROWS_MAX) return null
  return Array.from({ length: high - low + 1 }, (_, n) => write(low + n))
}

/** The names of the rows, or null where the text says none. */
export const parseRowNames = (text: string): string[] | null => {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const rows = parts.flatMap((part) => expand(part) ?? [''])
  return rows.length === 0 || rows.includes('') || new Set(rows).size < rows.length ? null : rows
}

const wholeNumber = (text: string, least: number, most: number): number | null => {
  const number = Number(text.trim())
  return /^\d+$/.test(text.trim()) && number >= least && number <= most ? number : null
}

const fill = (pattern: string, { section, row, seat }: Record<'section' | 'row' | 'seat', string>) =>
  pattern
    .replaceAll('{section}', section)
    .replaceAll('{row}', row)
    .replaceAll('{seat}', seat)
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The seats of a row at which pairs begin: from the ends of the row inwards, left and right in turn. */
const pairStarts = (pairs: number, seats: number): number[] =>
  Array.from({ length: pairs }, (_, n) => (n % 2 === 0 ? n : seats - 1 - n))

/** The places that a pattern makes, in the order of the plan. */
export const generatePlaces = (
  pattern: SeatPattern,
  taken: { labels: ReadonlySet<string>; keys: ReadonlySet<string> },
): GenerationResult => {
  const no = (fault: PatternFault): GenerationResult => ({ places: null, fault })
  const rows = parseRowNames(pattern.rows)
  if (!rows) return no({ field: 'rows' })
  const seats = wholeNumber(pattern.seats, 1, SEATS_MAX)
  if (seats === null) return no({ field: 'seats' })
  const first = wholeNumber(pattern.first, 0, 99_999)
  if (first === null) return no({ field: 'first' })
  if (rows.length * seats > PLACES_MAX) return no({ field: 'tooMany' })
  const pairRow = pattern.pairRow.trim() === '' ? rows.at(-1)! : pattern.pairRow.trim()
  const pairs = pattern.pairs.trim() === '' ? 0 : wholeNumber(pattern.pairs, 0, SEATS_MAX)
  if (pairs === null || pairs * 2 > seats) return no({ field: 'pairs' })
  if (pairs > 0 && !rows.includes(pairRow)) return no({ field: 'pairRow' })

  const section = pattern.section.trim()
  const numbers = Array.from({ length: seats }, (_, n) => String(first + n))
  const shown = pattern.direction === 'left' ? numbers.toReversed() : numbers
  const prefix = section === '' ? '' : `${section} `
  const keyOf = (row: string, seat: string) => freeKey(`${prefix}${row}-${seat}`, taken.keys)
  const places = rows.flatMap((row) => {
    const inRow = shown.map((seat): GeneratedPlace => ({
      key: keyOf(row, seat),
      label: fill(pattern.label, { section, row, seat }),
      section: section === '' ? null : section,
      row,
      seat,
      accessibility: null,
      pair: null,
    }))
    return row === pairRow ? withPairs(inRow, pairs) : inRow
  })

  const labels = new Set<string>()
  for (const { label } of places) {
    if (taken.labels.has(label)) return no({ field: 'taken', label })
    if (labels.has(label) || label === '') return no({ field: 'twice', label })
    labels.add(label)
  }
  return { places, fault: null }
}

const freeKey = (key: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(key)) return key
  for (let n = 2; ; n++) if (!taken.has(`${key}-${n}`)) return `${key}-${n}`
}

/** The wheelchair is at the end of the row, its companion beside it. */
const withPairs = (row: readonly GeneratedPlace[], pairs: number): GeneratedPlace[] => {
  const next = [...row]
  for (const [n, start] of pairStarts(pairs, row.length).entries()) {
    const [outer, inner] = n % 2 === 0 ? [start, start + 1] : [start + 1, start]
    next[outer] = { ...row[outer]!, accessibility: 'wheelchair', pair: row[inner]!.key }
    next[inner] = { ...row[inner]!, accessibility: 'companion', pair: row[outer]!.key }
  }
  return next
}
