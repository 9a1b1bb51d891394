/** A format is slow to make and quick to use, so each is made once for a time zone. */
const formats = new Map<string, { day: Intl.DateTimeFormat; time: Intl.DateTimeFormat }>()

const formatsOf = (timeZone: string) => {
  const known = formats.get(timeZone)
  if (known) return known
  const made = {
    day: new Intl.DateTimeFormat('en-GB', {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone,
    }),
    time: new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZoneName: 'short', timeZone }),
  }
  formats.set(timeZone, made)
  return made
}

/** Like "Friday 15 January 2027", where the event takes place. */
export const showDay = (time: Date, timeZone: string) => formatsOf(timeZone).day.format(time)

/** Like "20:00 CET". */
export const showTime = (time: Date, timeZone: string) => formatsOf(timeZone).time.format(time)
