import { DAY_MS, addDuration, isCalendarDate, parseTimestamp } from '../kernel/durations.ts'
import { zoneOffsetMsAt } from '../kernel/times.ts'

/** A timestamp, or a date, which means the end of that day where the account is; null when the text is neither. */
export const parseExpiry = (text: string, timeZone: string): Date | null =>
  isCalendarDate(text) ? endOfDay(text, timeZone) : parseTimestamp(text)

export const addMonths = (from: Date, months: number): Date | null => addDuration(from, `+P${months}M`)

/** The same for something that begins: a date means the first moment of that day. */
export const parseBeginning = (text: string, timeZone: string): Date | null =>
  isCalendarDate(text) ? startOfDay(text, timeZone) : parseTimestamp(text)

const startOfDay = (date: string, timeZone: string) => midnightBefore(Date.parse(`${date}T00:00:00Z`), timeZone)

const endOfDay = (date: string, timeZone: string): Date | null => {
  const end = new Date(midnightBefore(Date.parse(`${date}T00:00:00Z`) + DAY_MS, timeZone).getTime() - 1)
  return end.getUTCFullYear() > 9999 ? null : end
}

/** When a day begins at a place that begins at this moment in UTC. */
const midnightBefore = (midnight: number, timeZone: string): Date => {
  // Where the clocks change in the night the first guess is off by that hour; from there the second one is right.
  const guess = midnight - zoneOffsetMsAt(midnight, timeZone)
  const guessedOffset = zoneOffsetMsAt(guess, timeZone)
  const second = midnight - guessedOffset
  // Where they skip midnight itself, one of the two is the hour before it and the other when the day begins.
  const isSkipped = zoneOffsetMsAt(second, timeZone) !== guessedOffset
  return new Date(isSkipped ? Math.max(guess, second) : second)
}
