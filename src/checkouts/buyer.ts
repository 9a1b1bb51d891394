import { type Answers, type Question, isRequiredUpfront, validateAnswers } from '../admissions/rules.ts'
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

/** Who buys, once all is answered that must be; refuses with a fault beside each field that is missing. */
export const requireBuyer = ({ customer, questions, items }: Checkout): Buyer => {
  const { name, email } = customer
  const faults: ErrorMap = {}
  if (name === null) faults['customer_name'] = [BLANK_MESSAGE]
  if (email === null) faults['customer_email'] = [BLANK_MESSAGE]

  const judge = (key: string, scope: Question['scope'], given: Answers): Answers => {
    const asked = questions.filter((question) => question.scope === scope)
    // What was answered once stays valid; only what must be answered before the tickets are issued is asked for.
    const missing = asked.filter((question) => isRequiredUpfront(question) && !Object.hasOwn(given, question.id))
    const { answers, faults: found } = validateAnswers(asked, given)
    const all = found.length > 0 ? found : missing.map(({ label }) => `${label} ${BLANK_MESSAGE}`)
    if (all.length > 0) faults[key] = all
    return answers
  }
  const answers = judge('custom_field_answers', 'order', customer.answers)
  const attendees = Array.from({ length: admissionCount(items) }, (_each, n): Attendee => {
    const given = customer.attendees[n]
    return {
      name: given?.name ?? null,
      answers: judge(`attendees[${n}].custom_field_answers`, 'attendee', given?.answers ?? {}),
    }
  })
  if (name === null || email === null || Object.keys(faults).length > 0) throw new Invalid(faults)
  return { name, email, answers, attendees }
}
