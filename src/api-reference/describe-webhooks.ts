import { z } from 'zod'
import { Timestamp } from '../http/wire.ts'
import type { WebhookDescription } from '../webhooks/webhook.ts'
import type { SchemaComponents, JsonObject } from './components.ts'

/** The headers of Standard Webhooks, which every message has. */
export const WEBHOOK_HEADERS = {
  WebhookId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'The name of the message: the same when it is sent again.',
    schema: { type: 'string' },
    example: 'msg_Tz6VmW2rQn8BsLcHd9Kx4p',
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'When this attempt was made, in seconds since 1970.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '1790845201',
  },
  WebhookSignature: {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      '`v1,` and the Base64 of the HMAC-SHA256 of `webhook-id`.`webhook-timestamp`.`body` with the secret of the ' +
      'endpoint, as Standard Webhooks says.',
    schema: { type: 'string' },
    example: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
}

const PARAMETERS = Object.keys(WEBHOOK_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` }))

const RESPONSES = {
  '2XX': { description: 'It has arrived. Whatever does not answer so within ten seconds counts as not arrived.' },
  '410': { description: 'Nobody listens here any more: the endpoint is switched off.' },
  default: { description: 'It has not arrived and is sent again later, nine times over three days.' },
}

/** The messages that Foyer sends by itself, for the `webhooks` section of the API description. */
export const describeWebhooks = (
  webhooks: readonly WebhookDescription[],
  components: SchemaComponents,
): Record<string, JsonObject> =>
  Object.fromEntries(webhooks.map((each) => [each.kind, { post: describeWebhook(each, components) }]))

const describeWebhook = (
  { kind, says, data, example }: WebhookDescription,
  components: SchemaComponents,
): JsonObject => ({
  operationId: kind.replaceAll(/[._]([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  summary: titleOf(kind),
  description: says,
  tags: ['Webhooks'],
  security: [],
  parameters: PARAMETERS,
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: components.output(z.object({ type: z.literal(kind), timestamp: Timestamp, data })),
        example: { type: kind, timestamp: '2026-11-20T10:00:00.000Z', data: example },
      },
    },
  },
  responses: RESPONSES,
})

/** `guest_party.created` is shown as "Guest party created". */
const titleOf = (kind: string) => {
  const words = kind.replaceAll(/[._]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
