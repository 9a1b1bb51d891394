import type { LaneJob } from '../jobs/lane.ts'

export const PAYMENT_METHOD_NAMES = ['stripe', 'bank_transfer', 'at_the_door', 'test'] as const
export type PaymentMethodName = (typeof PAYMENT_METHOD_NAMES)[number]

/** `none`: agreed on, and the provider has not been asked yet. */
export const PAYMENT_STATUSES = ['none', 'pending', 'paid', 'declined', 'cancelled'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** `by_hand`: somebody has to pay it out; `failed`: the provider has refused, or did not answer for two days. */
export type RefundStatus = 'pending' | 'by_hand' | 'paid' | 'failed'

export const TEST_OUTCOMES = ['paid', 'declined', 'late'] as const
export type TestOutcome = (typeof TEST_OUTCOMES)[number]

export interface Payment {
  id: number
  publicId: string
  /** What is paid for, as the room that sells it knows it. */
  payableId: number
  methodId: number
  method: PaymentMethodName
  amountCents: number
  currency: string
  status: PaymentStatus
  /** Counted by a person, who may take the amount in parts. */
  isByHand: boolean
  /** It came although what it is for was paid already, or is something else by now: it is given back by itself. */
  isSurplus: boolean
  /** What the buyer reads at the provider. */
  description: string
  providerReference: string | null
  captureReference: string | null
  redirectUrl: string | null
  returnUrl: string | null
  instructions: string | null
  testOutcome: TestOutcome | null
  keyNumber: number
  checksCount: number
  nextCheckAt: Date | null
  failureMessage: string | null
  refundedCents: number
  expiresAt: Date | null
  isExpired: boolean
  /** So long ago that no provider keeps a session for it any more. */
  isLongExpired: boolean
  paidAt: Date | null
  createdAt: Date
}

export interface Refund {
  id: number
  publicId: string
  paymentId: number
  key: string
  amountCents: number
  reason: string | null
  status: RefundStatus
  providerReference: string | null
  keyNumber: number
  attemptsCount: number
  failureMessage: string | null
  lastAttemptedAt: Date | null
  paidAt: Date | null
  createdAt: Date
}

const RANKS: Record<PaymentStatus, number> = { none: 0, pending: 1, declined: 2, cancelled: 2, paid: 3 }

/** A payment only moves on. Money is the last word, whenever it comes: one that was given up may still be paid. */
export const canStatusBecome = (now: PaymentStatus, next: PaymentStatus): boolean => RANKS[next] > RANKS[now]

export const isUnderWay = ({ status }: Pick<Payment, 'status'>): boolean => status === 'none' || status === 'pending'

/** Whether it is the one that pays for all of it; what else arrives then is too much. */
export const isEffectivePayment = ({ status, isByHand, isSurplus }: Payment): boolean =>
  status === 'paid' && !isByHand && !isSurplus

export const refundableCents = ({ status, amountCents, refundedCents }: Payment): number =>
  status === 'paid' ? amountCents - refundedCents : 0

/** Seconds until a provider is asked again that has not said anything final. */
const PAUSES = [30, 60, 120, 240]
const LONGEST_PAUSE = 300

export const secondsBeforeNextCheck = (checks: number): number => PAUSES[checks] ?? LONGEST_PAUSE

/** A payment is never asked about twice at once. */
export const CHECK_PAYMENT_JOB: LaneJob<{ accountId: number; paymentId: number }> = {
  name: 'payments.check',
  lane: 'payments',
  serialKey: ({ paymentId }) => String(paymentId),
}
