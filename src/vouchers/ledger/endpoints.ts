import { z } from 'zod'
import { moneyManagement, management } from '../../access/access.ts'
import type { CallerScope } from '../../access/scopes.ts'
import { created, ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { choice, queryText } from '../../http/fields.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { VOUCHER_STATUSES } from '../rules.ts'
import { EXAMPLE_SETUPS } from '../example-setups.ts'
import { adjustVoucher } from './adjust-voucher.ts'
import { blockVoucher, unblockVoucher } from './block-voucher.ts'
import { issueVoucher } from './issue-voucher.ts'
import { type ListQuery, listVouchers, parsePageLimit } from './list-vouchers.ts'
import { lookUpVoucher } from './look-up-voucher.ts'
import { findVoucher } from './records.ts'
import type { Voucher } from './rules.ts'
import {
  AdjustmentBody,
  BlockBody,
  IssueBody,
  IssuedVoucher,
  LookupBody,
  VoucherAnswer,
  Vouchers,
  showSummary,
  showVoucher,
} from './wire.ts'

const show = ({ account }: CallerScope, voucher: Voucher) => showVoucher(voucher, account.currency)

const requireVoucher = async (account: CallerScope, publicId: string) =>
  requireFound(await findVoucher(account.rows, publicId))

export const vouchersEndpoint = endpoint({
  method: 'GET',
  path: '/admin/vouchers',
  operationId: 'listVouchers',
  says: 'The vouchers, newest first, a page at a time, with the summary of the whole account.',
  access: management('read'),
  query: z.object({ status: choice(VOUCHER_STATUSES).optional(), limit: queryText(), page: queryText() }),
  answers: { 200: Vouchers },
  handle: async ({ account, query }) => {
    const asked: ListQuery = { status: query.status ?? null, limit: parsePageLimit(query.limit), page: query.page }
    const { summary, vouchers: listed, nextPage } = await listVouchers(account, asked)
    const body = {
      summary: showSummary(summary, account.account.currency),
      vouchers: listed.map((voucher) => show(account, voucher)),
      pagination: { next_page: nextPage },
    }
    return nextPage === null ? ok(body) : ok(body, { link: linkTo(account, asked, nextPage) })
  },
})

const linkTo = ({ app }: CallerScope, { status, limit }: ListQuery, page: string) => {
  const query = new URLSearchParams({ ...(status && { status }), limit: String(limit), page })
  return `<${app.settings.baseUrl}/admin/vouchers?${query.toString()}>; rel="next"`
}

export const voucherLookupEndpoint = endpoint({
  method: 'POST',
  path: '/admin/voucher_lookup',
  operationId: 'lookUpVoucher',
  says: 'Finds a voucher by its code, which is never part of an address; a read token is enough.',
  access: management('read'),
  body: LookupBody,
  example: { code: 'K7WM-3XQD-9TFA-NPQR' },
  exampleSetup: EXAMPLE_SETUPS.lookup,
  answers: { 200: VoucherAnswer },
  handle: async ({ account, body }) => ok(show(account, await lookUpVoucher(account, body.code))),
})

const voucherIssue = endpoint({
  method: 'POST',
  path: '/admin/vouchers',
  operationId: 'issueVoucher',
  says: 'Issues a voucher with a code drawn by chance, which is in this answer only.',
  access: management('write'),
  body: IssueBody,
  example: { voucher: { amount: '25.00', note: 'With our apologies' } },
  answers: { 201: IssuedVoucher },
  creates: true,
  handle: async ({ account, body }) => {
    const { voucher: issued, code } = await issueVoucher(account, body)
    return created({ ...show(account, issued), code }, `/admin/vouchers/${issued.publicId}`)
  },
})

const voucherAdjustment = endpoint({
  method: 'POST',
  path: '/admin/vouchers/:voucher_id/adjustment',
  operationId: 'adjustVoucher',
  says: 'Corrects the balance of a voucher with a new entry; a debit cannot exceed what is available.',
  access: moneyManagement('write'),
  body: AdjustmentBody,
  example: { direction: 'credit', amount: '10.00', reason: 'Goodwill' },
  exampleSetup: EXAMPLE_SETUPS.newVoucher,
  answers: { 200: VoucherAnswer },
  creates: true,
  exists: ({ account, params }) => requireVoucher(account, params.voucher_id),
  handle: async ({ account, params, body }) => ok(show(account, await adjustVoucher(account, params.voucher_id, body))),
})

const voucherBlock = endpoint({
  method: 'POST',
  path: '/admin/vouchers/:voucher_id/block',
  operationId: 'blockVoucher',
  says: 'Blocks a voucher, so that no checkout can use it; blocking again changes nothing.',
  access: management('write'),
  body: BlockBody,
  example: { reason: 'Reported stolen' },
  exampleSetup: EXAMPLE_SETUPS.newVoucher,
  answers: { 200: VoucherAnswer },
  exists: ({ account, params }) => requireVoucher(account, params.voucher_id),
  handle: async ({ account, params, body }) =>
    ok(show(account, await blockVoucher(account, params.voucher_id, body.reason))),
})

const voucherUnblock = endpoint({
  method: 'DELETE',
  path: '/admin/vouchers/:voucher_id/block',
  operationId: 'unblockVoucher',
  says: 'Lifts the block of a voucher.',
  access: management('write'),
  exampleSetup: EXAMPLE_SETUPS.unblocking,
  answers: { 200: VoucherAnswer },
  handle: async ({ account, params }) => ok(show(account, await unblockVoucher(account, params.voucher_id))),
})

export const ledgerChangeEndpoints = [voucherIssue, voucherAdjustment, voucherBlock, voucherUnblock]
