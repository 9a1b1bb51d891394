import type { PaymentMethod } from '../payment-method.ts'
import { methodWithoutProvider } from './money-by-hand.ts'

/** Paid in person. How long it may stay unpaid is for whoever sells to say. */
export const atTheDoor: PaymentMethod = {
  ...methodWithoutProvider,
  name: 'at_the_door',
  settings: [],
  start: async () => ({ providerReference: null, redirectUrl: null }),
}
