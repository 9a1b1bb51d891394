/** Times as people at the venue read them. */
const formats = new Map<string, Intl.DateTimeFormat>()

const format = (timeZone: string, options: Intl.DateTimeFormatOptions) => {
  const key = `${timeZone} ${JSON.stringify(options)}`
  let found = formats.get(key)
  if (!found) {
    found = new Intl.DateTimeFormat('en-GB', { timeZone, ...options })
    formats.set(key, found)
  }
  return found
}

/** Saturday, 14 December 2030 */
export const showDay = (at: string, timeZone: string) =>
  format(timeZone, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
    .format(new Date(at))
    .replace(/^(\p{L}+) /u, '$1, ')

/** 20:00 */
export const showTime = (at: string, timeZone: string) =>
  format(timeZone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(at))

/** 2030-12-14T20:00:00+01:00: the venue's own clock, and how far it is from UTC. */
export const showWithOffset = (at: string, timeZone: string) => {
  const parts = format(timeZone, { ...CLOCK, timeZoneName: 'longOffset' }).formatToParts(new Date(at))
  const { year, month, day, hour, minute, second, timeZoneName } = Object.fromEntries(
    parts.map(({ type, value }) => [type, value]),
  )
  const offset = timeZoneName!.replace('GMT', '') || '+00:00'
  return `${year!.padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}${offset}`
}

const CLOCK: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
}

/** December 2030 */
export const showMonth = (at: string, timeZone: string) =>
  format(timeZone, { month: 'long', year: 'numeric' }).format(new Date(at))

export const showWeekday = (at: string, timeZone: string) => format(timeZone, { weekday: 'short' }).format(new Date(at))

export const showDayOfMonth = (at: string, timeZone: string) =>
  format(timeZone, { day: 'numeric' }).format(new Date(at))

export const showShortMonth = (at: string, timeZone: string) =>
  format(timeZone, { month: 'short' }).format(new Date(at))

const WEEK_MS = 7 * 24 * 3600 * 1000

/** A moment that may fall on another day than the event: then that day is named too, by no more than it takes. */
export const showMoment = (at: string, timeZone: string, onDayOf: string) => {
  const time = showTime(at, timeZone)
  if (showDay(at, timeZone) === showDay(onDayOf, timeZone)) return time
  const isNear = Math.abs(Date.parse(at) - Date.parse(onDayOf)) < WEEK_MS - 24 * 3600 * 1000
  const day = isNear ? format(timeZone, { weekday: 'long' }).format(new Date(at)) : showDay(at, timeZone)
  return `${time} (${day})`
}
