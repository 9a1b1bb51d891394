import { z } from 'zod'
import { NO_ROOM_MESSAGE, type Question, validateAnswers } from '../../admissions/rules.ts'
import { PHONE_MAX } from '../../guest-list/rules.ts'
import { isRecord, readFields } from '../../http/body.ts'
import {
  type Field,
  NAME_MAX,
  integer,
  integerWithDefault,
  optionalText,
  requiredEmail,
  requiredText,
} from '../../http/fields.ts'
import { type ErrorMap, Invalid } from '../../kernel/refusals.ts'
import {
  BLANK_MESSAGE,
  CONTAINS_URL_MESSAGE,
  INVALID_MESSAGE,
  characterCount,
  tooLongMessage,
} from '../../kernel/messages.ts'
import { containsWebAddress } from '../../mail/plain-name.ts'
import { type FieldMode, type LinkSettings, asksCompanionNames } from '../links/rules.ts'
import {
  type AnswerWithQuestion,
  type SignupRequest,
  countAllCompanions,
  omitTrailingBlankNames,
} from '../requests/rules.ts'

/** What a form brought, before anything is known about it. */
export type SubmittedFields = Record<string, unknown>

export const submittedFieldsOf = (body: unknown, envelope: string): SubmittedFields => {
  const inside = isRecord(body) ? body[envelope] : null
  return isRecord(inside) ? inside : {}
}

/** Something wrong with one input of a form: a whole sentence has no label. */
export interface SignupFault {
  field: string
  /** Which companion, from 0, or the ID of the question. */
  part?: number
  label: string
  message: string
}

export const faultSentence = ({ label, message }: SignupFault) => (label === '' ? message : `${label} ${message}`)

/** Without the labels of a form, as every other body's faults are told; only a question has no other name. */
export const errorMapOf = (faults: readonly SignupFault[]): ErrorMap => {
  const errors: ErrorMap = {}
  for (const fault of faults) {
    const message = fault.field === 'answers' ? faultSentence(fault) : fault.message
    if (!errors[fault.field]?.includes(message)) (errors[fault.field] ??= []).push(message)
  }
  return errors
}

/** More than a name can be: what is longer is refused for that. */
const READ_MAX = 1_000

/**
 * A stranger can sign up with somebody else's address, and names stand in the mail that goes there, on the tickets and
 * at the door: none of them leads anywhere.
 */
export const webAddressFaults = (link: LinkSettings, given: SubmittedFields): SignupFault[] => {
  const isAddress = (value: unknown) => typeof value === 'string' && containsWebAddress(value.slice(0, READ_MAX))
  const fields = ['name', ...(link.companyField === 'hidden' ? [] : ['company'])]
  const sent: unknown[] = asksCompanionNames(link) ? [given['companion_names']].flat() : []
  // Each of them would stand in the answer, and as many can be sent as a body holds.
  const names = sent.slice(0, link.maxCompanions)
  return [
    ...fields
      .filter((field) => isAddress(given[field]))
      .map((field) => ({ field, label: FIELD_LABELS[field]!, message: CONTAINS_URL_MESSAGE })),
    ...names.flatMap((name, part) => (isAddress(name) ? [companionFault(part, CONTAINS_URL_MESSAGE)] : [])),
  ]
}

const companionFault = (part: number, message: string): SignupFault => ({
  field: 'companion_names',
  part,
  label: `Name of companion ${part + 1}`,
  message,
})

export interface CompanionGroup {
  companions: number
  companionNames: string[]
}

export interface ValidatedSignup extends CompanionGroup {
  name: string
  email: string
  company: string | null
  phone: string | null
  answers: AnswerWithQuestion[]
}

/** Left empty by everybody who can see; programs that fill every field give themselves away. */
export const HONEYPOT_FIELD = 'website'
export const HONEYPOT_FILLED_MESSAGE = 'Please leave this field empty'

const dropped: Field<null> = z.unknown().transform(() => null)

const detail = (mode: FieldMode, most: number): Field<string | null> => {
  if (mode === 'hidden') return dropped
  return mode === 'required' ? requiredText(most) : optionalText(most)
}

/** What was signed up for, or everything that is wrong with it. What the link does not ask for is dropped. */
export const validateSignup = (
  link: LinkSettings,
  questions: readonly Question[],
  given: SubmittedFields,
): { signup: ValidatedSignup; faults: null } | { signup: null; faults: SignupFault[] } => {
  const faults: SignupFault[] = []
  if (given[HONEYPOT_FIELD] !== undefined && given[HONEYPOT_FIELD] !== '') {
    faults.push({ field: HONEYPOT_FIELD, label: '', message: HONEYPOT_FILLED_MESSAGE })
  }

  const read = readWith(
    z.object({
      name: requiredText(),
      email: requiredEmail(),
      company: detail(link.companyField, NAME_MAX),
      phone: detail(link.phoneField, PHONE_MAX),
    }),
    given,
    faults,
  )
  const bounds = { least: 0, most: link.maxCompanions }
  const companions = readWith(z.object({ companions: integerWithDefault(0, bounds) }), given, faults)?.companions ?? 0
  const companionNames = judgeNames(link, companions, given, faults)
  const answers = judgeAnswers(link.asksQuestions ? questions : [], given, faults)
  if (1 + companions > link.capacity) faults.push({ field: 'companions', label: '', message: NO_ROOM_MESSAGE })

  if (!read || faults.length > 0) return { signup: null, faults }
  return { signup: { ...read, companions, companionNames, answers }, faults: null }
}

/** How many more a guest may bring. Those who were declined left their place. */
export const companionsStillAllowed = (link: LinkSettings, request: SignupRequest) =>
  Math.max(0, link.maxCompanions - countAllCompanions(request))

export const validateCompanions = (
  link: LinkSettings,
  request: SignupRequest,
  given: SubmittedFields,
): { group: CompanionGroup; faults: null } | { group: null; faults: SignupFault[] } => {
  const faults: SignupFault[] = []
  const most = companionsStillAllowed(link, request)
  if (most === 0)
    return { group: null, faults: [{ field: 'companions', label: '', message: NO_MORE_COMPANIONS_MESSAGE }] }

  const read = readWith(z.object({ companions: integer({ least: 1, most }) }), given, faults)
  const names = judgeNames(link, read?.companions ?? 0, given, faults)
  if (read && 1 + countAllCompanions(request) + read.companions > link.capacity) {
    faults.push({ field: 'companions', label: '', message: NO_ROOM_MESSAGE })
  }
  if (!read || faults.length > 0) return { group: null, faults }
  return { group: { companions: read.companions, companionNames: names }, faults: null }
}

export const NO_MORE_COMPANIONS_MESSAGE = 'You cannot bring more companions'

export const FIELD_LABELS: Record<string, string> = {
  name: 'Name',
  email: 'Email',
  company: 'Company',
  phone: 'Phone',
  companions: 'Companions',
}

const readWith = <T extends z.ZodObject>(
  shape: T,
  given: SubmittedFields,
  faults: SignupFault[],
): z.output<T> | null => {
  try {
    return readFields(shape, given)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    for (const [field, messages] of Object.entries(error.errors)) {
      faults.push({ field, label: FIELD_LABELS[field] ?? field, message: messages[0]! })
    }
    return null
  }
}

/** The names of so many companions; a name for nobody says nothing. */
const judgeNames = (
  link: LinkSettings,
  companions: number,
  given: SubmittedFields,
  faults: SignupFault[],
): string[] => {
  if (!asksCompanionNames(link)) return []
  const sent: unknown = given['companion_names']
  const list: unknown[] = Array.isArray(sent) ? sent : [sent]

  const names = Array.from({ length: companions }, (_, part) => {
    const fault = (message: string) => void faults.push(companionFault(part, message))
    const value = list[part] ?? ''
    if (typeof value !== 'string' && typeof value !== 'number') return (fault(INVALID_MESSAGE), '')

    const name = String(value).trim()
    if (name.includes('\0') || !name.isWellFormed()) fault(INVALID_MESSAGE)
    else if (characterCount(name) > NAME_MAX) fault(tooLongMessage(NAME_MAX))
    else if (name === '' && link.companionNamesField === 'required') fault(BLANK_MESSAGE)
    return name
  })
  return omitTrailingBlankNames(names)
}

const isNothing = (value: unknown) => value === undefined || value === null || value === ''

const judgeAnswers = (
  questions: readonly Question[],
  given: SubmittedFields,
  faults: SignupFault[],
): AnswerWithQuestion[] => {
  const sent: unknown = given['answers']
  const answers = isRecord(sent) ? sent : {}
  if (questions.length > 0 && !isRecord(sent) && !isNothing(sent)) {
    return (faults.push({ field: 'answers', part: questions[0]!.id, label: 'Answers', message: INVALID_MESSAGE }), [])
  }

  return questions.flatMap((question): AnswerWithQuestion[] => {
    const judged = validateAnswers([question], answers)
    const { id, label, type } = question
    for (const sentence of judged.faults) {
      faults.push({ field: 'answers', part: id, label, message: sentence.slice(label.length + 1) })
    }
    // A box that was shown and left empty is an answer too.
    const value = judged.answers[id] ?? (type === 'checkbox' ? false : null)
    return value === null ? [] : [{ id, label, type, value }]
  })
}
