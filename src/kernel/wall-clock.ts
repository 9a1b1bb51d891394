/** A format is slow to make and quick to use, so each is made once for a time zone. */
const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (timeZone: string) => {
  const known = formats.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(timeZone, made)
  return made
}

const DAY_MS = 86_400_000

/** What clocks and calendars of a time zone show at a moment, in milliseconds as if it were UTC. */
export const wallTimeOf = (moment: Date, timeZone: string): number => {
  const parts = formatOf(timeZone).formatToParts(moment)
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((each) => each.type === type)!.value)
  const shown = new Date(0)
  shown.setUTCFullYear(part('year'), part('month') - 1, part('day'))
  shown.setUTCHours(part('hour'), part('minute'), part('second'), moment.getUTCMilliseconds())
  return shown.getTime()
}

/**
 * The moment when clocks show this. Of two moments, where clocks are turned back, it is the first. Where clocks are
 * turned forward over it, it is as much later as they are turned: 02:30 becomes 03:30. Calendars everywhere read local
 * times so.
 */
export const instantOfWallTime = (wallTime: number, timeZone: string): Date => {
  const offsetAt = (time: number) => wallTimeOf(new Date(time), timeZone) - time
  const before = wallTime - offsetAt(wallTime - DAY_MS)
  const after = wallTime - offsetAt(wallTime + DAY_MS)
  const isShown = (time: number) => time + offsetAt(time) === wallTime
  return new Date([Math.min(before, after), Math.max(before, after)].find(isShown) ?? before)
}
