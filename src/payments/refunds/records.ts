import { sql } from 'kysely'
import type { Rows, Tx } from '../../access/scopes.ts'
import type { Refund } from '../rules.ts'

const COLUMNS = sql`
  id, public_id as "publicId", payment_id as "paymentId", key, amount_cents as "amountCents", reason, status,
  provider_reference as "providerReference", key_number as "keyNumber", attempts_count as "attemptsCount",
  failure_message as "failureMessage", last_attempted_at as "lastAttemptedAt", paid_at as "paidAt",
  created_at as "createdAt"`

export const findRefund = async (rows: Rows, publicId: string): Promise<Refund | undefined> => {
  const { rows: refunds } = await sql<Refund>`
    select ${COLUMNS} from payment_refunds
    where account_id = ${rows.accountId} and public_id = ${publicId}`.execute(rows.db)
  return refunds[0]
}

export const findRefundById = async (rows: Rows, id: number): Promise<Refund | undefined> => {
  const { rows: refunds } = await sql<Refund>`
    select ${COLUMNS} from payment_refunds where account_id = ${rows.accountId} and id = ${id}`.execute(rows.db)
  return refunds[0]
}

export const findRefundByKey = async (rows: Rows, paymentId: number, key: string): Promise<Refund | undefined> => {
  const { rows: refunds } = await sql<Refund>`
    select ${COLUMNS} from payment_refunds
    where account_id = ${rows.accountId} and payment_id = ${paymentId} and key = ${key}`.execute(rows.db)
  return refunds[0]
}

export const findRefundsOfPayments = async (rows: Rows, paymentIds: readonly number[]): Promise<Refund[]> => {
  const { rows: refunds } = await sql<Refund>`
    select ${COLUMNS} from payment_refunds
    where account_id = ${rows.accountId} and payment_id = any(${paymentIds}) order by id`.execute(rows.db)
  return refunds
}

/** What the money was paid for that a refund gives back. */
export const findPayableOfRefund = async (rows: Rows, publicId: string): Promise<number | undefined> => {
  const { rows: payments } = await sql<{ payableId: number }>`
    select p.payable_id as "payableId"
    from payment_refunds r join payments p on p.account_id = r.account_id and p.id = r.payment_id
    where r.account_id = ${rows.accountId} and r.public_id = ${publicId}`.execute(rows.db)
  return payments[0]?.payableId
}

export interface NewRefund {
  publicId: string
  paymentId: number
  key: string
  amountCents: number
  reason: string | null
  status: 'pending' | 'by_hand'
}

export const insertRefund = async (tx: Tx, refund: NewRefund): Promise<void> => {
  await sql`
    insert into payment_refunds (account_id, public_id, payment_id, key, amount_cents, reason, status)
    values (${tx.accountId}, ${refund.publicId}, ${refund.paymentId}, ${refund.key}, ${refund.amountCents},
      ${refund.reason}, ${refund.status})`.execute(tx.db)
}

/** Tells whether it was still to be paid out. */
export const recordPaidRefund = async (tx: Tx, id: number, providerReference: string | null): Promise<boolean> => {
  const { rows } = await sql`
    update payment_refunds set status = 'paid', paid_at = foyer_now(), last_attempted_at = foyer_now(),
      attempts_count = attempts_count + 1, failure_message = null,
      provider_reference = coalesce(${providerReference}::text, provider_reference)
    where account_id = ${tx.accountId} and id = ${id} and status <> 'paid'
    returning id`.execute(tx.db)
  return rows.length > 0
}

export interface RefundFailure {
  message: string
  isFinal: boolean
  isKeySpent: boolean
}

export const recordRefundFailure = async (tx: Tx, id: number, failure: RefundFailure): Promise<void> => {
  await sql`
    update payment_refunds set attempts_count = attempts_count + 1, last_attempted_at = foyer_now(),
      failure_message = ${failure.message}, status = case when ${failure.isFinal} then 'failed' else status end,
      key_number = key_number + ${failure.isKeySpent ? 1 : 0}::int
    where account_id = ${tx.accountId} and id = ${id} and status = 'pending'`.execute(tx.db)
}

/** Tells whether it had failed. Why it did is no longer true of it. */
export const reopenRefund = async (tx: Tx, id: number): Promise<boolean> => {
  const { rows } = await sql`
    update payment_refunds set status = 'pending', key_number = key_number + 1, failure_message = null
    where account_id = ${tx.accountId} and id = ${id} and status = 'failed' returning id`.execute(tx.db)
  return rows.length > 0
}

/** Recomputes what is kept of refunds beside their payment, and tells where the two differ. */
export const findRefundTotalDifferences = async (
  rows: Rows,
): Promise<{ paymentPublicId: string; counted: number; kept: number }[]> => {
  const { rows: faults } = await sql<{ paymentPublicId: string; counted: number; kept: number }>`
    select p.public_id as "paymentPublicId", coalesce(r.sum, 0)::bigint as counted, p.refunded_cents as kept
    from payments p
    left join (
      select payment_id, sum(amount_cents) as sum from payment_refunds where account_id = ${rows.accountId}
      group by payment_id
    ) r on r.payment_id = p.id
    where p.account_id = ${rows.accountId} and p.refunded_cents <> coalesce(r.sum, 0)
    order by p.id`.execute(rows.db)
  return faults
}
