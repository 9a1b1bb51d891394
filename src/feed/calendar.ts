import { markupToPlainText } from '../rich-text/sanitize.ts'
import type { ShownEvent } from './wire.ts'

const LINE_OCTETS_MAX = 75

/** The event as a calendar takes it (RFC 5545), made at this moment. Its end is named only where the venue shows it. */
export const calendarOf = (event: ShownEvent, stampedAt: Date): string => {
  const { venue } = event
  const where = [venue.name, venue.address, [venue.postal_code, venue.city].filter(Boolean).join(' '), venue.country]
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Foyer//Programme//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${event.slug}@${new URL(event.url).hostname}`,
    `DTSTAMP:${showUtc(stampedAt)}`,
    `DTSTART:${showUtc(new Date(event.starts_at))}`,
    event.show_end_time && `DTEND:${showUtc(new Date(event.ends_at))}`,
    `SUMMARY:${escapeText(event.title)}`,
    event.description !== '' && `DESCRIPTION:${escapeText(markupToPlainText(event.description))}`,
    where.some(Boolean) && `LOCATION:${escapeText(where.filter(Boolean).join(', '))}`,
    venue.latitude !== null && `GEO:${venue.latitude};${venue.longitude}`,
    `URL:${event.url}`,
    `STATUS:${event.sales_status === 'cancelled' ? 'CANCELLED' : 'CONFIRMED'}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines
    .filter((line) => line !== false)
    .map((line) => `${fold(line)}\r\n`)
    .join('')
}

/** 20301214T190000Z */
const showUtc = (at: Date) => at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')

const escapeText = (text: string) =>
  text
    .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    .replaceAll(/\p{Cc}/gu, ' ')

/** Lines of at most 75 octets, broken between characters and never within one. */
const fold = (line: string) => {
  let folded = ''
  let octets = 0
  for (const character of line) {
    const length = Buffer.byteLength(character)
    if (octets + length > LINE_OCTETS_MAX) {
      folded += '\r\n '
      octets = 1
    }
    folded += character
    octets += length
  }
  return folded
}
