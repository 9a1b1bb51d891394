import type { Account } from '../access/callers.ts'
import type { AppServices } from '../access/app.ts'
import type { Payment, PaymentMethodName } from './rules.ts'

/** What an account has set for one method. */
export interface MethodConfiguration {
  settings: { instructions?: string; expires_after_days?: number }
  /** Opened; they must not leave the call they are needed for. */
  secrets: Partial<Record<SecretName, string>>
}

export type SettingName = keyof MethodConfiguration['settings']
export type SecretName = 'secret_key' | 'webhook_secret'

/** For whom a method works, and with what. */
export interface PaymentMethodContext {
  app: AppServices
  account: Account
  configuration: MethodConfiguration
  /** The database's time. */
  now: Date
}

export interface StartedPayment {
  /** What the provider calls it; null where there is no provider. */
  providerReference: string | null
  /** Where the buyer pays; null where there is nowhere to go. */
  redirectUrl: string | null
  /** What the buyer has to know to pay. */
  instructions?: string
  /** Until when it can be paid, where the method decides that. */
  expiresAt?: Date
}

/** What is true of a payment according to whoever holds the money. */
export type ProviderStatus =
  | { status: 'pending' }
  /** The whole amount, in the currency that was agreed on: the method has compared both. */
  | { status: 'paid'; captureReference: string | null }
  | { status: 'declined' }
  /** Nobody can pay it any more; `mayStillBePaid` where the method cannot promise that. */
  | { status: 'cancelled'; mayStillBePaid?: boolean }

/** Why a payment is looked at: somebody says that something has happened, or it is time to ask. */
export type CheckReason =
  | { by: 'clock' }
  | { by: 'buyer' }
  /** Whoever counted the money. */
  | { by: 'organizer' }
  /** A message whose signature was right. */
  | { by: 'provider'; says: ProviderStatus }

export interface IncomingProviderMessage {
  /** As it arrived: the signature is over the bytes. */
  body: Buffer
  headers: Readonly<Record<string, string | string[] | undefined>>
}

export interface ProviderMessage {
  providerReference: string
  /** What it says of that payment; throws ProviderUnavailable where that makes no sense. */
  says: (payment: Payment) => ProviderStatus
}

export interface RefundToPayOut {
  publicId: string
  amountCents: number
  reason: string | null
  keyNumber: number
  /** How often it was tried before. */
  attemptsCount: number
}

export type RefundPayoutResult = { status: 'paid'; providerReference: string | null } | { status: 'pending' }

/**
 * A way to pay. Every verb may be called again with the same payment, and does nothing twice: what goes to a provider
 * carries an idempotency key made of our own ID, has a time limit, and goes through a circuit breaker. All of them may
 * throw ProviderUnavailable (ask again later) and ProviderRefused (asking again will not help). None is called within a
 * transaction.
 */
export interface PaymentMethod {
  readonly name: PaymentMethodName
  /** What an account may set, and must before it can switch the method on. */
  readonly settings: readonly SettingName[]
  readonly secrets: readonly SecretName[]
  /** Whether there is somebody to ask; where there is not, a payment is looked at only when it expires. */
  readonly hasProvider: boolean
  /** Whether refunds are paid out by a person. */
  readonly refundsByHand: boolean
  /** Opens what the buyer is sent to. Nobody has paid before it has answered. */
  start(call: PaymentMethodContext, payment: Payment): Promise<StartedPayment>
  /** What is true after a claim: the claim itself where it is proof, what `status` says where it is not. */
  confirm(call: PaymentMethodContext, payment: Payment, claim: CheckReason): Promise<ProviderStatus>
  /** Ends the provider's session. Answers `paid` when that came too late, and `pending` when money is on its way. */
  cancel(call: PaymentMethodContext, payment: Payment): Promise<ProviderStatus>
  /** Gives money back, as far as it is the provider who does. `pending`: it is on its way, ask again. */
  refund(call: PaymentMethodContext, payment: Payment, refund: RefundToPayOut): Promise<RefundPayoutResult>
  /** What is true now. */
  status(call: PaymentMethodContext, payment: Payment): Promise<ProviderStatus>
  /**
   * What a provider's webhook is about; null when that is no payment. Throws InvalidMessageSignature, and asks nobody. Where a
   * method has none, it has no webhook.
   */
  readMessage?(call: PaymentMethodContext, message: IncomingProviderMessage): Promise<ProviderMessage | null>
}

/** The provider is away, slow, busy, or says nonsense. It is asked again later. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
  /** It has answered the idempotency key with a fault of its own, and would repeat that answer. */
  readonly isKeySpent: boolean

  constructor(message: string, options: { isKeySpent?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.isKeySpent = options.isKeySpent ?? false
  }
}

/** The provider has understood and said no. */
export class ProviderRefused extends Error {
  override readonly name = 'ProviderRefused'
}

/** A message that the provider has not signed, or so long ago that anybody may have kept it. */
export class InvalidMessageSignature extends Error {
  override readonly name = 'InvalidMessageSignature'
}
