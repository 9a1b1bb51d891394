const DURATION =
  /^([+-])P(?=\d|T\d)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?)?$/

export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** PostgreSQL and the API know only years of four digits. */
const EARLIEST = new Date('0001-01-01T00:00:00Z').getTime()
const LATEST = new Date('9999-12-31T23:59:59.999Z').getTime()

/**
 * The moment a signed duration like "+P30D" or "-PT2H" leads to, or null when the text is none. Years and months
 * go by the calendar, and a day that the month does not have is its last; a day is 24 hours, whatever the clocks do.
 */
export const addDuration = (now: Date, text: string): Date | null => {
  const match = DURATION.exec(text)
  if (!match) return null

  const sign = match[1] === '-' ? -1 : 1
  const [years, months, weeks, days, hours, minutes, seconds] = match
    .slice(2)
    .map((digits) => sign * Number(digits ?? 0))
  const moved = addMonths(now, years! * 12 + months!)
  return readable(
    moved.getTime() +
      (weeks! * 7 + days!) * DAY_MS +
      hours! * HOUR_MS +
      minutes! * MINUTE_MS +
      Math.round(seconds! * SECOND_MS),
  )
}

const addMonths = (from: Date, months: number): Date => {
  const moved = new Date(from)
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  moved.setUTCDate(Math.min(from.getUTCDate(), daysIn(moved)))
  return moved
}

const daysIn = (month: Date) => new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0)).getUTCDate()

const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** The moment of an ISO 8601 timestamp with its offset, or null when the text is none. */
export const parseTimestamp = (text: string): Date | null => {
  const match = TIMESTAMP.exec(text)
  if (!match || !isCalendarDate(match[1]!)) return null
  return readable(Date.parse(text.replace(',', '.')))
}

/** JavaScript takes February 30 for March 2. */
export const isCalendarDate = (text: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return time >= EARLIEST && new Date(time).toISOString().startsWith(text)
}

const readable = (time: number) => (time >= EARLIEST && time <= LATEST ? new Date(time) : null)

/** Whether it is a time that can be kept and shown. */
export const isStorableTime = (time: Date): boolean => readable(time.getTime()) !== null
