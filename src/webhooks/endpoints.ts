import { organizer } from '../access/access.ts'
import type { CallerScope } from '../access/scopes.ts'
import { created, noContent, ok } from '../http/answers.ts'
import { endpoint } from '../http/endpoint.ts'
import { requireFound } from '../kernel/refusals.ts'
import { findDeliveries } from './deliveries/records.ts'
import { redeliver } from './deliveries/redeliver.ts'
import { changeWebhookEndpoint, createWebhookEndpoint, removeWebhookEndpoint } from './change-endpoints.ts'
import { findWebhookEndpoint, findWebhookEndpoints } from './webhook-endpoints/records.ts'
import {
  NewWebhookEndpointAnswer,
  NewWebhookEndpointBody,
  Redelivery,
  WebhookDeliveries,
  WebhookEndpointAnswer,
  WebhookEndpointChanges,
  WebhookEndpoints,
  showWebhookDelivery,
  showWebhookEndpoint,
} from './wire.ts'
import { EXAMPLE_SETUPS } from './example-setups.ts'

const DELIVERIES_SHOWN = 100

const requireEndpoint = async (account: CallerScope, publicId: string) =>
  requireFound(await findWebhookEndpoint(account, publicId))

const webhookEndpointList = endpoint({
  method: 'GET',
  path: '/admin/webhook_endpoints',
  operationId: 'listWebhookEndpoints',
  says: 'The addresses that are told what happens; co-organizers see their own.',
  access: organizer('read'),
  answers: { 200: WebhookEndpoints },
  handle: async ({ account }) =>
    ok({ webhook_endpoints: (await findWebhookEndpoints(account)).map(showWebhookEndpoint) }),
})

const webhookEndpoint = endpoint({
  method: 'GET',
  path: '/admin/webhook_endpoints/:id',
  operationId: 'getWebhookEndpoint',
  says: 'One webhook endpoint.',
  access: organizer('read'),
  exampleSetup: EXAMPLE_SETUPS.endpoint,
  answers: { 200: WebhookEndpointAnswer },
  handle: async ({ account, params }) => ok(showWebhookEndpoint(await requireEndpoint(account, params.id))),
})

const webhookEndpointCreation = endpoint({
  method: 'POST',
  path: '/admin/webhook_endpoints',
  operationId: 'createWebhookEndpoint',
  says: 'Adds a webhook endpoint for the kinds it names, or for all; its signing secret (Standard Webhooks) is in this answer only.',
  access: organizer('write'),
  body: NewWebhookEndpointBody,
  example: {
    webhook_endpoint: { url: 'https://books.example/foyer', kinds: ['guest_party.created', 'voucher.redeemed'] },
  },
  answers: { 201: NewWebhookEndpointAnswer },
  creates: true,
  handle: async ({ account, body }) => {
    const { endpoint: made, secret } = await createWebhookEndpoint(account, body)
    return created({ ...showWebhookEndpoint(made), secret }, `/admin/webhook_endpoints/${made.publicId}`)
  },
})

const webhookEndpointChange = endpoint({
  method: 'PATCH',
  path: '/admin/webhook_endpoints/:id',
  operationId: 'updateWebhookEndpoint',
  says: 'Changes a webhook endpoint, or switches it off and on.',
  access: organizer('write'),
  body: WebhookEndpointChanges,
  example: { webhook_endpoint: { enabled: false } },
  exampleSetup: EXAMPLE_SETUPS.endpoint,
  answers: { 200: WebhookEndpointAnswer },
  exists: ({ account, params }) => requireEndpoint(account, params.id),
  handle: async ({ account, params, body }) =>
    ok(showWebhookEndpoint(await changeWebhookEndpoint(account, params.id, body))),
})

const webhookEndpointRemoval = endpoint({
  method: 'DELETE',
  path: '/admin/webhook_endpoints/:id',
  operationId: 'deleteWebhookEndpoint',
  says: 'Removes a webhook endpoint and forgets what it was sent.',
  access: organizer('write'),
  exampleSetup: EXAMPLE_SETUPS.endpoint,
  answers: { 204: null },
  handle: async ({ account, params }) => {
    await removeWebhookEndpoint(account, params.id)
    return noContent()
  },
})

const webhookDeliveryList = endpoint({
  method: 'GET',
  path: '/admin/webhook_endpoints/:webhook_endpoint_id/deliveries',
  operationId: 'listWebhookDeliveries',
  says: 'What an endpoint was sent lately and how that went, newest first.',
  access: organizer('read'),
  exampleSetup: EXAMPLE_SETUPS.deliveries,
  answers: { 200: WebhookDeliveries },
  handle: async ({ account, params }) => {
    const deliveries = await account.consistentRead(async (rows) => {
      const { id } = await requireEndpoint(account.within(rows), params.webhook_endpoint_id)
      return findDeliveries(rows, id, DELIVERIES_SHOWN)
    })
    return ok({ webhook_deliveries: deliveries.map(showWebhookDelivery) })
  },
})

const webhookRedelivery = endpoint({
  method: 'POST',
  path: '/admin/webhook_deliveries/:webhook_delivery_id/redelivery',
  operationId: 'redeliverWebhook',
  says: 'Sends a message again that arrived or was given up.',
  access: organizer('write'),
  exampleSetup: EXAMPLE_SETUPS.redelivery,
  answers: { 202: Redelivery },
  handle: async ({ account, params }) => {
    await redeliver(account, params.webhook_delivery_id)
    return { status: 202 as const, body: { id: params.webhook_delivery_id, status: 'queued' as const } }
  },
})

export const webhookEndpoints = [
  webhookEndpointList,
  webhookEndpoint,
  webhookEndpointCreation,
  webhookEndpointChange,
  webhookEndpointRemoval,
  webhookDeliveryList,
  webhookRedelivery,
]
