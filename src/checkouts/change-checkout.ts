import { batchTransactions } from '../access/batches.ts'
import type { AccountScope, Tx } from '../access/scopes.ts'
import { validateAnswers } from '../admissions/rules.ts'
import { holdEach } from '../inventory/claim.ts'
import { endHolds } from '../inventory/holds/records.ts'
import { MUST_BE_BLANK_MESSAGE, atMostMessage } from '../kernel/messages.ts'
import { type ErrorMap, Invalid, Refusal, refusalOr, requireFound, refuseUnless } from '../kernel/refusals.ts'
import { validateItems, holdRequestOf, shortageRefusal } from './choose-items.ts'
import { saleQuestionOf } from './create-checkout.ts'
import type { CheckoutChange, ItemInput } from './inputs.ts'
import { lockOpenCheckout, requireOpen } from './open-checkout.ts'
import {
  findAccessCodes,
  findCheckout,
  findCheckouts,
  lockCheckouts,
  replaceItems,
  updateCustomers,
} from './records.ts'
import { type Attendee, type Checkout, admissionCount, holdIdsOf } from './rules.ts'
import { adjustVoucherReservations } from './set-voucher-aside.ts'
import { findSaleConditions } from './terms/records.ts'

/** Writes what was sent; other items take the place of what was held, all of them or none. */
export const changeCheckout = async (scope: AccountScope, id: number, change: CheckoutChange): Promise<Checkout> => {
  const { items } = change
  if (items === undefined) {
    const changed = await changedTogether({ scope, id, change })
    if (changed instanceof Refusal) throw changed
    return changed
  }
  return scope.transaction(async (tx) => {
    await changeItems(scope.within(tx), tx, await lockOpenCheckout(tx, id), items)
    const checkout = requireFound(await findCheckout(tx, id))
    return requireFound((await updateCustomers(tx, [{ checkout, change: customerChangeOf(checkout, change) }]))[0])
  })
}

interface Change {
  scope: AccountScope
  id: number
  change: CheckoutChange
}

/** Who buys, said by several at once: whoever is refused is told so, and holds nobody up. */
const changeCustomers = async (tx: Tx, asked: readonly Change[]): Promise<(Checkout | Refusal)[]> => {
  const ids = asked.map(({ id }) => id)
  await lockCheckouts(tx, ids)
  const checkouts = await findCheckouts(tx, ids)
  const judged = asked.map(({ id, change }) =>
    refusalOr(() => {
      const checkout = requireOpen(requireFound(checkouts.get(id)))
      return { checkout, change: customerChangeOf(checkout, change) }
    }),
  )
  const toWrite = judged.flatMap((each) => (each instanceof Refusal ? [] : [each]))
  const written = toWrite.length > 0 ? await updateCustomers(tx, toWrite) : []
  return judged.map((each) => (each instanceof Refusal ? each : written[toWrite.indexOf(each)]!))
}

const changedTogether = batchTransactions(({ scope, id }: Change) => ({ scope, subject: id }), changeCustomers)

const customerChangeOf = (
  checkout: Checkout,
  { custom_field_answers: answers, attendees, items: _items, ...customer }: CheckoutChange,
) => ({ ...customer, ...readAnswers(checkout, { answers, attendees }) })

const changeItems = async (
  inside: AccountScope,
  tx: Tx,
  checkout: Checkout,
  asked: readonly ItemInput[],
): Promise<void> => {
  const { event } = checkout
  refuseUnless(event, { items: [MUST_BE_BLANK_MESSAGE] })
  const codes = await findAccessCodes(tx, checkout.id)
  const terms = requireFound(await findSaleConditions(tx, saleQuestionOf(event.slug, asked, codes)))
  const items = validateItems(terms, asked)

  // Its own hold never blocks it: what it had is given back first, and what it wants is taken in the same transaction.
  await endHolds(tx, event.id, holdIdsOf(checkout.items))
  const [outcome] = await holdEach(tx, event.id, [holdRequestOf(items)], checkout.expiresAt)
  if (outcome!.refused !== null) throw shortageRefusal(outcome!)
  const held = items.map((item, n) => ({ ...item, holdId: outcome!.holdIds[n]! }))
  await replaceItems(tx, { id: checkout.id, eventId: event.id }, held)
  await adjustVoucherReservations(inside, tx, requireFound(await findCheckout(tx, checkout.id)))
}

interface SentAnswers {
  answers: CheckoutChange['custom_field_answers']
  attendees: CheckoutChange['attendees']
}

/** What is answered must fit its question; whether all is answered is asked when it is paid. */
const readAnswers = (checkout: Checkout, sent: SentAnswers) => {
  const faults: ErrorMap = {}
  const optional = checkout.questions.map((question) => ({ ...question, required: false }))
  const ofOrder = optional.filter(({ scope }) => scope === 'order')
  const ofGuest = optional.filter(({ scope }) => scope === 'attendee')

  const judge = (key: string, questions: typeof optional, given: Record<string, unknown> | null) => {
    const { answers, faults: found } = validateAnswers(questions, given ?? {})
    if (found.length > 0) faults[key] = found
    return answers
  }
  const answers = sent.answers === undefined ? undefined : judge('custom_field_answers', ofOrder, sent.answers)
  const attendees = sent.attendees?.map(({ name, custom_field_answers: given }, n): Attendee => ({
    name,
    answers: judge(`attendees[${n}].custom_field_answers`, ofGuest, given),
  }))
  const most = admissionCount(checkout.items)
  if (attendees && attendees.length > most) faults['attendees'] = [`is too long: ${atMostMessage(most)}`]
  if (Object.keys(faults).length > 0) throw new Invalid(faults)
  return { ...(answers && { answers }), ...(attendees && { attendees }) }
}
