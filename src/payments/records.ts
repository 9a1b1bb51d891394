import { sql } from 'kysely'
import type { Rows, Tx } from '../access/scopes.ts'
import type { Database } from '../database/database.ts'
import { runPrepared } from '../database/prepared.ts'
import { enqueueMany } from '../jobs/enqueue.ts'
import { CHECK_PAYMENT_JOB, type Payment, type TestOutcome } from './rules.ts'

const COLUMNS = sql`
  -- taken as not null: method (every payment has one, by its foreign key)
  p.id, p.public_id as "publicId", p.payable_id as "payableId", p.payment_method_id as "methodId",
  (select m.name from payment_methods m where m.account_id = p.account_id and m.id = p.payment_method_id) as method,
  p.amount_cents as "amountCents", p.currency, p.status, p.is_by_hand as "isByHand", p.is_surplus as "isSurplus",
  p.description, p.provider_reference as "providerReference", p.capture_reference as "captureReference",
  p.redirect_url as "redirectUrl", p.return_url as "returnUrl", p.instructions, p.test_outcome as "testOutcome",
  p.key_number as "keyNumber", p.checks_count as "checksCount", p.next_check_at as "nextCheckAt",
  p.failure_message as "failureMessage", p.refunded_cents as "refundedCents", p.expires_at as "expiresAt",
  coalesce(p.expires_at <= foyer_now(), false) as "isExpired",
  coalesce(p.expires_at <= foyer_now() - interval '1 day', false) as "isLongExpired", p.paid_at as "paidAt", p.created_at as "createdAt"`

export type PaymentKey = { publicId: string } | { id: number } | { methodId: number; providerReference: string }

export const findPayment = async (rows: Rows, key: PaymentKey): Promise<Payment | undefined> => {
  const condition =
    'publicId' in key
      ? sql`p.public_id = ${key.publicId}`
      : 'id' in key
        ? sql`p.id = ${key.id}`
        : sql`p.payment_method_id = ${key.methodId} and p.provider_reference = ${key.providerReference}`
  const statement = sql<Payment>`
    select ${COLUMNS} from payments p where p.account_id = ${rows.accountId} and ${condition}`
  const by = 'publicId' in key ? 'public-id' : 'id' in key ? 'id' : 'reference'
  return (await runPrepared(rows.db, `payment-by-${by}`, statement))[0]
}

export const findPaymentsOfPayable = async (rows: Rows, payableId: number): Promise<Payment[]> => {
  const { rows: payments } = await sql<Payment>`
    select ${COLUMNS} from payments p
    where p.account_id = ${rows.accountId} and p.payable_id = ${payableId} order by p.id`.execute(rows.db)
  return payments
}

/** All payments for one thing, in the order in which everybody locks them. */
export const lockPaymentsOfPayable = (tx: Tx, payableId: number): Promise<Payment[]> =>
  lockPaymentsOfPayables(tx, [payableId])

export const lockPaymentsOfPayables = async (tx: Tx, payableIds: readonly number[]): Promise<Payment[]> => {
  const statement = sql<Payment>`
    select ${COLUMNS} from payments p
    where p.account_id = ${tx.accountId} and p.payable_id = any (${payableIds}::bigint[])
    order by p.payable_id, p.id for update of p`
  return runPrepared(tx.db, 'lock-payments', statement)
}

export interface NewPayment {
  publicId: string
  payableId: number
  methodId: number
  amountCents: number
  currency: string
  description: string
  returnUrl: string | null
  expiresAt: Date | null
}

/** They are looked at again even if nobody ever starts them. None where another payment for the same was under way. */
export const insertPayments = async (tx: Tx, payments: readonly NewPayment[]): Promise<Payment[]> => {
  const statement = sql<Payment>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(payments)}::json) as given (
        "publicId" text, "payableId" bigint, "methodId" bigint, "amountCents" bigint, currency text, description text,
        "returnUrl" text, "expiresAt" timestamptz)
    ),
    made as (
      insert into payments (account_id, public_id, payable_id, payment_method_id, amount_cents, currency, description,
        return_url, expires_at, next_check_at)
      select ${tx.accountId}::bigint, "publicId", "payableId", "methodId", "amountCents", currency, description,
        "returnUrl", "expiresAt", coalesce("expiresAt", foyer_now() + interval '1 day')
      from given
      on conflict (account_id, payable_id) where status in ('none', 'pending') do nothing
      returning *
    )
    select ${COLUMNS} from made p`
  return runPrepared(tx.db, 'insert-payments', statement)
}

/** Money that somebody has counted, as it lies there. */
export const insertPaymentByHand = async (
  tx: Tx,
  payment: Omit<NewPayment, 'returnUrl' | 'expiresAt'>,
): Promise<void> => {
  await sql`
    insert into payments (account_id, public_id, payable_id, payment_method_id, amount_cents, currency, description,
      status, is_by_hand, paid_at)
    values (${tx.accountId}, ${payment.publicId}, ${payment.payableId}, ${payment.methodId}, ${payment.amountCents},
      ${payment.currency}, ${payment.description}, 'paid', true, foyer_now())`.execute(tx.db)
}

export interface PaymentStartResult {
  /** The payment's. */
  id: number
  providerReference: string | null
  redirectUrl: string | null
  instructions: string | null
  expiresAt: Date | null
  /** Seconds until the provider is asked; null where there is none to ask. */
  checkAfter: number | null
}

/** The payments as they are then, without those that waited to be started no more. */
export const recordStarts = async (tx: Tx, starts: readonly PaymentStartResult[]): Promise<Payment[]> => {
  const statement = sql<Payment>`
    update payments p set status = 'pending', provider_reference = given."providerReference",
      redirect_url = given."redirectUrl", instructions = given.instructions,
      expires_at = coalesce(given."expiresAt", p.expires_at),
      next_check_at = least(coalesce(given."expiresAt", p.expires_at),
        foyer_now() + make_interval(secs => given."checkAfter")),
      failure_message = null
    from json_to_recordset(${JSON.stringify(starts)}::json) as given (
      id bigint, "providerReference" text, "redirectUrl" text, instructions text, "expiresAt" timestamptz,
      "checkAfter" int)
    where p.account_id = ${tx.accountId} and p.id = given.id and p.status = 'none'
    returning ${COLUMNS}`
  return runPrepared(tx.db, 'record-starts-of-payments', statement)
}

/** The provider has answered the idempotency key with a fault of its own; the next attempt has another. */
export const recordFailedStart = async (tx: Tx, id: number, failure: string, isKeySpent: boolean): Promise<void> => {
  await sql`
    update payments set failure_message = ${failure}, key_number = key_number + ${isKeySpent ? 1 : 0}::int
    where account_id = ${tx.accountId} and id = ${id} and status = 'none'`.execute(tx.db)
}

export interface Settlement {
  /** The payment's. */
  id: number
  status: 'paid' | 'declined' | 'cancelled'
  captureReference: string | null
  isSurplus: boolean
  /** The money may still come, although nobody waits for it. */
  isCheckedAgain: boolean
}

/** The payments that moved on: who comes second finds theirs settled, whatever they have seen before. */
export const recordSettlements = async (tx: Tx, settlements: readonly Settlement[]): Promise<Payment[]> => {
  const statement = sql<Payment>`
    update payments p set status = given.status, is_surplus = given."isSurplus", failure_message = null,
      capture_reference = coalesce(given."captureReference", p.capture_reference),
      paid_at = case when given.status = 'paid' then foyer_now() end,
      ended_at = case when given.status = 'paid' then p.ended_at else foyer_now() end,
      next_check_at = case when given."isCheckedAgain" then foyer_now() end
    from json_to_recordset(${JSON.stringify(settlements)}::json) as given (
      id bigint, status text, "captureReference" text, "isSurplus" boolean, "isCheckedAgain" boolean)
    where p.account_id = ${tx.accountId} and p.id = given.id
      and rank_payment_status(p.status) < rank_payment_status(given.status)
    returning ${COLUMNS}`
  return runPrepared(tx.db, 'record-settlements', statement)
}

/**
 * The provider has said nothing final: it is asked again after a while, and in any case when the payment expires. One
 * that was given up is not asked about for ever.
 */
export const postponeCheck = async (
  tx: Tx,
  id: number,
  { seconds, failure }: { seconds: number; failure: string | null },
): Promise<void> => {
  await sql`
    update payments set checks_count = checks_count + 1, failure_message = ${failure},
      next_check_at = case when status in ('none', 'pending') or checks_count < ${CHECKS_MAX}::int then
        least(foyer_now() + make_interval(secs => ${seconds}::int), case when expires_at > foyer_now() then expires_at end)
      end
    where account_id = ${tx.accountId} and id = ${id} and status <> 'paid' and next_check_at is not null`.execute(tx.db)
}

const CHECKS_MAX = 500

export interface ChosenOutcome {
  publicId: string
  outcome: TestOutcome
}

/** What buyers say of test payments under way, each the first or the same; the payments for which it counts. */
export const recordTestOutcomes = async (tx: Tx, outcomes: readonly ChosenOutcome[]): Promise<Payment[]> => {
  const statement = sql<Payment>`
    update payments p set test_outcome = given.outcome
    from json_to_recordset(${JSON.stringify(outcomes)}::json) as given ("publicId" text, outcome text)
    where p.account_id = ${tx.accountId} and p.public_id = given."publicId" and p.status = 'pending'
      and (p.test_outcome is null or p.test_outcome = given.outcome)
      and exists (
        select from payment_methods m
        where m.account_id = p.account_id and m.id = p.payment_method_id and m.name = 'test')
    returning ${COLUMNS}`
  return runPrepared(tx.db, 'record-test-outcomes', statement)
}

/** Whoever is taken is left alone for a while: the job that is queued for it says when to look again. */
export const queueDueChecks = (database: Database, limit: number): Promise<number> =>
  database.kysely.transaction().execute(async (db) => {
    const { rows } = await sql<{ accountId: number; paymentId: number }>`
      update payments set next_check_at = foyer_now() + interval '10 minutes'
      from (
        select account_id, id from payments where next_check_at <= foyer_now()
        order by next_check_at limit ${limit} for update skip locked
      ) due
      where payments.account_id = due.account_id and payments.id = due.id
      returning payments.account_id as "accountId", payments.id as "paymentId"`.execute(db)
    await enqueueMany(db, CHECK_PAYMENT_JOB, rows)
    return rows.length
  })
