import { moneyManagement } from '../access/access.ts'
import { ok } from '../http/answers.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { NotFound } from '../kernel/refusals.ts'
import { type Payments, isMethodOffered } from './payments.ts'
import { PaymentMethodAnswer, PaymentMethodChanges, PaymentMethodList, showPaymentMethod } from './wire.ts'
import { changeMethod, requireOfferedMethod } from './change-method.ts'
import { findConfiguredMethods } from './configuration/records.ts'
import { EXAMPLE_SETUPS } from './example-setups.ts'

/** What is no number names nothing. */
const idOf = ({ id }: { id: string }): number => {
  if (!/^\d{1,15}$/.test(id)) throw new NotFound()
  return Number(id)
}

const paymentMethodList = endpoint({
  method: 'GET',
  path: '/admin/payment_methods',
  operationId: 'listPaymentMethods',
  says: 'The ways to pay that the account can offer, what is set for them, and the address for the provider’s webhooks. Secrets are never shown.',
  access: moneyManagement('read'),
  answers: { 200: PaymentMethodList },
  handle: async ({ account }) => {
    const { app } = account
    const methods = await findConfiguredMethods(account.rows)
    const offered = methods.filter(({ name }) => isMethodOffered(app.settings, account.account, name))
    return ok({ payment_methods: offered.map((method) => showPaymentMethod(app, method)) })
  },
})

const paymentMethodChange = (payments: Payments) =>
  endpoint({
    method: 'PATCH',
    path: '/admin/payment_methods/:id',
    operationId: 'updatePaymentMethod',
    says: 'Switches a way to pay on or off and changes what is set for it: instructions and days of a bank transfer, the keys of Stripe. Null takes a secret away.',
    access: moneyManagement('write'),
    integerParams: ['id'],
    body: PaymentMethodChanges,
    example: { payment_method: { enabled: false } },
    exampleSetup: EXAMPLE_SETUPS.change,
    answers: { 200: PaymentMethodAnswer },
    exists: ({ account, params }) => requireOfferedMethod(account, idOf(params)),
    handle: async ({ account, params, body }) =>
      ok(showPaymentMethod(account.app, await changeMethod(payments, account, idOf(params), body))),
  })

export const paymentMethodEndpoints = (payments: Payments): Endpoint[] => [
  paymentMethodList,
  paymentMethodChange(payments),
]
