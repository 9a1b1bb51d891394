import {
  type Answers,
  type AnswerValue,
  type Question,
  isRequiredUpfront,
  validateAnswers,
} from '../admissions/rules.ts'
import { BLANK_MESSAGE } from '../kernel/messages.ts'
import { type ErrorMap, Invalid } from '../kernel/refusals.ts'
import { type Attendee, type Checkout, admissionCount } from './rules.ts'

export interface Buyer {
  name: string
  email: string
  answers: Answers
  /** One for each admission. */
  attendees: Attendee[]
}

/** That all is answered that must be, asked while somebody can still answer; refuses with a fault beside each field. */
export const requireBuyer = ({ customer, questions, items }: Checkout): void => {
  const { name, email } = customer
  const faults: ErrorMap = {}
  if (name === null) faults['customer_name'] = [BLANK_MESSAGE]
  if (email === null) faults['customer_email'] = [BLANK_MESSAGE]

  const judge = (key: string, scope: Question['scope'], given: Answers) => {
    const asked = questions.filter((question) => question.scope === scope)
    // What was answered once stays valid; only what must be answered before the tickets are issued is asked for.
    const missing = asked.filter((question) => isRequiredUpfront(question) && !Object.hasOwn(given, question.id))
    const { faults: found } = validateAnswers(asked, given)
    const all = found.length > 0 ? found : missing.map(({ label }) => `${label} ${BLANK_MESSAGE}`)
    if (all.length > 0) faults[key] = all
  }
  judge('custom_field_answers', 'order', customer.answers)
  for (let n = 0; n < admissionCount(items); n++)
    judge(`attendees[${n}].custom_field_answers`, 'attendee', customer.attendees[n]?.answers ?? {})
  if (Object.keys(faults).length > 0) throw new Invalid(faults)
}

/**
 * Who buys, as it is stored; null without a name or an address. It was judged when the payment began, and the questions
 * may be others by now: nobody who has paid is refused for that. What does not fit them any more is left out.
 */
export const buyerOf = ({ customer, questions, items }: Checkout): Buyer | null => {
  const { name, email } = customer
  if (name === null || email === null) return null
  const answersTo = (scope: Question['scope'], given: Answers): Answers => {
    const asked = questions.filter((question) => question.scope === scope)
    const fitting = asked.map((question) => [question.id, optionsLeft(question, given[question.id])])
    const optional = asked.map((question) => ({ ...question, required: false }))
    return validateAnswers(optional, Object.fromEntries(fitting)).answers
  }
  const attendees = Array.from({ length: admissionCount(items) }, (_each, n): Attendee => {
    const given = customer.attendees[n]
    return { name: given?.name ?? null, answers: answersTo('attendee', given?.answers ?? {}) }
  })
  return { name, email, answers: answersTo('order', customer.answers), attendees }
}

const optionsLeft = ({ options }: Question, value: AnswerValue | undefined) =>
  Array.isArray(value) ? value.filter((each) => options.includes(each)) : value
