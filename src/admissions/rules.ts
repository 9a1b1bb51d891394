import { isEmail, normalizeEmail } from '../kernel/emails.ts'
import {
  BLANK_MESSAGE,
  INVALID_MESSAGE,
  NOT_ACCEPTED_MESSAGE,
  NOT_A_NUMBER_MESSAGE,
  NOT_INCLUDED_MESSAGE,
  characterCount,
  tooLongMessage,
} from '../kernel/messages.ts'

const ANSWER_MAX = 5_000
export const STAFF_NOTE_MAX = 500
const PHONE = /^[+(]?\d[\d\s().\-/+]{2,48}$/

type QuestionType = 'text' | 'textarea' | 'select' | 'multi_select' | 'checkbox' | 'number' | 'date' | 'email' | 'phone'

export interface Question {
  id: number
  label: string
  type: QuestionType
  scope: 'order' | 'attendee'
  required: boolean
  /** A required question that may still be open when the tickets are issued. */
  completeLater: boolean
  options: string[]
  helpText: string | null
}

/** Checkboxes are booleans, multiple choices lists, everything else is text. */
export type AnswerValue = string | boolean | string[]
export type Answers = Record<string, AnswerValue>

export interface ValidatedAnswers {
  answers: Answers
  /** Sentences that name the question. */
  faults: string[]
}

export const isRequiredUpfront = (question: Question) => question.required && !question.completeLater

/** The answers to these questions and no others: whatever else was sent belongs to nobody here and is dropped. */
export const validateAnswers = (
  questions: readonly Question[],
  given: Readonly<Record<string, unknown>>,
): ValidatedAnswers => {
  const answers: Answers = {}
  const faults: string[] = []

  for (const question of questions) {
    const value = Object.hasOwn(given, question.id) ? given[question.id] : undefined
    const judged = isEmpty(value) ? null : readAnswer(question, value)
    if (judged === null) {
      if (isRequiredUpfront(question)) faults.push(`${question.label} ${BLANK_MESSAGE}`)
    } else if ('fault' in judged) faults.push(`${question.label} ${judged.fault}`)
    else answers[question.id] = judged.value
  }
  return { answers, faults }
}

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.every((each) => each === null || each === ''))

type ReadAnswer = { value: AnswerValue } | { fault: string }

const readAnswer = (question: Question, value: unknown): ReadAnswer => {
  if (question.type === 'checkbox') return readCheckbox(question, value)
  if (question.type === 'multi_select') return readChoices(question, value)

  const text = textOf(value)
  if (text === null) return { fault: INVALID_MESSAGE }
  if (characterCount(text) > ANSWER_MAX) return { fault: tooLongMessage(ANSWER_MAX) }
  return readText(question, text)
}

/** Whether something can be the answer to a question of this type, whatever choices there are now. */
export const isAnswerOfType = (type: string, value: unknown): value is AnswerValue => {
  if (type === 'checkbox') return typeof value === 'boolean'
  const texts = type === 'multi_select' ? value : [value]
  return Array.isArray(texts) && texts.every((text) => textOf(text) === text && characterCount(text) <= ANSWER_MAX)
}

const readCheckbox = (question: Question, value: unknown): ReadAnswer => {
  if (value === true || value === 'true' || value === 1 || value === '1' || value === 'on') return { value: true }
  if (value !== false && value !== 'false' && value !== 0 && value !== '0') return { fault: INVALID_MESSAGE }
  return isRequiredUpfront(question) ? { fault: NOT_ACCEPTED_MESSAGE } : { value: false }
}

const readChoices = ({ options }: Question, value: unknown): ReadAnswer => {
  const chosen = (Array.isArray(value) ? value : [value]).filter((each) => each !== null && each !== '').map(textOf)
  if (chosen.some((each) => each === null || !options.includes(each))) return { fault: NOT_INCLUDED_MESSAGE }
  // In the order of the options, each once, so that the same choice is always stored the same way.
  return { value: options.filter((option) => chosen.includes(option)) }
}

const readText = ({ type, options }: Question, text: string): ReadAnswer => {
  switch (type) {
    case 'select':
      return options.includes(text) ? { value: text } : { fault: NOT_INCLUDED_MESSAGE }
    case 'number':
      return /^[+-]?\d{1,30}([.,]\d{1,30})?$/.test(text) ? { value: text } : { fault: NOT_A_NUMBER_MESSAGE }
    case 'date':
      return isDate(text) ? { value: text } : { fault: INVALID_MESSAGE }
    case 'email':
      return isEmail(normalizeEmail(text)) ? { value: text } : { fault: INVALID_MESSAGE }
    case 'phone':
      return PHONE.test(text) ? { value: text } : { fault: INVALID_MESSAGE }
    default:
      return { value: text }
  }
}

const textOf = (value: unknown): string | null => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed()) return null
  return value.trim()
}

const isDate = (text: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)

export type AdmissionStatus = 'active' | 'cancelled' | 'refunded' | 'refund_pending'
export type OrderStatus = 'paid' | 'booking_cancelled' | 'unpaid' | 'refunded' | 'cancelled' | 'disputed'

export interface Billing {
  street: string | null
  postalCode: string | null
  city: string | null
  country: string | null
  vatId: string | null
}

export const NO_BILLING: Billing = { street: null, postalCode: null, city: null, country: null, vatId: null }

export interface Admission {
  id: number
  publicId: string
  checkInCode: string
  ticketId: number | null
  ticketTitle: string
  isLead: boolean
  /** Null while a companion has no name of their own. */
  attendeeName: string | null
  answers: Answers
  status: AdmissionStatus
  redeemedAt: Date | null
  placeId: number | null
  placeLabel: string | null
  /** Whether the place is one half of a wheelchair pair. */
  isPaired: boolean
}

export interface Order {
  id: number
  publicId: string
  orderCode: string
  origin: 'guest_list' | 'shop'
  status: OrderStatus
  customerName: string
  deliveryEmail: string | null
  deliversToCreator: boolean
  staffNote: string | null
  customerPhone: string | null
  customerCompany: string | null
  billing: Billing
  answers: Answers
  paidAt: Date | null
  creatorName: string | null
  createdAt: Date
  admissions: Admission[]
}

/** The name at the door. The lead's is the order's own, and an unnamed companion is the lead's guest. */
export const attendeeNameOf = (
  { customerName }: { customerName: string },
  { isLead, attendeeName }: { isLead: boolean; attendeeName: string | null },
) => (isLead ? customerName : (attendeeName ?? `Guest of ${customerName}`))

export const isActive = ({ status }: Pick<Admission, 'status'>) => status === 'active'

/** A live admission that nobody came in with, on a place of its own or none. */
export const isReleasable = (admission: Admission) =>
  isActive(admission) && admission.redeemedAt === null && !admission.isPaired

/** A live admission on a numbered place that nobody came in with; linked places move together or not at all. */
export const isSeatExchangeable = (admission: Admission) => isReleasable(admission) && admission.placeId !== null

/** What the door is told of a place, fixed when it is taken: a later change of the seat map does not reach it. */
export interface PlaceSnapshot {
  key: string | null
  label: string
  section: string | null
  row: string | null
  seat: string | null
  area: string | null
  accessibility: string | null
}

export interface NumberedPlace {
  id: number
  key: string
  label: string
  section: string | null
  row: string | null
  seat: string | null
  accessibility: string | null
  pairPlaceId: number | null
}

export const snapshotOfPlace = (place: Omit<NumberedPlace, 'id' | 'pairPlaceId'>): PlaceSnapshot => ({
  key: place.key,
  label: place.label,
  section: place.section,
  row: place.row,
  seat: place.seat,
  area: null,
  accessibility: place.accessibility,
})

export const snapshotOfArea = (name: string): PlaceSnapshot => ({
  key: null,
  label: name,
  section: null,
  row: null,
  seat: null,
  area: name,
  accessibility: null,
})

/** A ticket with all that decides how it may be taken, as it stands now. */
export interface OrderableTicket {
  id: number
  title: string
  kind: 'StandardTicket' | 'GroupTicket'
  inventoryKind: 'ga' | 'standing' | 'places'
  isArchived: boolean
  /** The open ones. */
  standingAreas: { id: number; name: string }[]
}

/** Price, visibility and the sales window bind buyers, not the venue's own list. */
export const isEligibleForGuestList = (ticket: OrderableTicket | null): ticket is OrderableTicket =>
  ticket !== null && ticket.kind === 'StandardTicket' && !ticket.isArchived

/** The standing area to take from, or what is wrong with the one that was asked for. */
export const chooseStandingArea = (
  ticket: OrderableTicket,
  askedId: number | null,
): { area: { id: number; name: string } | null; fault: null } | { area: null; fault: string } => {
  if (ticket.inventoryKind !== 'standing') {
    return askedId === null ? { area: null, fault: null } : { area: null, fault: NOT_INCLUDED_MESSAGE }
  }
  const { standingAreas } = ticket
  if (askedId === null) {
    if (standingAreas.length === 1) return { area: standingAreas[0]!, fault: null }
    return { area: null, fault: standingAreas.length === 0 ? NO_ROOM_MESSAGE : BLANK_MESSAGE }
  }
  const area = standingAreas.find(({ id }) => id === askedId)
  return area ? { area, fault: null } : { area: null, fault: NOT_INCLUDED_MESSAGE }
}

export const NO_ROOM_MESSAGE = 'Not enough places available'
export const SEATS_GONE_MESSAGE = 'Seats are no longer available'
