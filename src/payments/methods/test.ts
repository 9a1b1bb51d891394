import { signLink } from '../../access/signed-links.ts'
import type { PaymentMethod, ProviderStatus } from '../payment-method.ts'
import type { Payment } from '../rules.ts'

export const TEST_PAYMENT_LINK_PURPOSE = 'test payment'

/** Moves no money: the buyer says on a page of ours how it shall end. Our own row is what a provider would know. */
export const testMethod: PaymentMethod = {
  name: 'test',
  settings: [],
  secrets: [],
  hasProvider: true,
  refundsByHand: false,
  start: async ({ app, account }, payment) => {
    const link = signLink(app.secrets, TEST_PAYMENT_LINK_PURPOSE, {
      accountId: account.id,
      id: payment.publicId,
      expiresAt: null,
    })
    return {
      providerReference: `test_${payment.publicId}`,
      redirectUrl: `${app.settings.baseUrl}/payments/test/${link}`,
    }
  },
  confirm: async (_call, payment) => statusOf(payment),
  cancel: async (_call, payment) => {
    const known = statusOf(payment)
    if (known.status !== 'pending') return known
    return { status: 'cancelled', mayStillBePaid: payment.testOutcome === 'late' }
  },
  refund: async (_call, _payment, { publicId }) => ({ status: 'paid', providerReference: `test_${publicId}` }),
  status: async (_call, payment) => statusOf(payment),
}

/** A late one is paid after it was given up: the money comes when nothing is held for it any more. */
const statusOf = ({ testOutcome, status }: Payment): ProviderStatus => {
  const isLateNow = testOutcome === 'late' && status !== 'none' && status !== 'pending'
  if (testOutcome === 'paid' || isLateNow) return { status: 'paid', captureReference: null }
  return { status: testOutcome === 'declined' ? 'declined' : 'pending' }
}
