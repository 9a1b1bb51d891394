import { z } from 'zod'
import { envelope, unwrappedBody } from '../http/body.ts'
import { choice, flag, integer, optionalText } from '../http/fields.ts'
import { named } from '../http/wire.ts'
import type { AppServices } from '../access/app.ts'
import { showAmount } from '../kernel/money.ts'
import type { ConfiguredMethod } from './configuration/records.ts'
import { BANK_TRANSFER_EXPIRY_DAYS } from './methods/bank-transfer.ts'
import { PAYMENT_METHOD_NAMES, PAYMENT_STATUSES, type Payment, TEST_OUTCOMES } from './rules.ts'

const methodExample = {
  id: 2,
  name: 'bank_transfer' as const,
  enabled: true,
  webhook_url: null,
  instructions: 'IBAN DE02 1203 0000 0000 2020 51, Kaispeicher GmbH',
  expires_after_days: 7,
  has_secret_key: false,
  has_webhook_secret: false,
}

export const PaymentMethodAnswer = named(
  'PaymentMethod',
  z.object({
    id: z.int(),
    name: z.enum(PAYMENT_METHOD_NAMES),
    enabled: z.boolean(),
    webhook_url: z.string().nullable(),
    instructions: z.string().nullable(),
    expires_after_days: z.int().nullable(),
    has_secret_key: z.boolean(),
    has_webhook_secret: z.boolean(),
  }),
  methodExample,
)

export const PaymentMethodList = named('PaymentMethods', z.object({ payment_methods: z.array(PaymentMethodAnswer) }), {
  payment_methods: [methodExample],
})

const INSTRUCTIONS_MAX = 2000
const SECRET_MAX = 255
const DAYS_MAX = 90

export const PaymentMethodChanges = envelope(
  'payment_method',
  z.object({
    enabled: flag().optional(),
    instructions: optionalText(INSTRUCTIONS_MAX).optional(),
    expires_after_days: integer({ least: 1, most: DAYS_MAX }).optional(),
    secret_key: optionalText(SECRET_MAX).optional(),
    webhook_secret: optionalText(SECRET_MAX).optional(),
  }),
)

export const showPaymentMethod = (
  { settings: { baseUrl } }: Pick<AppServices, 'settings'>,
  { id, name, enabled, settings, sealedSecrets, webhookKey }: ConfiguredMethod,
): z.output<typeof PaymentMethodAnswer> => ({
  id,
  name,
  enabled,
  webhook_url: webhookKey && `${baseUrl}/payments/${name}/webhooks/${webhookKey}`,
  instructions: settings.instructions ?? null,
  expires_after_days: name === 'bank_transfer' ? (settings.expires_after_days ?? BANK_TRANSFER_EXPIRY_DAYS) : null,
  has_secret_key: sealedSecrets.secret_key !== undefined,
  has_webhook_secret: sealedSecrets.webhook_secret !== undefined,
})

export const TestPayment = z.object({
  status: z.enum(PAYMENT_STATUSES),
  amount: z.string(),
  currency: z.string(),
  return_url: z.string().nullable(),
})

export const TestOutcomeBody = unwrappedBody(z.object({ outcome: choice(TEST_OUTCOMES) }))

export const showTestPayment = (payment: Payment): z.output<typeof TestPayment> => ({
  status: payment.status,
  amount: showAmount(payment.amountCents, payment.currency),
  currency: payment.currency,
  return_url: payment.returnUrl,
})

export const ReceivedMessage = z.object({ received: z.literal(true) })
