import type { EventScope } from '../../access/scopes.ts'
import { showTimestamp } from '../../http/wire.ts'
import { showAmount } from '../../kernel/money.ts'
import { csvCellOf } from '../../vouchers/exports/export-vouchers.ts'
import { findListedOrders } from './records.ts'
import type { ListedOrder } from './rules.ts'

const HEAD =
  'public_id,order_code,status,customer_name,customer_email,admissions,total,vouchers,paid,refunded,currency,created_at,paid_at'

/** Nobody sells more than this for one evening. */
const ORDERS_MAX = 1_000_000

/** Every shop order of an event, newest first, as a file for spreadsheets. */
export const exportEventOrders = async (event: EventScope): Promise<string> => {
  const { currency } = event.account
  const everything = { query: '', status: null, limit: ORDERS_MAX, offset: 0 }
  const orders = await findListedOrders(event.rows, event.event.id, everything)
  return [HEAD, ...orders.map((order) => lineOf(order, currency)), ''].join('\r\n')
}

const lineOf = (order: ListedOrder, currency: string): string =>
  [
    order.publicId,
    order.orderCode,
    order.status,
    csvCellOf(order.customerName),
    csvCellOf(order.customerEmail ?? ''),
    order.admissionsCount,
    showAmount(order.totalCents, currency),
    showAmount(order.voucherCents, currency),
    showAmount(order.paidCents, currency),
    showAmount(order.refundedCents, currency),
    currency,
    showTimestamp(order.createdAt),
    order.paidAt ? showTimestamp(order.paidAt) : '',
  ].join(',')
