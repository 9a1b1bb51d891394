import { z } from 'zod'
import { envelope } from '../http/body.ts'
import { flag, optionalText, requiredText } from '../http/fields.ts'
import { Timestamp, exampleOf, named, showTimestamp, showTimestampOrNull } from '../http/wire.ts'
import type { WebhookDelivery } from './deliveries/records.ts'
import { URL_MAX, WEBHOOK_KINDS } from './rules.ts'
import type { WebhookEndpoint } from './webhook-endpoints/records.ts'

const endpointFields = {
  id: z.string(),
  url: z.string(),
  description: z.string(),
  kinds: z.array(z.enum(WEBHOOK_KINDS)),
  personal: z.boolean(),
  enabled: z.boolean(),
  disabled_at: Timestamp.nullable(),
  disabled_reason: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
}

const endpointExample = {
  id: 'Wk5Rt8mZx2NvQ7pBc3LsYd',
  url: 'https://books.example/foyer',
  description: 'Bookkeeping',
  kinds: ['voucher.issued' as const, 'voucher.redeemed' as const],
  personal: false,
  enabled: true,
  disabled_at: null,
  disabled_reason: null,
  created_at: '2026-10-01T09:00:00.000Z',
  updated_at: '2026-10-01T09:00:00.000Z',
}

export const WebhookEndpointAnswer = named('WebhookEndpoint', z.object(endpointFields), endpointExample)

export const NewWebhookEndpointAnswer = named(
  'NewWebhookEndpoint',
  z.object({ ...endpointFields, secret: z.string() }),
  { ...endpointExample, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' },
)

export const WebhookEndpoints = named(
  'WebhookEndpoints',
  z.object({ webhook_endpoints: z.array(WebhookEndpointAnswer) }),
  {
    webhook_endpoints: [endpointExample],
  },
)

const Delivery = named(
  'WebhookDelivery',
  z.object({
    id: z.string(),
    message_id: z.string(),
    kind: z.string(),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts_count: z.int(),
    response_status: z.int().nullable(),
    failure_message: z.string().nullable(),
    last_attempted_at: Timestamp.nullable(),
    next_attempt_at: Timestamp.nullable(),
    delivered_at: Timestamp.nullable(),
    failed_at: Timestamp.nullable(),
    created_at: Timestamp,
  }),
  {
    id: '9f2c4d6b8a0e1c3d5f7a9b2c4d6e8f0a',
    message_id: 'msg_Tz6VmW2rQn8BsLcHd9Kx4p',
    kind: 'voucher.issued',
    status: 'delivered',
    attempts_count: 1,
    response_status: 200,
    failure_message: null,
    last_attempted_at: '2026-10-01T09:00:01.000Z',
    next_attempt_at: null,
    delivered_at: '2026-10-01T09:00:01.000Z',
    failed_at: null,
    created_at: '2026-10-01T09:00:00.000Z',
  },
)

export const WebhookDeliveries = named('WebhookDeliveries', z.object({ webhook_deliveries: z.array(Delivery) }), {
  webhook_deliveries: [exampleOf(Delivery)!],
})

export const Redelivery = named('WebhookRedelivery', z.object({ id: z.string(), status: z.literal('queued') }), {
  id: '9f2c4d6b8a0e1c3d5f7a9b2c4d6e8f0a',
  status: 'queued',
})

const kinds = () => z.array(z.string()).nullish()

export const NewWebhookEndpointBody = envelope(
  'webhook_endpoint',
  z.object({ url: requiredText(URL_MAX), description: optionalText(), kinds: kinds() }),
)

export const WebhookEndpointChanges = envelope(
  'webhook_endpoint',
  z.object({
    url: requiredText(URL_MAX).optional(),
    description: optionalText().optional(),
    kinds: kinds(),
    enabled: flag().optional(),
  }),
)

export const showWebhookEndpoint = (endpoint: WebhookEndpoint): z.output<typeof WebhookEndpointAnswer> => ({
  id: endpoint.publicId,
  url: endpoint.url,
  description: endpoint.description,
  kinds: endpoint.kinds,
  personal: endpoint.isPersonal,
  enabled: endpoint.disabledAt === null,
  disabled_at: showTimestampOrNull(endpoint.disabledAt),
  disabled_reason: endpoint.disabledReason,
  created_at: showTimestamp(endpoint.createdAt),
  updated_at: showTimestamp(endpoint.updatedAt),
})

export const showWebhookDelivery = (delivery: WebhookDelivery): z.output<typeof Delivery> => ({
  id: delivery.publicId,
  message_id: delivery.messageId,
  kind: delivery.kind,
  status: delivery.deliveredAt ? 'delivered' : delivery.failedAt ? 'failed' : 'pending',
  attempts_count: delivery.attemptsCount,
  response_status: delivery.responseStatus,
  failure_message: delivery.failureMessage,
  last_attempted_at: showTimestampOrNull(delivery.lastAttemptedAt),
  next_attempt_at: showTimestampOrNull(delivery.nextAttemptAt),
  delivered_at: showTimestampOrNull(delivery.deliveredAt),
  failed_at: showTimestampOrNull(delivery.failedAt),
  created_at: showTimestamp(delivery.createdAt),
})
