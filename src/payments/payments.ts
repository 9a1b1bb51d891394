import type { Account } from '../access/callers.ts'
import { batchReads } from '../access/batches.ts'
import type { AccountScope } from '../access/scopes.ts'
import { DEMO_SHOP } from '../http/example-setup.ts'
import type { Settings } from '../kernel/settings.ts'
import { requireFound } from '../kernel/refusals.ts'
import { type ConfiguredMethod, findConfiguredMethods } from './configuration/records.ts'
import { openMethodSecrets } from './configuration/secrets.ts'
import { atTheDoor } from './methods/at-the-door.ts'
import { bankTransfer } from './methods/bank-transfer.ts'
import { openStripe } from './methods/stripe/stripe.ts'
import { testMethod } from './methods/test.ts'
import type { PaymentMethodContext, PaymentMethod } from './payment-method.ts'
import type { Payment, PaymentMethodName, PaymentStatus, Refund } from './rules.ts'

export interface SettledPayment extends Payment {
  status: 'paid' | 'declined' | 'cancelled'
  /** What it was before: money for a payment that was given up comes late. */
  previousStatus: PaymentStatus
}

/**
 * What the room that sells does about payments. Everything is called within the transaction that changes the payment,
 * with a scope inside it: what is thrown rolls the payment back too, and it is settled again later.
 */
export interface PaymentHandlers {
  /** Locks what is paid for. It comes first, so that everybody locks in the same order. */
  lock(scope: AccountScope, payableIds: readonly number[]): Promise<void>
  /**
   * Whether the money of a payment is what is left to pay. What it was agreed for may have changed since it was given
   * up; money that does not fit any more is a surplus.
   */
  isStillDue(scope: AccountScope, payment: Payment): Promise<boolean>
  /** A payment was paid, declined or cancelled: once for each of them. A surplus is given back by itself. */
  settled(scope: AccountScope, payment: SettledPayment): Promise<void>
  /**
   * For payments under way, each for something else and all of it locked, that are about to be paid: tells for which of
   * them it has taken what they pay for. `settle` does for these, once they are paid, what `settled` does for one; for
   * the others nothing has changed.
   */
  prepareSettlement(scope: AccountScope, payments: readonly Payment[]): Promise<PreparedSettlement>
  /** A refund was paid out, or has failed for now. */
  refunded(scope: AccountScope, refund: Refund, payment: Payment): Promise<void>
}

export interface PreparedSettlement {
  /** The IDs of payments. */
  ready: ReadonlySet<number>
  settle(): Promise<void>
}

/** Every way to pay, and who is told what became of it: given to whatever moves a payment. */
export interface Payments {
  readonly methods: Readonly<Record<PaymentMethodName, PaymentMethod>>
  readonly handlers: PaymentHandlers
}

export const openPayments = (handlers: PaymentHandlers): Payments => ({
  methods: { stripe: openStripe(), bank_transfer: bankTransfer, at_the_door: atTheDoor, test: testMethod },
  handlers,
})

/** Whether an account can have the method at all, whatever it has set. */
export const isMethodOffered = (
  { testPayments }: Pick<Settings, 'testPayments'>,
  account: Pick<Account, 'subdomain'>,
  name: PaymentMethodName,
): boolean =>
  name !== 'test' || testPayments === 'everywhere' || (testPayments === 'demo' && account.subdomain === DEMO_SHOP)

/** The methods that buyers of an account may choose from. */
export const findUsableMethods = async (scope: AccountScope): Promise<ConfiguredMethod[]> => {
  const methods = await findConfiguredMethods(scope.rows)
  return methods.filter(({ name, enabled }) => enabled && isMethodOffered(scope.app.settings, scope.account, name))
}

export interface LoadedMethod {
  method: PaymentMethod
  call: PaymentMethodContext
}

/** A method with what it needs to work for an account. */
export const loadMethodForAccount = async (
  payments: Payments,
  scope: AccountScope,
  key: { id: number } | { name: PaymentMethodName },
): Promise<LoadedMethod> => {
  const methods = await configuredMethods(scope, null)
  const method = methods.find((each) => ('id' in key ? each.id === key.id : each.name === key.name))
  return openMethod(payments, scope, requireFound(method))
}

const configuredMethods = batchReads(async (rows, asked: readonly null[]) => {
  const methods = await findConfiguredMethods(rows)
  return asked.map(() => methods)
})

/** The same for whoever has just read what the account has set. Its secrets are opened for this call alone. */
export const openMethod = (
  { methods }: Payments,
  scope: AccountScope,
  { name, settings, sealedSecrets, now }: ConfiguredMethod,
): LoadedMethod => {
  const { app, account } = scope
  const method = methods[name]
  if (method.hasProvider && scope.isWithinTransaction)
    throw new Error('A payment provider is never asked within a transaction')
  const secrets = openMethodSecrets(app.secrets, account.id, sealedSecrets)
  return { method, call: { app, account, configuration: { settings, secrets }, now } }
}
