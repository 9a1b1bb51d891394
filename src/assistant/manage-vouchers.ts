import type { z } from 'zod'
import { voucherEndpoints } from '../vouchers/endpoints.ts'
import type { IssuedVoucher, VoucherAnswer, Vouchers } from '../vouchers/ledger/wire.ts'
import type { VoucherProduct } from '../vouchers/products/wire.ts'
import { REASON_MAX, VOUCHER_STATUSES } from '../vouchers/rules.ts'
import type { VoucherDetail } from '../vouchers/wire.ts'
import { type NameMatching, findOneByName } from './names.ts'
import { pageOf, omitKeys } from './pages.ts'
import { choice, integer, omitUndefined, text } from './parameters.ts'
import { type ToolCall, endpointFinder, defineTool } from './tool.ts'

const endpoint = endpointFinder(voucherEndpoints)
const products = endpoint('GET /admin/voucher_products')

const VOUCHERS_SHOWN = 20
const ENTRIES_MAX = 25
const PRODUCTS_MAX = 25

const parameters = {
  voucher_id: text('A voucher, as list, lookup and issue call it.'),
  code: text('The full code of a voucher, as its holder reads it out; only for lookup.'),
  product_name: text('A voucher product by its name or id, as products lists them.'),
  amount: text('An amount as a decimal text without currency, such as "25.00".'),
  expires_at: text('When the voucher expires, ISO 8601; by default what its product says.'),
  note: text('Why it is issued, for the ledger.'),
  direction: choice(['credit', 'debit'], 'credit adds to the balance, debit takes from what is available.'),
  reason: text(`Why, for the ledger; at most ${REASON_MAX} characters.`),
  delivery_id: text('A delivery of a voucher’s purchase, as show calls it; never the voucher or the purchase.'),
  status: choice(VOUCHER_STATUSES, 'Only vouchers of this status.'),
  limit: integer(`How many vouchers a page has; ${VOUCHERS_SHOWN} by default, at most 100.`, {
    minimum: 1,
    maximum: 100,
  }),
  page: text('Which page: next_page of the page before.'),
}

type ShownProduct = z.output<typeof VoucherProduct>

const showVoucher = (voucher: z.output<typeof VoucherAnswer>) => ({ voucher_id: voucher.id, ...voucher })

const showProduct = (product: ShownProduct) => omitKeys(product, 'image_url', 'position', 'created_at', 'updated_at')

const BY_NAME: NameMatching<ShownProduct> = {
  namesOf: ({ name, id }) => [name, id],
  show: ({ name, id, status, pricing_type, fixed_amount }) => ({ name, id, status, pricing_type, fixed_amount }),
}

const findProductId = async (call: ToolCall<typeof parameters>): Promise<string | undefined> => {
  const { product_name: name } = call.given
  if (name === undefined || name === '') return undefined
  const { voucher_products: all } = await call.ask<{ voucher_products: ShownProduct[] }>(products)
  // A name that went to a new product when the old one was archived means the new one.
  const active = all.filter(({ status }) => status === 'active')
  return findOneByName('product_name', name, active, BY_NAME).id
}

export const manageVouchers = defineTool({
  name: 'manage_vouchers',
  title: 'Gift vouchers',
  says: 'Gift vouchers, which are money. Codes are shown masked; the full code of a voucher is in the answer of its issue and nowhere else.',
  parameters,
  renames: { voucher_product_id: 'product_name' },
  actions: {
    list: {
      says: 'The vouchers, newest first, with the figures of the whole account.',
      calls: endpoint('GET /admin/vouchers'),
      query: { status: 'status', limit: ({ given }) => given.limit ?? VOUCHERS_SHOWN, page: 'page' },
      takes: ['limit'],
      show: ({ summary, vouchers, pagination }: z.output<typeof Vouchers>) => ({
        summary,
        next_page: pagination.next_page,
        vouchers: vouchers.map(showVoucher),
      }),
    },
    show: {
      says: 'One voucher with its purchase, the deliveries of that, and its latest entries.',
      calls: endpoint('GET /admin/vouchers/:id'),
      path: { id: 'voucher_id' },
      show: ({ purchase, entries, ...voucher }: z.output<typeof VoucherDetail>) => ({
        ...showVoucher(voucher),
        purchase: purchase && {
          ...purchase,
          deliveries: purchase.deliveries.map((delivery) => ({ delivery_id: delivery.id, ...delivery })),
        },
        entries_count: entries.length,
        entries: entries.slice(0, ENTRIES_MAX),
      }),
    },
    lookup: {
      says: 'Finds the voucher of a code.',
      calls: endpoint('POST /admin/voucher_lookup'),
      needs: ['code'],
      body: ({ given }) => ({ code: given.code }),
      show: showVoucher,
    },
    products: {
      says: 'The voucher products in catalog order, archived ones too.',
      calls: products,
      takes: ['page'],
      show: ({ voucher_products: all }: { voucher_products: ShownProduct[] }, { given }) => {
        const { shown, next_page } = pageOf(all, Number(given.page ?? 1) || 1, PRODUCTS_MAX)
        return { count: all.length, next_page, voucher_products: shown.map(showProduct) }
      },
    },
    issue: {
      says: 'Issues a voucher; the amount may be left out for a product with a fixed one.',
      calls: endpoint('POST /admin/vouchers'),
      takes: ['product_name', 'amount', 'expires_at', 'note'],
      confirm: 'Issues a voucher with a code that is as good as money.',
      body: async (call) => ({
        voucher: omitUndefined({
          voucher_product_id: await findProductId(call),
          amount: call.given.amount,
          expires_at: call.given.expires_at,
          note: call.given.note,
          // Refused: a code that somebody wished for is not dropped without a word.
          code: call.given.code,
        }),
      }),
      show: (voucher: z.output<typeof IssuedVoucher>) => ({ voucher_id: voucher.id, ...voucher }),
    },
    adjust: {
      says: 'Corrects the balance of a voucher with a new entry.',
      calls: endpoint('POST /admin/vouchers/:voucher_id/adjustment'),
      path: { voucher_id: 'voucher_id' },
      needs: ['direction', 'amount', 'reason'],
      confirm: 'Changes how much money is on the voucher.',
      previews: true,
      body: ({ given: { direction, amount, reason } }) => ({ direction, amount, reason }),
      show: showVoucher,
    },
    block: {
      says: 'Blocks a voucher, so that no checkout can use it.',
      calls: endpoint('POST /admin/vouchers/:voucher_id/block'),
      path: { voucher_id: 'voucher_id' },
      needs: ['reason'],
      confirm: 'Keeps the holder of the voucher from using it until it is unblocked.',
      previews: true,
      body: ({ given: { reason } }) => ({ reason }),
      show: showVoucher,
    },
    unblock: {
      says: 'Lifts the block of a voucher.',
      calls: endpoint('DELETE /admin/vouchers/:voucher_id/block'),
      path: { voucher_id: 'voucher_id' },
      confirm: 'Makes the money on the voucher usable again.',
      previews: true,
      show: showVoucher,
    },
    retry_delivery: {
      says: 'Queues the mail of a voucher again that failed or got stuck, to the same recipient.',
      calls: endpoint('POST /admin/voucher_deliveries/:voucher_delivery_id/retry'),
      path: { voucher_delivery_id: 'delivery_id' },
      confirm: 'Mails the voucher to its recipient again.',
      show: (retry: { id: string; status: string }) => ({ delivery_id: retry.id, ...retry }),
    },
  },
})
