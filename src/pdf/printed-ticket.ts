import { showDay, showTimeWithZone } from '../kernel/times.ts'
import type { Language } from '../languages/rules.ts'
import { TICKET_WORDS } from './words.ts'

/** One admission, as far as paper shows it. */
export interface PrintedTicket {
  /** What the QR code holds. */
  publicId: string
  checkInCode: string
  orderCode: string
  /** Whose house it is: the account's name. */
  organizer: string
  eventTitle: string
  startsAt: Date
  doorsOpenAt: Date | null
  timeZone: string
  venueName: string | null
  venueAddress: string | null
  /** Null for a guest whose name is not known yet. */
  attendeeName: string | null
  partyLead: string
  isLead: boolean
  ticketTitle: string
  /** Hexadecimal, like #2f6fed. */
  ticketColor: string
  /** A seat's label or a standing area's name. */
  place: string | null
  number: number
  partySize: number
}

/** A guest whose name is not known yet came with the party's lead. */
export const guestNameOf = ({ attendeeName, isLead, partyLead }: PrintedTicket, language: Language) =>
  attendeeName ?? (isLead ? partyLead : TICKET_WORDS[language].guestOf(partyLead))

/** Like "Friday, 15 January 2027 · 20:00 CET". */
export const showStart = ({ startsAt, timeZone }: PrintedTicket, language: Language) =>
  `${showDay(startsAt, timeZone, language)} · ${showTimeWithZone(startsAt, timeZone, language)}`

/** Doors that open on an earlier day say which. */
export const showDoorsOpenTime = ({ startsAt, doorsOpenAt, timeZone }: PrintedTicket, language: Language) => {
  if (!doorsOpenAt) return null
  const isSameDay = showDay(doorsOpenAt, timeZone, language) === showDay(startsAt, timeZone, language)
  const day = isSameDay ? '' : `${showDay(doorsOpenAt, timeZone, language)} · `
  return TICKET_WORDS[language].doorsOpen(day + showTimeWithZone(doorsOpenAt, timeZone, language))
}
