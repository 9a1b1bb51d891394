import { showDay, showTime } from '../kernel/times.ts'
import { oneLine } from '../mail/address.ts'
import { isPlainName } from '../mail/plain-name.ts'
import type { RenderedMail } from '../mail/templates.ts'
import type { CancellationMail } from './records.ts'

export const subjectOf = ({ eventTitle }: CancellationMail) => `Cancelled: ${eventTitle}`

/** The name that all orders of the address have. Guests write it themselves, and perhaps somebody else's address. */
export const greetedAs = ({ orders }: CancellationMail): string | null => {
  const names = new Set(orders.map(({ name, isStaffs }) => (isStaffs ? '' : oneLine(name))))
  const [name] = names
  return names.size === 1 && name && isPlainName(name) ? name : null
}

/** More would be a list and no letter. */
const CODES_MAX = 10

export const cancellationMailOf = (mail: CancellationMail): RenderedMail => {
  const { organizer, eventTitle, startsAt, timeZone, venueName, venueCity, orders } = mail
  const greeted = greetedAs(mail)
  const when = `${showDay(startsAt, timeZone)} · ${showTime(startsAt, timeZone)}`
  const where = [venueName, venueCity].filter(Boolean).join(', ')
  const codes = orders.slice(0, CODES_MAX).map(({ code }) => code)
  const more = orders.length - codes.length
  return {
    title: `${eventTitle} is cancelled`,
    preheader: when,
    paragraphs: [
      `Hello${greeted ? ` ${greeted}` : ''},`,
      `we are sorry: ${eventTitle}, for which you have tickets, is cancelled and does not take place.`,
      [when, where].filter(Boolean).join('\n'),
      `If you have a question, please answer this mail and name your order: ${codes.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
    ],
    footer: organizer,
  }
}
