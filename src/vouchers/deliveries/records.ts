import { sql } from 'kysely'
import type { Rows, Tx } from '../../access/scopes.ts'
import { SET_CLAIMED, IS_UNFINISHED, setAttemptEnded, isUnclaimed } from '../../jobs/deliveries/records.ts'
import type { Language } from '../../languages/rules.ts'
import type { Delivery, Purchase, PurchaseStatus } from './rules.ts'

export const findPurchaseOfVoucher = async (rows: Rows, voucherId: number): Promise<Purchase | undefined> => {
  const { rows: purchases } = await sql<Omit<Purchase, 'deliveries'> & { id: number }>`
    select p.id, p.public_id as "publicId", p.status, p.payment_provider as "paymentProvider",
      v.issued_cents as "amountCents", p.paid_cents as "paidCents", p.customer_name as "customerName",
      p.customer_email as "customerEmail", p.recipient_name as "recipientName", p.recipient_email as "recipientEmail",
      p.delivery_mode as "deliveryMode", p.scheduled_for as "scheduledFor", p.paid_at as "paidAt",
      (select max(delivered_at) from voucher_deliveries d
        where d.account_id = p.account_id and d.purchase_id = p.id) as "deliveredAt",
      p.created_at as "createdAt", p.message
    from voucher_purchases p join vouchers v on v.account_id = p.account_id and v.id = p.voucher_id
    where p.account_id = ${rows.accountId} and p.voucher_id = ${voucherId}`.execute(rows.db)
  const purchase = purchases[0]
  return purchase && { ...purchase, deliveries: await findDeliveries(rows, purchase.id) }
}

const findDeliveries = async (rows: Rows, purchaseId: number): Promise<Delivery[]> => {
  const { rows: deliveries } = await sql<Delivery>`
    select public_id as "publicId", audience, recipient_name as "recipientName", recipient_email as "recipientEmail",
      scheduled_for as "scheduledFor", queued_at as "queuedAt", delivering_at as "deliveringAt",
      last_attempted_at as "lastAttemptedAt", delivered_at as "deliveredAt", failed_at as "failedAt",
      failure_message as "failureMessage", attempts_count as "attemptsCount"
    from voucher_deliveries where account_id = ${rows.accountId} and purchase_id = ${purchaseId}
    order by id`.execute(rows.db)
  return deliveries
}

export interface NewPurchase {
  publicId: string
  voucherId: number
  status: PurchaseStatus
  paymentProvider: string | null
  paidCents: number
  refundedCents?: number
  customerName: string
  customerEmail: string
  recipientName: string | null
  recipientEmail: string | null
  deliveryMode: string
  scheduledFor: Date | null
  paidAt: Date | null
  message: string | null
  checkoutId?: number
  /** What the buyer read; null where nobody knows. */
  language?: Language | null
  createdAt?: Date | null
}

export const insertPurchase = async (tx: Tx, purchase: NewPurchase): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into voucher_purchases (account_id, public_id, voucher_id, status, payment_provider, paid_cents,
      refunded_cents, customer_name, customer_email, recipient_name, recipient_email, delivery_mode, scheduled_for,
      paid_at, message, language, checkout_id, created_at)
    values (${tx.accountId}, ${purchase.publicId}, ${purchase.voucherId}, ${purchase.status},
      ${purchase.paymentProvider}, ${purchase.paidCents}, ${purchase.refundedCents ?? 0}, ${purchase.customerName},
      ${purchase.customerEmail}, ${purchase.recipientName}, ${purchase.recipientEmail}, ${purchase.deliveryMode},
      ${purchase.scheduledFor}, ${purchase.paidAt}, ${purchase.message}, ${purchase.language ?? null},
      ${purchase.checkoutId ?? null}::bigint,
      coalesce(${purchase.createdAt ?? null}::timestamptz, foyer_now()))
    returning id`.execute(tx.db)
  return rows[0]!.id
}

export type NewDelivery = Omit<Delivery, 'queuedAt'> & { purchaseId: number; queuedAt: Date | 'now' | null }

export const insertDelivery = async (tx: Tx, delivery: NewDelivery): Promise<number> => {
  const queuedAt = delivery.queuedAt === 'now' ? sql`foyer_now()` : sql`${delivery.queuedAt}::timestamptz`
  const { rows } = await sql<{ id: number }>`
    insert into voucher_deliveries (account_id, public_id, purchase_id, audience, recipient_name, recipient_email,
      scheduled_for, queued_at, delivering_at, last_attempted_at, delivered_at, failed_at, failure_message, attempts_count)
    values (${tx.accountId}, ${delivery.publicId}, ${delivery.purchaseId}, ${delivery.audience},
      ${delivery.recipientName}, ${delivery.recipientEmail}, ${delivery.scheduledFor}, ${queuedAt},
      ${delivery.deliveringAt}, ${delivery.lastAttemptedAt}, ${delivery.deliveredAt}, ${delivery.failedAt},
      ${delivery.failureMessage}, ${delivery.attemptsCount})
    returning id`.execute(tx.db)
  return rows[0]!.id
}

/**
 * Queues a delivery again: one that failed at once, one that never started five minutes after it was due, one that was
 * attempted an hour after its last sign of life. Of two who ask at once the second finds it freshly queued.
 */
export const requeueDelivery = async (
  tx: Tx,
  publicId: string,
): Promise<{ id: number; isQueued: boolean } | undefined> => {
  const { rows } = await sql<{ id: number; isQueued: boolean }>`
    with found as (
      select id from voucher_deliveries where account_id = ${tx.accountId} and public_id = ${publicId} for update
    ), queued as (
      update voucher_deliveries as d
      set queued_at = foyer_now(), failed_at = null, failure_message = null, delivering_at = null
      where d.account_id = ${tx.accountId} and d.id = (select id from found)
        and d.delivered_at is null
        and (d.scheduled_for is null or d.scheduled_for <= foyer_now())
        and (d.failed_at is not null
          or case
            when d.attempts_count = 0 and d.delivering_at is null and d.last_attempted_at is null
            then coalesce(greatest(d.queued_at, d.scheduled_for), d.created_at) <= foyer_now() - interval '5 minutes'
            else greatest(d.queued_at, d.delivering_at, d.last_attempted_at) <= foyer_now() - interval '1 hour'
          end)
      returning d.id
    )
    select id, exists (select from queued) as "isQueued" from found`.execute(tx.db)
  return rows[0]
}

export interface ClaimedDelivery {
  claim: number
  publicId: string
  audience: 'buyer' | 'recipient'
  recipientName: string
  recipientEmail: string
  codeSealed: Buffer
  voucherId: number
  productName: string | null
  issuedCents: number
  expiresAt: Date | null
  customerName: string
  purchasedForName: string | null
  message: string | null
  language: Language | null
}

/** A mail whose worker died may still be on its way, so it is left alone for long. */
const LEASE = sql`interval '1 hour'`

/** Claims a delivery that is queued, or whose day has come, unless it is over or somebody has been at it within the hour. */
export const claimDelivery = async (tx: Tx, id: number): Promise<ClaimedDelivery | undefined> => {
  const { rows } = await sql<ClaimedDelivery>`
    with claimed as (
      update voucher_deliveries
      set ${SET_CLAIMED}, claim = claim + 1, queued_at = coalesce(queued_at, foyer_now())
      where account_id = ${tx.accountId} and id = ${id} and ${IS_UNFINISHED} and ${isUnclaimed(LEASE)}
        and (queued_at is not null or scheduled_for is not null)
        and (scheduled_for is null or scheduled_for <= foyer_now())
      returning claim, public_id, audience, recipient_name, recipient_email, purchase_id
    )
    select c.claim, c.public_id as "publicId", c.audience, c.recipient_name as "recipientName",
      c.recipient_email as "recipientEmail", v.code_sealed as "codeSealed", v.id as "voucherId",
      v.product_name as "productName", v.issued_cents as "issuedCents", v.expires_at as "expiresAt",
      p.customer_name as "customerName", p.recipient_name as "purchasedForName", p.message, p.language
    from claimed c
    join voucher_purchases p on p.account_id = ${tx.accountId} and p.id = c.purchase_id
    join vouchers v on v.account_id = p.account_id and v.id = p.voucher_id`.execute(tx.db)
  return rows[0]
}

/** How long until its day comes, or a claim by somebody else is over, in seconds; null when neither is waited for. */
export const secondsUntilClaimable = async (rows: Rows, id: number): Promise<number | null> => {
  const { rows: waiting } = await sql<{ seconds: number | null }>`
    select ceil(extract(epoch from
      greatest(delivering_at + ${LEASE}, case when scheduled_for > foyer_now() then scheduled_for end)
      - foyer_now()))::float8 as seconds
    from voucher_deliveries
    where account_id = ${rows.accountId} and id = ${id} and ${IS_UNFINISHED}`.execute(rows.db)
  return waiting[0]?.seconds ?? null
}

/** Writes how an attempt ended, if its claim is still the latest; a failure that is not final stays queued. */
export const recordDeliveryOutcome = async (
  tx: Tx,
  id: number,
  { claim, failure, isFinal }: { claim: number; failure: string | null; isFinal: boolean },
): Promise<boolean> => {
  const { rows } = await sql`
    update voucher_deliveries set ${setAttemptEnded(failure, isFinal)}
    where account_id = ${tx.accountId} and id = ${id} and claim = ${claim} and delivering_at is not null
      and delivered_at is null
    returning id`.execute(tx.db)
  return rows.length > 0
}

export interface LockedPurchase {
  id: number
  voucherId: number
  status: PurchaseStatus
  paidCents: number
  refundedCents: number
}

export const findVoucherIdOfPurchase = async (
  rows: Rows,
  publicId: string,
): Promise<{ voucherId: number } | undefined> => {
  const { rows: purchases } = await sql<{ voucherId: number }>`
    select voucher_id as "voucherId" from voucher_purchases
    where account_id = ${rows.accountId} and public_id = ${publicId}`.execute(rows.db)
  return purchases[0]
}

export const lockPurchase = async (tx: Tx, publicId: string): Promise<LockedPurchase | undefined> => {
  const { rows } = await sql<LockedPurchase>`
    select id, voucher_id as "voucherId", status, paid_cents as "paidCents", refunded_cents as "refundedCents"
    from voucher_purchases where account_id = ${tx.accountId} and public_id = ${publicId} for update`.execute(tx.db)
  return rows[0]
}

export const recordPurchaseRefund = async (
  tx: Tx,
  id: number,
  { refundedCents, status }: { refundedCents: number; status: PurchaseStatus },
): Promise<void> => {
  await sql`
    update voucher_purchases set refunded_cents = ${refundedCents}, status = ${status}
    where account_id = ${tx.accountId} and id = ${id}`.execute(tx.db)
}

/** A voucher whose price was given back is worth nothing to anybody: what has not gone out yet stays here. */
export const failPendingDeliveries = async (tx: Tx, purchaseId: number, reason: string): Promise<void> => {
  await sql`
    update voucher_deliveries set failed_at = foyer_now(), failure_message = ${reason}
    where account_id = ${tx.accountId} and purchase_id = ${purchaseId}
      and delivered_at is null and failed_at is null and delivering_at is null`.execute(tx.db)
}
