import type { ShopScope } from '../access/access.ts'
import { isMethodOffered } from '../payments/payments.ts'
import type { PaymentMethodName } from '../payments/rules.ts'
import { type Checkout, isPaidByHand } from './rules.ts'

/** The ways in which a checkout can be paid. */
export const paymentMethodsFor = (
  { app, account }: Pick<ShopScope, 'app' | 'account'>,
  { enabledMethods, event }: Checkout,
): PaymentMethodName[] =>
  enabledMethods.filter(
    (name) => isMethodOffered(app.settings, account, name) && (event !== null || !isPaidByHand(name)),
  )
