import type { FaultWording } from '../definitions/define.ts'
import { INVALID_MESSAGE } from '../kernel/messages.ts'

interface Half {
  accessibility: string | null
  /** Whatever the ticket goes by, an ID or a key. */
  ticket: unknown
}

/** What keeps two places that name each other from being a pair; null: nothing. */
export const pairFault = (one: Half, other: Half): FaultWording | null => {
  if (one.accessibility === null || other.accessibility === null || one.accessibility === other.accessibility) {
    const wording = 'a pair is one wheelchair place and one companion place'
    return { file: wording, api: `${INVALID_MESSAGE}: ${wording}` }
  }
  if (one.ticket !== other.ticket) {
    return { file: 'a pair is of one ticket', api: `${INVALID_MESSAGE}: a pair is of one ticket` }
  }
  return null
}

/** Only a wheelchair place may be alone. */
export const isHalfPair = ({ accessibility, pair }: { accessibility: string | null; pair: unknown }): boolean =>
  accessibility === 'companion' && pair === null

export const HALF_PAIR_WORDING: FaultWording = {
  file: 'is missing, and a companion place is one of a pair',
  api: "can't be blank: a companion place is one of a pair",
}
