import { type ShopCache, type Validity, isValidAt } from '../access/shop-cache.ts'

/** Whatever else goes wrong, nothing is shown that is older. */
const AGE_MAX_MS = 60_000
const ENTRIES_MAX = 500

/** Something made of a shop's rows. */
export interface WithValidity {
  span: Validity
}

/** Of what is made of the rows as they are now; some of it is made wrong by time alone. */
export const validityOf = (now: Date, changesAt: Date | null): Validity => {
  const from = now.getTime()
  return { from, until: Math.min(from + AGE_MAX_MS, changesAt?.getTime() ?? Infinity) }
}

interface Kept<T> {
  making: Promise<T | null>
  span: Validity
  /** There once it is made. */
  made: T | null
}

/**
 * Takes a thing from the cache, at once, or makes it and puts it there. Asked for twice at the same time, it is made
 * once. What is not there to be shown (null) is never kept: anyone can make up names of it.
 */
export const getOrCache = <T extends WithValidity>(
  { now, entries }: ShopCache,
  name: string,
  make: () => Promise<T | null>,
): T | Promise<T | null> => {
  if (now === null) return make()
  const known = entries.get(name) as Kept<T> | undefined
  return known && isValidAt(known.made?.span ?? known.span, now)
    ? (known.made ?? known.making)
    : keep(entries, name, now, make())
}

const keep = async <T extends WithValidity>(
  entries: Map<string, unknown>,
  name: string,
  now: Date,
  making: Promise<T | null>,
): Promise<T | null> => {
  const kept: Kept<T> = { making, span: validityOf(now, null), made: null }
  if (entries.size >= ENTRIES_MAX) entries.clear()
  entries.set(name, kept)
  try {
    kept.made = await making
    return kept.made
  } finally {
    if (kept.made === null && entries.get(name) === kept) entries.delete(name)
  }
}
