import { type PaymentMethod, ProviderRefused } from '../payment-method.ts'

/** What methods without a provider share: it is paid when somebody who has counted the money says so. */
export const methodWithoutProvider = {
  secrets: [],
  hasProvider: false,
  refundsByHand: true,
  confirm: async (_call, _payment, claim) =>
    claim.by === 'organizer' ? { status: 'paid', captureReference: null } : { status: 'pending' },
  cancel: async () => ({ status: 'cancelled' }),
  refund: async () => {
    throw new ProviderRefused('This money is paid back by hand')
  },
  status: async () => ({ status: 'pending' }),
} satisfies Partial<PaymentMethod> as Omit<PaymentMethod, 'name' | 'settings' | 'start'>
