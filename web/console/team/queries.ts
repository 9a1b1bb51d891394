import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { type Schemas, dataOrThrow } from '../../api/client.ts'
import type { AssignableRole, AuditFilter, SavedScan } from './rules.ts'

const REFRESH_MS = 10_000

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

export const devicesQuery = queryOptions({
  queryKey: ['scanner devices'],
  queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/scanner_devices', { signal })),
  select: ({ scanner_devices }) => scanner_devices,
  refetchInterval: REFRESH_MS,
})

/** What the devices say of themselves is told with a night; it is the same in that of every event. */
export const deviceReportsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['device reports'],
    queryFn: ({ signal }) =>
      dataOrThrow(api.GET('/admin/events/{event_slug}/night', { params: { path: { event_slug: slug } }, signal })),
    select: ({ devices, generated_at }) => ({ devices, generatedAt: generated_at }),
    refetchInterval: REFRESH_MS,
  })

export const startPairing = (name: string, uses: number) =>
  dataOrThrow(api.POST('/admin/device_pairings', { body: { device_pairing: { name, uses } } }))

const PAIRING_MS = 2_000

export const pairingQuery = (id: number) =>
  queryOptions({
    queryKey: ['device pairing', id],
    queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/device_pairings/{id}', { params: { path: { id } }, signal })),
    refetchInterval: PAIRING_MS,
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
    refetchInterval: REFRESH_MS,
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
