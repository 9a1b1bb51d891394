import { type Shelf, type Span, covers } from '../access/shops.ts'

/** Whatever else goes wrong, nothing is shown that is older. */
const AGE_MAX_MS = 60_000
const THINGS_MAX = 500

/** Something made of a shop's rows. */
export interface Timed {
  span: Span
}

/** Of what is made of the rows as they are now; some of it is made wrong by time alone. */
export const spanOf = (now: Date, changesAt: Date | null): Span => {
  const from = now.getTime()
  return { from, until: Math.min(from + AGE_MAX_MS, changesAt?.getTime() ?? Infinity) }
}

interface Kept<T> {
  making: Promise<T | null>
  span: Span
  /** There once it is made. */
  made: T | null
}

/**
 * Takes a thing from the shelf, at once, or makes it and puts it there. Asked for twice at the same time, it is made
 * once. What is not there to be shown (null) is never kept: anyone can make up names of it.
 */
export const remember = <T extends Timed>(
  { now, things }: Shelf,
  name: string,
  make: () => Promise<T | null>,
): T | Promise<T | null> => {
  if (now === null) return make()
  const known = things.get(name) as Kept<T> | undefined
  return known && covers(known.made?.span ?? known.span, now)
    ? (known.made ?? known.making)
    : keep(things, name, now, make())
}

const keep = async <T extends Timed>(
  things: Map<string, unknown>,
  name: string,
  now: Date,
  making: Promise<T | null>,
): Promise<T | null> => {
  const kept: Kept<T> = { making, span: spanOf(now, null), made: null }
  if (things.size >= THINGS_MAX) things.clear()
  things.set(name, kept)
  try {
    kept.made = await making
    return kept.made
  } finally {
    if (kept.made === null && things.get(name) === kept) things.delete(name)
  }
}
