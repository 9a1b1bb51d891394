import type { Rows } from '../access/scopes.ts'
import { findPaymentsOfPayable } from './records.ts'
import { findRefundsOfPayments } from './refunds/records.ts'
import type { Payment, Refund } from './rules.ts'

export interface PaymentWithRefunds extends Payment {
  refunds: Refund[]
}

/** Every payment for one thing, oldest first, with what was given back of it. Two statements: read them together. */
export const listPayments = async (rows: Rows, payableId: number): Promise<PaymentWithRefunds[]> => {
  const payments = await findPaymentsOfPayable(rows, payableId)
  const refunds = await findRefundsOfPayments(
    rows,
    payments.map(({ id }) => id),
  )
  return payments.map((payment) => ({
    ...payment,
    refunds: refunds.filter(({ paymentId }) => paymentId === payment.id),
  }))
}
