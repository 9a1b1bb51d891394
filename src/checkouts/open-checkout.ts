import type { Tx } from '../access/scopes.ts'
import { Invalid, requireFound } from '../kernel/refusals.ts'
import { findCheckout, lockCheckout } from './records.ts'
import { type Checkout, EXPIRED_MESSAGE, effectiveStatusOf } from './rules.ts'

/** A checkout that can still be changed, locked. */
export const lockOpenCheckout = async (tx: Tx, id: number): Promise<Checkout> => {
  await lockCheckout(tx, id)
  return requireOpen(requireFound(await findCheckout(tx, id)))
}

export const requireOpen = (checkout: Checkout): Checkout => {
  const status = effectiveStatusOf(checkout)
  if (status !== 'open') throw new Invalid(CLOSED_MESSAGES[status])
  return checkout
}

const CLOSED_MESSAGES = {
  pending: 'A payment is under way',
  paid: 'This has been paid already',
  expired: EXPIRED_MESSAGE,
  cancelled: 'This checkout was cancelled',
}
