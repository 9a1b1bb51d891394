import type { Language } from '../languages/rules.ts'
import { DAY_MS } from './durations.ts'

/** English as in Britain: the day before the month, and hours to 24. */
const LOCALES: Record<Language, string> = { en: 'en-GB', de: 'de-DE' }

/** How moments are written for people, in their language and by the clock of a place. */
const STYLES = {
  day: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  weekday: { weekday: 'long' },
  shortWeekday: { weekday: 'short' },
  dayOfMonth: { day: 'numeric' },
  month: { month: 'long', year: 'numeric' },
  shortMonth: { month: 'short' },
  date: { dateStyle: 'medium' },
  dateAndTime: { dateStyle: 'medium', timeStyle: 'short' },
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  timeWithZone: { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
  timestamp: {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

/** A format is slow to make and quick to use, so each is made once for a language and time zone. */
const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (style: keyof typeof STYLES, timeZone: string, language: Language): Intl.DateTimeFormat => {
  const key = `${style} ${language} ${timeZone}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat(LOCALES[language], { ...STYLES[style], timeZone })
    formats.set(key, format)
  }
  return format
}

/** A moment, or an ISO 8601 timestamp of it. */
type Moment = Date | string

/** Tickets of an event say the same thousands of times. */
const shown = new Map<string, string>()
const SHOWN_MAX = 500

const show = (style: keyof typeof STYLES, at: Moment, timeZone: string, language: Language): string => {
  const moment = new Date(at)
  const key = `${style} ${language} ${timeZone} ${moment.getTime()}`
  const known = shown.get(key)
  if (known !== undefined) return known
  const text = formatOf(style, timeZone, language).format(moment)
  if (shown.size >= SHOWN_MAX) shown.clear()
  shown.set(key, text)
  return text
}

/** Friday 15 January 2027 */
export const showDay = (at: Moment, timeZone: string, language: Language) => show('day', at, timeZone, language)

/** Friday, 15 January 2027 */
export const showDayWithComma = (at: Moment, timeZone: string, language: Language) =>
  show('day', at, timeZone, language).replace(/^(\p{L}+) /u, '$1, ')

/** Fri */
export const showWeekday = (at: Moment, timeZone: string, language: Language) =>
  show('shortWeekday', at, timeZone, language)

/** 15 */
export const showDayOfMonth = (at: Moment, timeZone: string, language: Language) =>
  show('dayOfMonth', at, timeZone, language)

/** January 2027 */
export const showMonth = (at: Moment, timeZone: string, language: Language) => show('month', at, timeZone, language)

/** Jan */
export const showShortMonth = (at: Moment, timeZone: string, language: Language) =>
  show('shortMonth', at, timeZone, language)

/** 15 Jan 2027 */
export const showDate = (at: Moment, timeZone: string, language: Language) => show('date', at, timeZone, language)

/** 15 Jan 2027, 20:00 */
export const showDateAndTime = (at: Moment, timeZone: string, language: Language) =>
  show('dateAndTime', at, timeZone, language)

/** 20:00 */
export const showTime = (at: Moment, timeZone: string, language: Language) => show('time', at, timeZone, language)

/** 20:00 CET */
export const showTimeWithZone = (at: Moment, timeZone: string, language: Language) =>
  show('timeWithZone', at, timeZone, language)

/** 2027-01-15T20:00:00+01:00: the clock of the place, and how far it is from UTC. */
export const showTimestampWithOffset = (at: Moment, timeZone: string) => {
  const parts = formatOf('timestamp', timeZone, 'en').formatToParts(new Date(at))
  const { year, month, day, hour, minute, second, timeZoneName } = Object.fromEntries(
    parts.map(({ type, value }) => [type, value]),
  )
  const offset = timeZoneName!.replace('GMT', '') || '+00:00'
  return `${year!.padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}${offset}`
}

/** How many milliseconds the clocks of a place are ahead of UTC at a moment. */
export const zoneOffsetMsAt = (time: number, timeZone: string): number => {
  const parts = formatOf('timestamp', timeZone, 'en').formatToParts(time)
  const name = parts.find((part) => part.type === 'timeZoneName')!.value
  const [, sign, hours, minutes = '0', seconds = '0'] =
    /^GMT(?:([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?)?$/.exec(name) ?? []
  if (!sign) return 0
  const offset = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -offset : offset
}

/** A moment that may fall on another day than the event: then that day is named too, by no more than it takes. */
export const showTimeWithDayIfOther = (at: string, timeZone: string, onDayOf: string, language: Language) => {
  const time = showTime(at, timeZone, language)
  if (showDay(at, timeZone, language) === showDay(onDayOf, timeZone, language)) return time
  const isNear = Math.abs(Date.parse(at) - Date.parse(onDayOf)) < 6 * DAY_MS
  return `${time} (${isNear ? show('weekday', at, timeZone, language) : showDayWithComma(at, timeZone, language)})`
}
