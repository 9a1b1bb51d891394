const formats = new Map<string, Intl.DateTimeFormat>()

const formatIn = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  formats.set(zone, made)
  return made
}

/** A moment as a clock in that zone shows it, the way a date and time field holds it: 2026-12-31T20:00. */
export const toZoned = (iso: string, zone: string): string => {
  const parts = Object.fromEntries(
    formatIn(zone)
      .formatToParts(new Date(iso))
      .map(({ type, value }) => [type, value]),
  )
  return `${parts['year']!.padStart(4, '0')}-${parts['month']}-${parts['day']}T${parts['hour']}:${parts['minute']}`
}

/** The zone of the reader's own clock. */
export const browserTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

const MINUTE_MS = 60_000

/** How far a clock in that zone is ahead of UTC. */
const offsetAt = (at: number, zone: string) =>
  Date.parse(`${toZoned(new Date(at).toISOString(), zone)}Z`) - Math.floor(at / MINUTE_MS) * MINUTE_MS

/** The moment when a clock in that zone shows this; null where it is no time. In the hour that a spring leaves out, the one after it. */
export const fromZoned = (local: string, zone: string): string | null => {
  const shown = Date.parse(`${local}Z`)
  if (Number.isNaN(shown)) return null
  const near = shown - offsetAt(shown, zone)
  return new Date(shown - offsetAt(near, zone)).toISOString()
}
