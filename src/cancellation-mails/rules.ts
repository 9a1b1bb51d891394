import { showDay, showTime } from '../kernel/times.ts'
import { oneLine } from '../mail/address.ts'
import { isNameSafeInMail } from '../mail/plain-name.ts'
import type { RenderedMail } from '../mail/templates.ts'
import type { CancellationMail } from './records.ts'
import { CANCELLATION_MAIL_WORDS } from './words.ts'

export const subjectOf = ({ eventTitle, language }: CancellationMail) =>
  CANCELLATION_MAIL_WORDS[language].subject(eventTitle)

/** The name that all orders of the address have. Guests write it themselves, and perhaps somebody else's address. */
export const greetingNameOf = ({ orders }: CancellationMail): string | null => {
  const names = new Set(orders.map(({ name, isStaffs }) => (isStaffs ? '' : oneLine(name))))
  const [name] = names
  return names.size === 1 && name && isNameSafeInMail(name) ? name : null
}

/** More would be a list and no letter. */
const CODES_MAX = 10

export const renderCancellationMail = (mail: CancellationMail): RenderedMail => {
  const { organizer, eventTitle, startsAt, timeZone, venueName, venueCity, orders, language } = mail
  const words = CANCELLATION_MAIL_WORDS[language]
  const greeted = greetingNameOf(mail)
  const when = `${showDay(startsAt, timeZone, language)} · ${showTime(startsAt, timeZone, language)}`
  const where = [venueName, venueCity].filter(Boolean).join(', ')
  const codes = orders.slice(0, CODES_MAX).map(({ code }) => code)
  const more = orders.length - codes.length
  return {
    language,
    title: words.title(eventTitle),
    preheader: when,
    paragraphs: [
      greeted ? words.helloTo(greeted) : words.hello,
      words.weAreSorry(eventTitle),
      [when, where].filter(Boolean).join('\n'),
      words.questions(more > 0 ? words.andMore(codes.join(', '), more) : codes.join(', ')),
    ],
    footer: organizer,
  }
}
