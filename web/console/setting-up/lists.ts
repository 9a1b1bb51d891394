export const replaceAt = <T>(list: readonly T[], at: number, thing: T): T[] => list.with(at, thing)

export const withoutAt = <T>(list: readonly T[], at: number): T[] => list.toSpliced(at, 1)

/** One step to the front. */
export const moveUp = <T>(list: readonly T[], at: number): T[] => list.toSpliced(at, 1).toSpliced(at - 1, 0, list[at]!)

/** Entries that stand one to a line. */
export const splitLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
