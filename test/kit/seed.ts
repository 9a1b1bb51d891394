/** The seed of this run: printed when a long run fails, and taken from there to repeat it. */
export const SEED = Number(process.env['FOYER_SEED'] ?? 1 + Math.floor(Math.random() * 0x7fff_fffe))

/** Numbers from 0 up to 1 that are the same for the same seed and purpose (mulberry32). */
export const randomOf = (purpose: string): (() => number) => {
  let state = SEED
  for (const letter of purpose) state = (Math.imul(state, 31) + letter.codePointAt(0)!) | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const shuffledBy = <T>(random: () => number, list: readonly T[]): T[] => {
  const copy = [...list]
  for (let n = copy.length - 1; n > 0; n--) {
    const other = Math.floor(random() * (n + 1))
    ;[copy[n], copy[other]] = [copy[other]!, copy[n]!]
  }
  return copy
}

export const pickBy = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)]!
