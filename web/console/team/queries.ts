import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { type Schemas, dataOrThrow } from '../../api/client.ts'
import type { AssignableRole, AuditFilter, SavedScan } from './rules.ts'

export const teamQuery = queryOptions({
  queryKey: ['memberships'],
  queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/memberships', { signal })),
  staleTime: 60_000,
})

export const eventsQuery = queryOptions({
  queryKey: ['events', { archived: false }],
  queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/events', { params: { query: { archived: false } }, signal })),
})

export interface Assignment {
  role: AssignableRole
  event_ids?: number[]
}

export const invite = (email: string, assignment: Assignment) =>
  dataOrThrow(api.POST('/admin/invitations', { body: { invitation: { email, ...assignment } } }))

export const resendInvitation = (id: number) =>
  dataOrThrow(api.POST('/admin/invitations/{id}/resend', { params: { path: { id } } }))

export const revokeInvitation = (id: number) =>
  dataOrThrow(api.DELETE('/admin/invitations/{id}', { params: { path: { id } } }))

export const changeRole = (id: number, membership: Assignment) =>
  dataOrThrow(api.PATCH('/admin/memberships/{id}/role', { params: { path: { id } }, body: { membership } }))

export const deactivateMember = (id: number) =>
  dataOrThrow(api.DELETE('/admin/memberships/{id}', { params: { path: { id } } }))

export const reactivateMember = (id: number) =>
  dataOrThrow(api.POST('/admin/memberships/{id}/reactivation', { params: { path: { id } } }))

/** A device that has nothing new to say still says that it is there, every half minute. */
const HEARTBEAT_MS = 30_000

export const devicesQuery = queryOptions({
  queryKey: ['scanner devices'],
  queryFn: ({ signal }) =>
    dataOrThrow(api.GET('/admin/scanner_devices', { params: { query: { with: 'heartbeats' } }, signal })),
  select: ({ scanner_devices }) => scanner_devices,
  refetchInterval: HEARTBEAT_MS,
})

export const startPairing = (name: string, uses: number) =>
  dataOrThrow(api.POST('/admin/device_pairings', { body: { device_pairing: { name, uses } } }))

export const pairingQuery = (id: number) =>
  queryOptions({
    queryKey: ['device pairing', id],
    queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/device_pairings/{id}', { params: { path: { id } }, signal })),
  })

export const revokeDevice = (id: number) =>
  dataOrThrow(api.DELETE('/admin/scanner_devices/{id}', { params: { path: { id } } }))

export const handInScans = (id: number, attempts: SavedScan[]) =>
  dataOrThrow(
    api.POST('/admin/scanner_devices/{id}/redemption_attempts', { params: { path: { id } }, body: { attempts } }),
  )

export const tokensQuery = queryOptions({
  queryKey: ['api tokens'],
  queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/api_tokens', { signal })),
  select: ({ api_tokens }) => api_tokens,
})

export const createToken = (token: {
  description: string
  permission: 'read' | 'write'
  kind: 'account' | 'personal'
}) => dataOrThrow(api.POST('/admin/api_tokens', { body: { api_token: token } }))

export const revokeToken = (id: number) =>
  dataOrThrow(api.DELETE('/admin/api_tokens/{id}', { params: { path: { id } } }))

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/sessions', { signal })),
  select: ({ sessions }) => sessions,
})

export const endSession = (id: number) => dataOrThrow(api.DELETE('/admin/sessions/{id}', { params: { path: { id } } }))

export const webhooksQuery = queryOptions({
  queryKey: ['webhook endpoints'],
  queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/webhook_endpoints', { signal })),
  select: ({ webhook_endpoints }) => webhook_endpoints,
})

export const deliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhook endpoints', id, 'deliveries'],
    queryFn: ({ signal }) =>
      dataOrThrow(
        api.GET('/admin/webhook_endpoints/{webhook_endpoint_id}/deliveries', {
          params: { path: { webhook_endpoint_id: id } },
          signal,
        }),
      ),
    select: ({ webhook_deliveries }) => webhook_deliveries,
  })

export interface WebhookSettings {
  url: string
  description: string
  kinds: string[]
}

export const createWebhook = (settings: WebhookSettings) =>
  dataOrThrow(api.POST('/admin/webhook_endpoints', { body: { webhook_endpoint: settings } }))

export const changeWebhook = (id: string, changes: Partial<WebhookSettings> & { enabled?: boolean }) =>
  dataOrThrow(
    api.PATCH('/admin/webhook_endpoints/{id}', { params: { path: { id } }, body: { webhook_endpoint: changes } }),
  )

export const removeWebhook = (id: string) =>
  dataOrThrow(api.DELETE('/admin/webhook_endpoints/{id}', { params: { path: { id } } }))

export const redeliver = (id: string) =>
  dataOrThrow(
    api.POST('/admin/webhook_deliveries/{webhook_delivery_id}/redelivery', {
      params: { path: { webhook_delivery_id: id } },
    }),
  )

const LOG_PAGE = '100'

export const readAuditLog = (filter: AuditFilter, page: string | null, signal?: AbortSignal) =>
  dataOrThrow(
    api.GET('/admin/audit_log', {
      params: { query: { ...filter, limit: LOG_PAGE, ...(page !== null && { page }) } },
      ...(signal && { signal }),
    }),
  )

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/account', { signal })),
})

export type AccountChanges = Partial<
  Pick<
    Schemas['Account'],
    'name' | 'currency' | 'time_zone' | 'language' | 'shop_published' | 'custom_domains' | 'reply_to_email'
  >
>

export const changeAccount = (account: AccountChanges) =>
  dataOrThrow(api.PATCH('/admin/account', { body: { account } }))

export const paymentMethodsQuery = queryOptions({
  queryKey: ['payment methods'],
  queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/payment_methods', { signal })),
  select: ({ payment_methods }) => payment_methods,
})

export interface PaymentMethodChanges {
  enabled?: boolean
  instructions?: string | null
  expires_after_days?: number
  secret_key?: string | null
  webhook_secret?: string | null
}

export const changePaymentMethod = (id: number, changes: PaymentMethodChanges) =>
  dataOrThrow(api.PATCH('/admin/payment_methods/{id}', { params: { path: { id } }, body: { payment_method: changes } }))

export const walletQuery = queryOptions({
  queryKey: ['wallet'],
  queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/wallet', { signal })),
})
