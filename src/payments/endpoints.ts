import { z } from 'zod'
import { paymentProvider } from '../access/access.ts'
import { signedLinkHolder } from '../access/signed-links.ts'
import { ok } from '../http/answers.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { querySwitch } from '../http/fields.ts'
import { languageOfRequest } from '../http/request-language.ts'
import { NotFound } from '../kernel/refusals.ts'
import { prefersJson, seeOther } from '../pages/console-page.ts'
import { chooseTestOutcome, requireTestPayment } from './choose-test-outcome.ts'
import { paymentMethodEndpoints } from './method-endpoints.ts'
import { TEST_PAYMENT_LINK_PURPOSE } from './methods/test.ts'
import { testPaymentPage } from './pages.ts'
import type { Payments } from './payments.ts'
import { readBodyBytes } from './read-body.ts'
import { handleProviderMessage } from './receive-message.ts'
import { RETURN_LINK_PURPOSE } from './return-link.ts'
import { returnFromProvider } from './return-from-provider.ts'
import { ReceivedMessage, TestOutcomeBody, TestPayment, showTestPayment } from './wire.ts'

/** Far more than a provider ever says. */
const MESSAGE_LIMIT = { most: 256 * 1024, ms: 10_000 }

/** Only a provider has something to say here, so it is told to nobody else. */
const providerMessage = (payments: Payments) =>
  endpoint({
    method: 'POST',
    path: '/payments/:payment_method/webhooks/:key',
    says: 'What a payment provider says, at an address of the account’s own; its signature is checked.',
    access: paymentProvider(),
    streams: true,
    answers: { 200: ReceivedMessage },
    undocumented: true,
    handle: async ({ paymentMethod, params, headers, stream }) => {
      const body = await readBodyBytes(stream, MESSAGE_LIMIT)
      const about = { methodId: paymentMethod.id, methodName: params.payment_method }
      await handleProviderMessage(payments, paymentMethod, about, { body, headers })
      return ok({ received: true as const })
    },
  })

const testPayment = endpoint({
  method: 'GET',
  path: '/payments/test/:signed_link',
  says: 'A payment of the test method.',
  access: signedLinkHolder(TEST_PAYMENT_LINK_PURPOSE),
  answers: { 200: TestPayment },
  undocumented: true,
  page: async ({ account, link, headers }) =>
    testPaymentPage(await requireTestPayment(account, link.id), languageOfRequest(account.account, headers)),
  handle: async ({ account, link }) => ok(showTestPayment(await requireTestPayment(account, link.id))),
})

const testOutcome = (payments: Payments) =>
  endpoint({
    method: 'POST',
    path: '/payments/test/:signed_link',
    says: 'Pays or declines a payment of the test method; `late` pays it after it was given up.',
    access: signedLinkHolder(TEST_PAYMENT_LINK_PURPOSE),
    body: TestOutcomeBody,
    answers: { 200: TestPayment },
    undocumented: true,
    exists: ({ account, link }) => requireTestPayment(account, link.id),
    handle: async ({ account, link, body, headers }) => {
      const payment = await chooseTestOutcome(payments, account, link.id, body.outcome)
      return payment.returnUrl !== null && !prefersJson(headers) && isForm(headers)
        ? seeOther(payment.returnUrl)
        : ok(showTestPayment(payment))
    },
  })

const isForm = (headers: Readonly<Record<string, string | string[] | undefined>>) =>
  String(headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')

const paymentReturn = (payments: Payments) =>
  endpoint({
    method: 'GET',
    path: '/payments/returns/:signed_link',
    says: 'Where buyers come back from a payment provider: settles the payment and sends them on.',
    access: signedLinkHolder(RETURN_LINK_PURPOSE),
    query: z.object({ cancelled: querySwitch() }),
    answers: {},
    undocumented: true,
    handle: async ({ account, link, query }) => {
      const address = await returnFromProvider(payments, account, link.id, query.cancelled)
      if (!address) throw new NotFound()
      return seeOther(address)
    },
  })

export const paymentEndpoints = (payments: Payments): Endpoint[] => [
  ...paymentMethodEndpoints(payments),
  providerMessage(payments),
  testPayment,
  testOutcome(payments),
  paymentReturn(payments),
]
