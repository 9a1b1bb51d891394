import { showDay, showTimeWithZone } from '../../kernel/times.ts'
import type { EventOnPage } from './records.ts'

/** When and where, line by line, as the clock of the venue has it. */
export const whenAndWhere = ({ startsAt, doorsOpenAt, timeZone, venueName, venueAddress }: EventOnPage): string[] => {
  const when = `${showDay(startsAt, timeZone)}, ${showTimeWithZone(startsAt, timeZone)}`
  const doors =
    doorsOpenAt && doorsOpenAt < startsAt ? `Doors open at ${showTimeWithZone(doorsOpenAt, timeZone)}` : null
  const where = [venueName, venueAddress].filter(Boolean).join(', ')
  return [when, doors, where].filter((line): line is string => Boolean(line))
}
