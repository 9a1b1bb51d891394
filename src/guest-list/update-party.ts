import { isDeepStrictEqual } from 'node:util'
import type { EventScope } from '../access/scopes.ts'
import { lockGuestEmails } from '../admissions/records.ts'
import { type Question, isActive, validateAnswers } from '../admissions/rules.ts'
import { findQuestions } from '../admissions/terms/records.ts'
import { Conflict, Invalid, requireFound, refuseUnless } from '../kernel/refusals.ts'
import { queueTicketMails } from '../tickets-by-mail/queue-tickets.ts'
import { publishPartyWebhook } from './announce.ts'
import type { PartyChange } from './inputs.ts'
import { lockParty, updateAttendees, updatePartyOrder } from './records.ts'
import {
  type ValuesByKey,
  type Party,
  omitEmptyFaults,
  validateAttendeeAnswers,
  validateAttendeeNames,
  questionsOfScope,
} from './rules.ts'

/** Saves what was sent and, when asked to, sends the tickets again. Refused, it saves and sends nothing. */
export const updateParty = (
  event: EventScope,
  publicId: string,
  { change = {}, deliver, before }: { change?: PartyChange; deliver: boolean; before?: ValuesByKey | null },
): Promise<Party> =>
  event.transaction(async (tx) => {
    if (change.delivery_email) await lockGuestEmails(tx, event.event.id, [change.delivery_email])
    const party = requireFound(await lockParty(tx, event.event.id, publicId))
    refuseUnless(party.status === 'paid', 'This party can no longer be changed')
    refuseOverwriting(party, before ?? {})

    const questions = asksQuestions(change) ? await findQuestions(tx, event.event.id) : []
    const changed = applyChange(party, change, questions, event.actor.email)
    refuseUnless(!deliver || changed.deliveryEmail !== null, 'No delivery address')

    await updatePartyOrder(tx, changed)
    await updateAttendees(
      tx,
      changed.admissions.filter((admission, n) => admission !== party.admissions[n]),
    )
    if (deliver) await queueTicketMails(tx, [party.id], 'delivered_again')
    if (!isDeepStrictEqual(changed, party)) await publishPartyWebhook(tx, event, 'guest_party.updated', changed)
    return changed
  })

/** The texts of a party that two people may write at the same time. */
const TEXTS: Record<string, (party: Party) => string | null> = {
  customer_name: ({ customerName }) => customerName,
  delivery_email: ({ deliveryEmail }) => deliveryEmail,
  staff_note: ({ staffNote }) => staffNote,
  customer_phone: ({ customerPhone }) => customerPhone,
  customer_company: ({ customerCompany }) => customerCompany,
}

/** Whoever says what they have read of a field does not write over what they have not. */
const refuseOverwriting = (party: Party, before: ValuesByKey) => {
  for (const [field, value] of Object.entries(before)) {
    const current = Object.hasOwn(TEXTS, field) ? TEXTS[field]!(party) : undefined
    if (current !== undefined && (current ?? '') !== (value ?? ''))
      throw new Conflict(`${field} was changed by someone else`)
  }
}

const asksQuestions = (change: PartyChange) =>
  change.custom_field_answers !== undefined || change.attendee_custom_field_answers !== undefined

const applyChange = (party: Party, change: PartyChange, questions: Question[], ownAddress: string): Party => {
  const order =
    change.custom_field_answers === undefined
      ? null
      : validateAnswers(questionsOfScope('order', questions), change.custom_field_answers ?? {})

  // Keys of nobody in this party, and of admissions that are over, change nothing.
  const live = party.admissions.filter(isActive)
  const givenAnswers = change.attendee_custom_field_answers ?? {}
  const answering = live.map(({ publicId }) => publicId).filter((key) => Object.hasOwn(givenAnswers, key))
  const attendees = validateAttendeeAnswers(questions, answering, givenAnswers)
  const companions = live.filter(({ isLead }) => !isLead).map(({ publicId }) => publicId)
  const { names, fault } = validateAttendeeNames(companions, change.attendee_names ?? {})

  const faults = omitEmptyFaults({
    custom_field_answers: order?.faults ?? null,
    attendee_custom_field_answers: attendees.faults,
    attendee_names: fault,
  })
  if (Object.keys(faults).length > 0) throw new Invalid(faults)

  const answersOf = new Map(attendees.attendees.map(({ key, answers }) => [key, answers]))
  return {
    ...party,
    ...contactAfter(party, change, ownAddress),
    answers: order?.answers ?? party.answers,
    admissions: party.admissions.map((admission) => {
      const name = names.get(admission.publicId)
      const answers = answersOf.get(admission.publicId)
      if (name === undefined && answers === undefined) return admission
      return {
        ...admission,
        attendeeName: name === undefined ? admission.attendeeName : name,
        answers: answers ?? admission.answers,
      }
    }),
  }
}

/** A key that was not sent keeps its value; null and the empty text clear. */
const contactAfter = (party: Party, change: PartyChange, ownAddress: string) => ({
  customerName: change.customer_name ?? party.customerName,
  // A client that sends back the whole party does not make the organizer's own address a guest's.
  ...(change.delivery_email !== undefined &&
    change.delivery_email !== party.deliveryEmail && {
      deliveryEmail: change.delivery_email,
      deliversToCreator: false,
    }),
  ...(change.send_to_creator && { deliveryEmail: ownAddress, deliversToCreator: true }),
  staffNote: change.staff_note === undefined ? party.staffNote : change.staff_note,
  customerPhone: change.customer_phone === undefined ? party.customerPhone : change.customer_phone,
  customerCompany: change.customer_company === undefined ? party.customerCompany : change.customer_company,
  billing: {
    street: change.billing_street === undefined ? party.billing.street : change.billing_street,
    postalCode: change.billing_postal_code === undefined ? party.billing.postalCode : change.billing_postal_code,
    city: change.billing_city === undefined ? party.billing.city : change.billing_city,
    country: change.billing_country === undefined ? party.billing.country : change.billing_country,
    vatId: change.billing_vat_id === undefined ? party.billing.vatId : change.billing_vat_id,
  },
})
