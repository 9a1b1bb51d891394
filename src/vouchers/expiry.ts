import { addDuration, isCalendarDate, parseTimestamp } from '../kernel/durations.ts'

/** A timestamp, or a date, which means the end of that day where the account is; null when the text is neither. */
export const readExpiry = (text: string, timeZone: string): Date | null =>
  isCalendarDate(text) ? endOfDay(text, timeZone) : parseTimestamp(text)

export const addMonths = (from: Date, months: number): Date | null => addDuration(from, `+P${months}M`)

/** The same for something that begins: a date means the first moment of that day. */
export const readBeginning = (text: string, timeZone: string): Date | null =>
  isCalendarDate(text) ? startOfDay(text, timeZone) : parseTimestamp(text)

const DAY_MS = 24 * 60 * 60 * 1000

const startOfDay = (date: string, timeZone: string) => midnightBefore(Date.parse(`${date}T00:00:00Z`), timeZone)

const endOfDay = (date: string, timeZone: string): Date | null => {
  const end = new Date(midnightBefore(Date.parse(`${date}T00:00:00Z`) + DAY_MS, timeZone).getTime() - 1)
  return end.getUTCFullYear() > 9999 ? null : end
}

/** When a day begins at a place that begins at this moment in UTC. */
const midnightBefore = (midnight: number, timeZone: string): Date => {
  // Where the clocks change in the night the first guess is off by that hour; from there the second one is right.
  const guess = midnight - offsetAt(midnight, timeZone)
  return new Date(midnight - offsetAt(guess, timeZone))
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** How far the clocks of a place are ahead of UTC at a moment. */
const offsetAt = (time: number, timeZone: string): number => {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    formats.set(timeZone, format)
  }
  const name = format.formatToParts(time).find((part) => part.type === 'timeZoneName')!.value
  const [, sign, hours, minutes = '0', seconds = '0'] =
    /^GMT(?:([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?)?$/.exec(name) ?? []
  if (!sign) return 0
  const offset = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -offset : offset
}
