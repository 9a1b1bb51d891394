import { instantOfWallTime, wallTimeOf } from '../../kernel/wall-clock.ts'

type Times<Key extends string> = Readonly<Partial<Record<Key, Date | null>>>

/** Moves a time as far as clocks and calendars of the time zone lie apart at two others. */
export type ShiftTime = (time: Date) => Date

/**
 * As far as a copy lies from its original: so many days, and the hours between the two starts where the copy begins at
 * another hour. It is measured on the clock on the wall, so 20:00 stays 20:00 when one of them is in daylight saving time.
 */
export const wallClockShift = (from: Date, to: Date, timeZone: string): ShiftTime => {
  const distance = wallTimeOf(to, timeZone) - wallTimeOf(from, timeZone)
  return (time) =>
    time.getTime() === from.getTime() ? to : instantOfWallTime(wallTimeOf(time, timeZone) + distance, timeZone)
}

/**
 * Moves every time of a thing. Each pair names a time and one that came before or after it and still has to: where
 * clocks are turned in between, what is shown on them may not say so, and then the second keeps its distance in hours.
 */
export const shiftTimes = <Thing extends object>(
  thing: Thing,
  move: ShiftTime,
  pairs: readonly (readonly [keyof Thing & string, keyof Thing & string])[],
): Thing => {
  const moved = { ...thing } as Record<string, unknown>
  for (const [key, value] of Object.entries(thing)) if (value instanceof Date) moved[key] = move(value)
  for (const [first, second] of pairs) {
    const was = distanceIn(thing as Times<string>, first, second)
    const is = distanceIn(moved as Times<string>, first, second)
    if (was === null || is === null || Math.sign(was) === Math.sign(is)) continue
    moved[second] = new Date((moved[first] as Date).getTime() + was)
  }
  return moved as Thing
}

const distanceIn = (thing: Times<string>, first: string, second: string): number | null => {
  const [from, to] = [thing[first], thing[second]]
  return from && to ? to.getTime() - from.getTime() : null
}
