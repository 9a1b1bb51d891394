import { type QueryClient, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import type { Status } from './rules.ts'

const PAGE_LIMIT = '100'

export const vouchersQuery = (status: Status | null) =>
  infiniteQueryOptions({
    queryKey: ['vouchers', 'list', status],
    queryFn: ({ signal, pageParam }) =>
      dataOrThrow(
        api.GET('/admin/vouchers', {
          params: {
            query: { limit: PAGE_LIMIT, ...(status && { status }), ...(pageParam !== null && { page: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pagination }) => pagination.next_page,
  })

const ofVoucher = (id: string) => ({ path: { voucher_id: id } })

export const voucherQuery = (id: string) =>
  queryOptions({
    queryKey: ['vouchers', 'one', id],
    queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/vouchers/{id}', { params: { path: { id } }, signal })),
  })

export const reservationsQuery = (id: string) =>
  queryOptions({
    queryKey: ['vouchers', 'one', id, 'reservations'],
    queryFn: ({ signal }) =>
      dataOrThrow(api.GET('/admin/vouchers/{voucher_id}/reservations', { params: ofVoucher(id), signal })),
    select: ({ reservations }) => reservations,
  })

export const productsQuery = queryOptions({
  queryKey: ['voucher products'],
  queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/voucher_products', { signal })),
  select: ({ voucher_products }) => voucher_products,
})

export const importsQuery = queryOptions({
  queryKey: ['voucher imports'],
  queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/voucher_imports', { signal })),
  select: ({ voucher_imports }) => voucher_imports,
})

const APPLYING_MS = 500

export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ['voucher imports', id],
    queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/voucher_imports/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.status === 'applying' ? APPLYING_MS : false),
    // Comparing thousands of rows with the ones before costs more than it saves.
    structuralSharing: false,
  })

/** The year until this month, where nothing else is asked for. */
export const monthsQuery = (range: { from?: string; to?: string }) =>
  queryOptions({
    queryKey: ['vouchers', 'months', range],
    queryFn: ({ signal }) =>
      dataOrThrow(api.GET('/admin/accounting/voucher_months', { params: { query: range }, signal })),
  })

export const monthsExportPath = ({ from, to }: { from: string; to: string }) =>
  `/admin/accounting/voucher_months.csv?${new URLSearchParams({ from, to }).toString()}`

export const exportPath = (status: Status | null) =>
  status === null ? '/admin/vouchers.csv' : `/admin/vouchers.csv?status=${status}`

/** Everything that shows vouchers is read anew. */
export const invalidateVouchers = (queries: QueryClient) => queries.invalidateQueries({ queryKey: ['vouchers'] })

export const lookUpVoucher = (code: string) => dataOrThrow(api.POST('/admin/voucher_lookup', { body: { code } }))

export interface IssueBody {
  voucher_product_id: string | null
  amount: string | null
  expires_at: string | null
  note: string | null
}

export const issueVoucher = (voucher: IssueBody) => dataOrThrow(api.POST('/admin/vouchers', { body: { voucher } }))

export const adjustVoucher = (id: string, body: { direction: 'credit' | 'debit'; amount: string; reason: string }) =>
  dataOrThrow(api.POST('/admin/vouchers/{voucher_id}/adjustment', { params: ofVoucher(id), body }))

export const blockVoucher = (id: string, reason: string) =>
  dataOrThrow(api.POST('/admin/vouchers/{voucher_id}/block', { params: ofVoucher(id), body: { reason } }))

export const unblockVoucher = (id: string) =>
  dataOrThrow(api.DELETE('/admin/vouchers/{voucher_id}/block', { params: ofVoucher(id) }))

export const retryDelivery = (id: string) =>
  dataOrThrow(
    api.POST('/admin/voucher_deliveries/{voucher_delivery_id}/retry', {
      params: { path: { voucher_delivery_id: id } },
    }),
  )
