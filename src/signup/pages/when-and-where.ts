import { showDay, showTimeWithZone } from '../../kernel/times.ts'
import type { Language } from '../../languages/rules.ts'
import type { EventOnPage } from './records.ts'
import { SIGNUP_WORDS } from './words.ts'

/** When and where, line by line, as the clock of the venue has it. */
export const whenAndWhere = (
  { startsAt, doorsOpenAt, timeZone, venueName, venueAddress }: EventOnPage,
  language: Language,
): string[] => {
  const when = `${showDay(startsAt, timeZone, language)}, ${showTimeWithZone(startsAt, timeZone, language)}`
  const doors =
    doorsOpenAt && doorsOpenAt < startsAt
      ? SIGNUP_WORDS[language].doorsOpenAt(showTimeWithZone(doorsOpenAt, timeZone, language))
      : null
  const where = [venueName, venueAddress].filter(Boolean).join(', ')
  return [when, doors, where].filter((line): line is string => Boolean(line))
}
