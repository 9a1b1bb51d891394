import type { CallerScope, Rows } from '../../access/scopes.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { type PaymentWithRefunds, listPayments } from '../../payments/list-payments.ts'
import { type ReceiptSummary, findReceiptsOfCheckout } from '../receipts/records.ts'
import { findOrderAdmissions, findOrderItems, findOrderRefunds, findOrderVouchers, findOrderToView } from './records.ts'
import type { OrderAdmission, OrderItem, OrderRefund, ShownOrder, SpentVoucher } from './rules.ts'

export interface OrderView {
  order: ShownOrder
  items: OrderItem[]
  admissions: OrderAdmission[]
  payments: PaymentWithRefunds[]
  refunds: OrderRefund[]
  vouchers: SpentVoucher[]
  receipts: ReceiptSummary[]
}

/** All there is to know of an order. What the caller may not see is not found. */
export const viewOrder = (scope: CallerScope, publicId: string): Promise<OrderView> =>
  scope.consistentRead(async (rows) => {
    const order = requireFound(await findOrderToView(rows, publicId, scope.boundMembershipId))
    return { order, ...(await findParts(rows, order)) }
  })

const findParts = async (rows: Rows, order: ShownOrder): Promise<Omit<OrderView, 'order'>> => ({
  items: await findOrderItems(rows, order),
  admissions: await findOrderAdmissions(rows, order),
  payments: order.checkoutId === null ? [] : await listPayments(rows, order.checkoutId),
  refunds: await findOrderRefunds(rows, order.checkoutId),
  vouchers: await findOrderVouchers(rows, order.orderId),
  receipts: order.checkoutId === null ? [] : await findReceiptsOfCheckout(rows, order.checkoutId),
})
