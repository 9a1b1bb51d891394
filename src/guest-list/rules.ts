import {
  type Admission,
  type Answers,
  type NumberedPlace,
  type Order,
  type OrderableTicket,
  type Question,
  isActive,
  validateAnswers,
} from '../admissions/rules.ts'
import { NAME_MAX } from '../http/fields.ts'
import { isSplittingPair } from '../inventory/rules.ts'
import type { ErrorMap } from '../kernel/refusals.ts'
import {
  BLANK_MESSAGE,
  INVALID_MESSAGE,
  NOT_INCLUDED_MESSAGE,
  characterCount,
  tooLongMessage,
} from '../kernel/messages.ts'

export const PARTY_SIZE_MAX = 20
export const PHONE_MAX = 50

export const GUEST_FILTERS = ['all', 'expected', 'arrived'] as const
export type GuestFilter = (typeof GUEST_FILTERS)[number]

/** A guest party is an order that nobody pays for. */
export type Party = Order

export type ArrivalState = 'expected' | 'partially_arrived' | 'arrived'

const isInside = (admission: Admission) => isActive(admission) && admission.redeemedAt !== null

export const arrivedCount = (party: Party) => party.admissions.filter(isInside).length
export const partySize = (party: Party) => party.admissions.filter(isActive).length

export const arrivalStateOf = (party: Party): ArrivalState => {
  const arrived = arrivedCount(party)
  if (arrived === 0) return 'expected'
  return arrived < partySize(party) ? 'partially_arrived' : 'arrived'
}

export interface ArrivalCounts {
  expected: number
  arrived: number
}

export const countExpectedAndArrived = (parties: readonly Party[]): ArrivalCounts => {
  const counts = { expected: 0, arrived: 0 }
  for (const { admissions } of parties) {
    for (const admission of admissions) {
      if (isActive(admission)) counts[admission.redeemedAt === null ? 'expected' : 'arrived']++
    }
  }
  return counts
}

/** Who is still missing stays among the expected, also when others of the party are in. */
export const matchesFilter = (party: Party, filter: GuestFilter) =>
  filter === 'all' || (filter === 'arrived') === (arrivalStateOf(party) === 'arrived')

/** What its guests come with. Those who were cancelled before the others got another ticket are still of the former one. */
export const shownAdmissionOf = <A extends Pick<Admission, 'status'>>({ admissions }: { admissions: readonly A[] }) =>
  admissions.find(isActive) ?? admissions[0]

export const isCancellable = (party: Party) =>
  party.status === 'paid' && party.admissions.every((admission) => admission.redeemedAt === null)

export const questionsOfScope = (scope: Question['scope'], questions: readonly Question[]) =>
  questions.filter((question) => question.scope === scope)

export type ValuesByKey = Record<string, unknown>

export interface ValidatedAttendeeAnswers {
  key: string
  answers: Answers
}

/** The answers of every attendee named by the keys; faults are told once, whoever they are about. */
export const validateAttendeeAnswers = (
  questions: readonly Question[],
  keys: readonly string[],
  given: ValuesByKey,
) => {
  const asked = questionsOfScope('attendee', questions)
  const faults = new Set<string>()
  const attendees = keys.map((key): ValidatedAttendeeAnswers => {
    const own = Object.hasOwn(given, key) ? given[key] : null
    if (own !== null && own !== undefined && (typeof own !== 'object' || Array.isArray(own)))
      faults.add(INVALID_MESSAGE)
    const judged = validateAnswers(asked, typeof own === 'object' && own !== null ? (own as ValuesByKey) : {})
    for (const fault of judged.faults) faults.add(fault)
    return { key, answers: judged.answers }
  })
  return { attendees, faults: [...faults] }
}

/** Names by attendee; a blank one leaves a companion unnamed. Keys of nobody here say nothing. */
export const validateAttendeeNames = (keys: readonly string[], given: ValuesByKey) => {
  const names = new Map<string, string | null>()
  let fault: string | null = null
  for (const key of keys) {
    if (!Object.hasOwn(given, key)) continue
    const value = given[key]
    if (value === null || value === undefined) names.set(key, null)
    else if (typeof value === 'number' || typeof value === 'string') {
      const name = String(value).trim()
      if (name.includes('\0') || !name.isWellFormed()) fault = INVALID_MESSAGE
      else if (characterCount(name) > NAME_MAX) fault = tooLongMessage(NAME_MAX)
      names.set(key, name || null)
    } else fault = INVALID_MESSAGE
  }
  return { names, fault }
}

/** The places in the order they were asked for. Whether they are still free is decided when they are claimed. */
export const chooseSeats = (
  ticket: OrderableTicket,
  known: readonly NumberedPlace[],
  placeIds: readonly number[],
): { places: NumberedPlace[]; fault: string | null } => {
  const refuse = (fault: string) => ({ places: [], fault })
  if (ticket.inventoryKind !== 'places')
    return placeIds.length > 0 ? refuse(INVALID_MESSAGE) : { places: [], fault: null }
  if (placeIds.length === 0) return refuse(BLANK_MESSAGE)
  if (new Set(placeIds).size < placeIds.length) return refuse(INVALID_MESSAGE)

  const byId = new Map(known.map((place) => [place.id, place]))
  const places = placeIds.flatMap((id) => byId.get(id) ?? [])
  if (places.length < placeIds.length) return refuse(NOT_INCLUDED_MESSAGE)
  if (isSplittingPair(places)) return refuse('A wheelchair place and its companion place are only available together')
  return { places, fault: null }
}

/** Only the fields that have something wrong with them. */
export const omitEmptyFaults = (faults: Record<string, string[] | string | null>): ErrorMap =>
  Object.fromEntries(
    Object.entries(faults)
      .map(([field, messages]) => [field, typeof messages === 'string' ? [messages] : (messages ?? [])] as const)
      .filter(([, messages]) => messages.length > 0),
  )
