import type { PaymentMethod } from '../payment-method.ts'
import { methodWithoutProvider } from './money-by-hand.ts'

export const BANK_TRANSFER_EXPIRY_DAYS = 7
const DAY_MS = 24 * 60 * 60 * 1000

/** The buyer is told where to send the money, and has so many days; somebody looks at the bank statement. */
export const bankTransfer: PaymentMethod = {
  ...methodWithoutProvider,
  name: 'bank_transfer',
  settings: ['instructions', 'expires_after_days'],
  start: async ({ configuration: { settings }, now }) => ({
    providerReference: null,
    redirectUrl: null,
    instructions: settings.instructions ?? '',
    expiresAt: new Date(now.getTime() + (settings.expires_after_days ?? BANK_TRANSFER_EXPIRY_DAYS) * DAY_MS),
  }),
}
